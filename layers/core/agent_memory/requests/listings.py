"""Requests that list calls and tasks, newest first, and the one that has a task done again."""

from __future__ import annotations

import re
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from agent_memory.memory_task import TaskStatus
from agent_memory.requests.fields import InstantOrMs, NextToken, Request, StoreName, null_as
from agent_memory.requests.records import RequestId
from agent_memory.scopes import ListScope, ScopePattern
from agent_memory.times import LAST_MS

_DIGITS = re.compile(r"\d{1,15}", re.ASCII)
_SHOWN = {"type": ["integer", "string", "null"], "minimum": 0, "description": "Unix milliseconds, a number or digits."}


def _unix_ms(value: Any) -> Any:
    """Unix milliseconds as a number or as digits; no other way to write a time."""
    if value is None:
        return None
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LAST_MS:
        raise ValueError("must be Unix milliseconds, as a number or as digits, not negative")
    return value


UnixMs = Annotated[int | None, BeforeValidator(_unix_ms), WithJsonSchema(_SHOWN)]
OperationName = Annotated[str, Field(min_length=1, max_length=64)]
PageSize = Annotated[int, Field(ge=1, le=100), null_as(50)]


def _in_order(low: int | None, high: int | None) -> None:
    if low is not None and high is not None and low > high:
        raise ValueError(".minTimestamp must not be after maxTimestamp")


class ListMemoryStoreRequestsRequest(Request):
    """The calls of a store, by the scope that they named; `operation` is an exact name.

    Omitted levels mean `__default__`. A call without a scope, or with one that is none, belongs to the store as a
    whole and is listed under `*/*/*/*` only; a call that named a pattern is listed under patterns as wide as it.
    """

    memory_store_name: StoreName
    scope: ListScope
    operation: OperationName | None = None
    limit: PageSize = 50
    next_token: NextToken | None = None
    min_timestamp: InstantOrMs = None
    max_timestamp: InstantOrMs = None

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Self:
        _in_order(self.min_timestamp, self.max_timestamp)
        return self


class ListMemoryTasksRequest(Request):
    """The tasks of a scope. Omitted levels mean `__default__`, and so does a scope that is left out altogether.

    The time bounds are Unix milliseconds of `createdAt`, both included. Deletions, which are no ingest of messages, are
    not listed: GetMemoryTask knows them by their id.
    """

    memory_store_name: StoreName
    scope: Annotated[ListScope, null_as({})] = Field(default_factory=ListScope)
    status: TaskStatus | None = None
    limit: PageSize = 50
    next_token: NextToken | None = None
    min_timestamp: UnixMs = None
    max_timestamp: UnixMs = None

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Self:
        _in_order(self.min_timestamp, self.max_timestamp)
        return self


class RetryMemoryTaskRequest(Request):
    """Additive: a task that ended as `failed` or `needs_reconcile` is queued again; `scope` is a check of ownership."""

    memory_store_name: StoreName
    request_id: RequestId
    scope: ScopePattern | None = None
