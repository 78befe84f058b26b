"""Requests that read messages, tasks and scopes (spec of the API, section 5)."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from agent_memory.requests.fields import InstantOrMs, NextToken, Request, StoreName, null_as
from agent_memory.scopes import ExactScope, ScopePattern

RequestId = Annotated[str, Field(min_length=1, max_length=128)]


class GetMemoryTaskRequest(Request):
    """The task of one AddMemories; `scope` is only a check of ownership."""

    memory_store_name: StoreName
    request_id: RequestId
    scope: ScopePattern | None = None


class ListMemoryStoreMessagesRequest(Request):
    """One page of a conversation, newest first; the time bounds are inclusive milliseconds."""

    memory_store_name: StoreName
    scope: ExactScope
    limit: Annotated[int, Field(ge=1, le=500), null_as(200)] = 200
    next_token: NextToken | None = None
    min_timestamp: InstantOrMs = None
    max_timestamp: InstantOrMs = None

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Self:
        low, high = self.min_timestamp, self.max_timestamp
        if low is not None and high is not None and low > high:
            raise ValueError(".minTimestamp must not be after maxTimestamp")
        return self


class ListMemoryStoreScopesRequest(Request):
    """One page of the conversations that were written to; omitted levels mean any."""

    memory_store_name: StoreName
    scope: Annotated[ScopePattern, null_as({})] = Field(default_factory=ScopePattern)
    filter: dict[str, Any] | None = None
    limit: Annotated[int, Field(ge=1, le=1_000), null_as(100)] = 100
    next_token: NextToken | None = None
