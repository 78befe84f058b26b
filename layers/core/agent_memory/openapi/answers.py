"""What operations answer with status 200. An operation that is not listed answers some object.

The tests compare every answer that they get from the service with this.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import NotRequired, TypedDict

from agent_memory.openapi.nouns import Count, Evidence, Hit, Levels, Session, Store, Task

NextToken = Annotated[str, Field(description="Sent with the same request, it gives the next page; the last has none.")]


class Stores(TypedDict):
    """One page of stores."""

    stores: list[Store]
    nextToken: NotRequired[NextToken]


class DeletedStore(TypedDict):
    """The store that is gone."""

    deleted: bool
    memoryStoreName: str


class Added(TypedDict):
    """What was accepted. `requestId` is the task's; the two counts come with `sync`."""

    requestId: str
    status: str
    acceptedMessages: Count
    duplicateMessages: Count
    scope: Levels
    memoryStoreName: str
    memcellsCreated: NotRequired[Count]
    unitsCreated: NotRequired[Count]


class Results(TypedDict):
    """Memories, best first."""

    results: list[Hit]
    fileResults: NotRequired[list[dict[str, Any]]]
    evidence: NotRequired[list[Evidence]]
    scope: Levels
    memoryStoreName: str


class OneTask(TypedDict):
    """A task."""

    task: Task
    memoryStoreName: str


class Messages(TypedDict):
    """One page of a conversation; its nextToken stands in two places."""

    session: Session
    memoryStoreName: str
    nextToken: NotRequired[NextToken]


class Scopes(TypedDict):
    """One page of conversations."""

    scopes: list[Levels]
    scope: Levels
    memoryStoreName: str
    nextToken: NotRequired[NextToken]


ANSWERS: Mapping[str, Any] = MappingProxyType(
    {
        "CreateMemoryStore": Store,
        "GetMemoryStore": Store,
        "ListMemoryStores": Stores,
        "UpdateMemoryStore": Store,
        "DeleteMemoryStore": DeletedStore,
        "AddMemories": Added,
        "SearchMemories": Results,
        "GetMemoryTask": OneTask,
        "ListMemoryStoreMessages": Messages,
        "ListMemoryStoreScopes": Scopes,
    }
)
SOME_OBJECT = dict[str, Any]
