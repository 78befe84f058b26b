"""Requests that take a store out as lines of JSON and bring lines in; beyond the official API, in its style."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from agent_memory.requests.fields import Flag, NextToken, Request, StoreName, null_as
from agent_memory.scopes import ScopePattern

MAX_LINES = 1_000

Part = Literal["memories", "messages"]
PARTS: tuple[Part, ...] = ("memories", "messages")


def _each_once(parts: list[Part]) -> list[Part]:
    if len(set(parts)) < len(parts):
        raise ValueError("must not name a part twice")
    return parts


Parts = Annotated[list[Part], Field(min_length=1), AfterValidator(_each_once), null_as(list(PARTS))]


class ExportMemoryStoreRequest(Request):
    """One page of a store as lines, each with its end: the pages, one behind the other, are the file.

    The first page begins with a line about the store. Omitted levels of `scope` mean any. `include` names what is
    exported, by default all; `memories` come with their earlier versions. With `vectors` an import need not
    embed again. A page has at most `limit` lines and about a megabyte; it may be short and still carry a token.
    """

    memory_store_name: StoreName
    scope: Annotated[ScopePattern, null_as({})] = Field(default_factory=ScopePattern)
    include: Parts = Field(default_factory=lambda: list(PARTS))
    vectors: Flag = False
    limit: Annotated[int, Field(ge=1, le=MAX_LINES), null_as(500)] = 500
    next_token: NextToken | None = None


class ImportMemoriesRequest(Request):
    """Lines of an export (at most 1,000 a call, in their order), for this store or any other.

    What the store has already is kept, deletions of single memories included; with `onConflict` "replace" the lines
    win. Lines outside `scope` (omitted: any) are refused one by one. Sent again, the same lines change nothing.
    """

    memory_store_name: StoreName
    scope: ScopePattern | None = None
    lines: str
    on_conflict: Annotated[Literal["skip", "replace"], null_as("skip")] = "skip"
