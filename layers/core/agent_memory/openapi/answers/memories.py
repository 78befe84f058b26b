"""Answers about memories. MemoryUnit has names in snake_case, as the official API does."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from agent_memory.models import TimePrecision
from agent_memory.openapi.answers.values import Count, Instant, Levels, NextToken, Ratio


class TurnRef(TypedDict):
    """A message that a memory comes from."""

    messageId: str
    timestampMs: int


class MemoryUnit(TypedDict):
    """One memory: said at `created_at`, about `effective_at`, written at `updated_at`."""

    id: str
    conversation_key: Annotated[str, Field(description="`app/tenant/agent/run`")]
    scope: Levels
    unit_type: str
    text: str
    search_text: str
    title: NotRequired[str]
    keywords: list[str]
    speaker: NotRequired[str]
    language: NotRequired[str]
    effective_at: Annotated[
        str, Field(description="As precise as `time_precision` says: `2026`, `2026-05`, and so on.")
    ]
    time_precision: TimePrecision
    time_source: Annotated[str, Field(description="How `effective_at` was found.")]
    salience: Ratio
    importance: NotRequired[Annotated[int, Field(ge=1, le=10)]]
    layer: NotRequired[Literal["user", "agent"]]
    kind: NotRequired[str]
    subject: NotRequired[Annotated[str, Field(description="Whom it is about.")]]
    attribute: NotRequired[Annotated[str, Field(description="What of the subject it tells; it has one value.")]]
    value: NotRequired[str]
    negated: NotRequired[Annotated[bool, Field(description="It says that something is not, or no longer, so.")]]
    state: NotRequired[Literal["planned", "doing", "done", "cancelled"]]
    claim: NotRequired[Annotated[str, Field(description="The words of the text that say so, where it says more.")]]
    risk_flags: NotRequired[list[Literal["instruction_like"]]]
    metadata: dict[str, str]
    source_turn_refs: list[TurnRef]
    seen_count: Annotated[int, Field(ge=1)]
    created_at: Instant
    updated_at: Instant
    valid_from: NotRequired[str]
    valid_to: NotRequired[str]
    superseded_by: NotRequired[str]
    supersedes: NotRequired[Annotated[list[str], Field(description="Ids of the memories that gave way to it.")]]
    retired_at: NotRequired[Instant]
    embedding_model: NotRequired[str]
    expires_at: NotRequired[Instant]
    version: Annotated[int, Field(ge=1)]


class MemoryVersion(TypedDict):
    """A memory as it was before somebody changed it."""

    version: Annotated[int, Field(ge=1)]
    memory: MemoryUnit
    actor: str
    replacedAt: Instant


class Memories(TypedDict):
    """One page of memories."""

    memories: list[MemoryUnit]
    scope: Levels
    memoryStoreName: str
    nextToken: NotRequired[NextToken]


class OneMemory(TypedDict):
    """A memory."""

    memory: MemoryUnit
    memoryStoreName: str


class UpdatedMemory(TypedDict):
    """The memory as it is now, and whether anything is new about it."""

    memory: MemoryUnit
    updated: bool
    memoryStoreName: str


class DeletedMemory(TypedDict):
    """The memory that is gone, and with `cascade` how many messages went with it."""

    deleted: bool
    memoryId: str
    memoryStoreName: str
    deletedMessages: NotRequired[Count]


class History(TypedDict):
    """One page of the earlier versions of a memory."""

    versions: list[MemoryVersion]
    memoryId: str
    memoryStoreName: str
    nextToken: NotRequired[NextToken]
