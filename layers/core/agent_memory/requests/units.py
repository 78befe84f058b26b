"""Requests about memories that are stored: list, get, update, delete, history (spec of the API, 4.3 to 4.6)."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from agent_memory.models import MAX_METADATA_KEYS, TimePrecision
from agent_memory.requests import shown
from agent_memory.requests.fields import MAX_ADD_BYTES, MAX_METADATA_KEY, NextToken, Request, StoreName, null_as
from agent_memory.requests.filters import FilteredRequest
from agent_memory.scopes import ExactScope, ListScope
from agent_memory.text import clean, is_blank, utf8_size
from agent_memory.times import format_seconds, parse_rfc3339

MAX_ID = 128
MAX_TITLE = 64
MAX_KEYWORDS = 8
MAX_KEYWORD = 32
MAX_PATCHED_KEYS = 2 * MAX_METADATA_KEYS  # as many to remove as to set
_FORMS = {"day": ("YYYY-MM-DD", ""), "month": ("YYYY-MM", "-01"), "year": ("YYYY", "-01-01")}


def _title(text: str) -> str:
    if len(text) > MAX_TITLE:
        raise ValueError(f"must be at most {MAX_TITLE} characters")
    return clean(text)


def _keyword(text: str) -> str:
    if len(text) > MAX_KEYWORD or is_blank(clean(text)):
        raise ValueError(f"must be 1 to {MAX_KEYWORD} characters and not blank")
    return clean(text)


def _text(text: str) -> str:
    if utf8_size(text) > MAX_ADD_BYTES:
        raise ValueError(f"must be at most {MAX_ADD_BYTES} bytes of UTF-8")
    if is_blank(clean(text)):
        raise ValueError("must not be blank")
    return clean(text)


def _patch(metadata: dict[str, str | None]) -> dict[str, str | None]:
    if len(metadata) > MAX_PATCHED_KEYS:
        raise ValueError(f"must name at most {MAX_PATCHED_KEYS} keys")
    if any(not key or len(key) > MAX_METADATA_KEY for key in metadata):
        raise ValueError(f"keys must be 1 to {MAX_METADATA_KEY} characters")
    cleaned = {clean(key): None if value is None else clean(value) for key, value in metadata.items()}
    if len(cleaned) < len(metadata) or "" in cleaned:
        raise ValueError("has keys that are empty or the same once control characters are gone")
    return cleaned


def effective_time(text: str, precision: TimePrecision) -> str:
    """`effective_at` in the form that the precision asks for, seconds in UTC; ValueError for what no calendar has."""
    if precision == "second":
        return format_seconds(parse_rfc3339(text))
    form, rest = _FORMS[precision]
    try:
        is_written_so = date.fromisoformat(text + rest).isoformat() == text + rest
    except ValueError:
        is_written_so = False
    if not is_written_so:
        raise ValueError(f"must be a {precision} of the calendar written {form}")
    return text


MemoryId = Annotated[str, Field(min_length=1, max_length=MAX_ID)]
Title = Annotated[str, AfterValidator(_title), shown.text(maxLength=MAX_TITLE)]
Keyword = Annotated[str, AfterValidator(_keyword), shown.text(minLength=1, maxLength=MAX_KEYWORD, pattern=r"\S")]
NewText = Annotated[str, AfterValidator(_text), shown.text_of_bytes(MAX_ADD_BYTES, pattern=r"\S")]
MetadataPatch = Annotated[dict[str, str | None], AfterValidator(_patch)]
PageLimit = Annotated[int, Field(ge=1, le=100), null_as(50)]


class ListMemoriesRequest(FilteredRequest):
    """Memories newest first by `created_at`, tenant by tenant. An omitted level of `scope` is `__default__`.

    `*` widens from its level on. A page may be short or empty and still carry `nextToken`.
    """

    scope: Annotated[ListScope, null_as({})] = Field(default_factory=ListScope)
    limit: PageLimit = 50


class MemoryRequest(Request):
    """One memory by its id; `scope`, where given, must be the memory's own, else it is not found."""

    memory_store_name: StoreName
    memory_id: MemoryId
    scope: ExactScope | None = None

    @property
    def actor(self) -> str:
        """Who changes the memory, as its history says: the id of a key."""
        return self.caller.key_id or "anonymous"


class DeleteMemoryRequest(MemoryRequest):
    """Additive: `cascade` "evidence" also deletes the messages that the memory was made of, whoever else points there.

    Without it they stay, and the memory comes back only if it is said anew.
    """

    cascade: Literal["evidence"] | None = None


class GetMemoryHistoryRequest(MemoryRequest):
    """Additive operation: the earlier versions of a memory, newest first, each with who replaced it and when."""

    limit: PageLimit = 50
    next_token: NextToken | None = None


class UpdateMemoryRequest(MemoryRequest):
    """A patch: what is absent stays. `metadata` is merged by key, `{}` clears it; "" and [] clear title and keywords.

    `effective_at` and `time_precision` stand together. Additive: a metadata value of null removes its key, and
    `expected_version` refuses with CONFLICT to change any other version than that.
    """

    text: NewText | None = None
    metadata: MetadataPatch | None = None
    title: Title | None = None
    keywords: Annotated[list[Keyword], Field(max_length=MAX_KEYWORDS)] | None = None
    effective_at: str | None = None
    time_precision: TimePrecision | None = None
    expected_version: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if (self.effective_at is None) != (self.time_precision is None):
            raise ValueError(".effectiveAt and timePrecision must be given together")
        try:
            changes = self.changes
        except ValueError as error:
            raise ValueError(f".effectiveAt {error}") from error
        if not changes and self.metadata is None:
            raise ValueError(".text is required, or metadata, title, keywords, or effectiveAt with timePrecision")
        return self

    @property
    def changes(self) -> dict[str, Any]:
        """The fields of a unit that the patch sets, but for metadata and what follows from the text."""
        fields: dict[str, Any] = {}
        if self.text is not None:
            fields["text"] = self.text
        if self.title is not None:
            fields["title"] = self.title or None
        if self.keywords is not None:
            fields["keywords"] = tuple(dict.fromkeys(self.keywords))
        if self.effective_at is not None and self.time_precision is not None:
            fields["effective_at"] = effective_time(self.effective_at, self.time_precision)
            fields["time_precision"] = self.time_precision
        return fields
