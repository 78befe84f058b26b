"""Field types that several requests share, with their limits."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr

from agent_memory.models import MAX_METADATA_BYTES, MAX_METADATA_KEYS
from agent_memory.requests import shown
from agent_memory.signin.caller import ANYBODY, Caller
from agent_memory.text import clean, has_control_characters, is_blank, utf8_size
from agent_memory.times import LAST_MS, parse_rfc3339
from agent_memory.values import WireValue

MAX_STORE_NAME = 32
MAX_DESCRIPTION_BYTES = 1_024
MAX_INSTRUCTIONS = 4_096
MAX_MESSAGES = 20
MAX_ADD_BYTES = 32_000
MAX_QUERY = 8_192
MAX_TOP_K = 50
MAX_METADATA_KEY = 64
MAX_FILTER_VALUE = 1_024
MAX_MESSAGE_ID = 256
MAX_NAME = 128
MAX_ROLE = 64
MAX_TOKEN = 8_192
MAX_TTL_SECONDS = 100 * 366 * 86_400
INSTANCE_HEADER = "x-ots-instancename"

_DIGITS = re.compile(r"\d{1,15}", re.ASCII)
_STORE_NAME = re.compile(r"[A-Za-z0-9_]+", re.ASCII)


class Request(WireValue):
    """Base of all request bodies. `instance` is the name space of the caller, from the header, never from the body."""

    model_config = ConfigDict(strict=True, populate_by_name=False)

    instance: str = Field(default="default", alias=INSTANCE_HEADER)
    _caller: Caller = PrivateAttr(default=ANYBODY)

    @property
    def caller(self) -> Caller:
        """Who asks; what a key may not see does not exist for it."""
        return self._caller

    def asked_by(self, caller: Caller) -> Self:
        """The same request of that caller."""
        asked = self.model_copy()
        asked._caller = caller  # noqa: SLF001 - of its own copy
        return asked


def _store_name(name: str) -> str:
    if not _STORE_NAME.fullmatch(name) or len(name) > MAX_STORE_NAME:
        raise ValueError(f"must be 1 to {MAX_STORE_NAME} of the characters A-Z a-z 0-9 _")
    return name


def _description(text: str) -> str:
    if utf8_size(text) > MAX_DESCRIPTION_BYTES:
        raise ValueError(f"must be at most {MAX_DESCRIPTION_BYTES} bytes of UTF-8")
    return clean(text)


def _instructions(text: str) -> str:
    if len(text) > MAX_INSTRUCTIONS:
        raise ValueError(f"must be at most {MAX_INSTRUCTIONS} characters")
    return clean(text)


def _query(text: str) -> str:
    if len(text) > MAX_QUERY:
        raise ValueError(f"must be at most {MAX_QUERY} characters")
    cleaned = clean(text)
    if is_blank(cleaned):
        raise ValueError("must not be blank")
    return cleaned


def _identifier(limit: int) -> AfterValidator:
    def check(text: str) -> str:
        if not text or len(text) > limit or has_control_characters(text):
            raise ValueError(f"must be 1 to {limit} characters without control characters")
        return text

    return AfterValidator(check)


def _instant(text: str) -> str:
    parse_rfc3339(text)
    return text


def _instant_or_ms(value: Any) -> Any:
    """RFC 3339 text, or Unix milliseconds as a number or as digits; the result is milliseconds."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError("must be an RFC 3339 time or Unix milliseconds")  # noqa: TRY004 - the request is invalid
    if isinstance(value, str):
        value = int(value) if _DIGITS.fullmatch(value) else parse_rfc3339(value)
    elif value < 0:
        raise ValueError("must not be negative")
    if value > LAST_MS:
        raise ValueError("is out of range")
    return value


def _metadata(metadata: dict[str, str]) -> dict[str, str]:
    _few_short_keys(metadata)
    cleaned = _cleaned(metadata)
    if utf8_size(json.dumps(cleaned, ensure_ascii=False)) > MAX_METADATA_BYTES:
        raise ValueError(f"must be at most {MAX_METADATA_BYTES} bytes of JSON")
    return cleaned


def _metadata_filter(metadata: dict[str, str]) -> dict[str, str]:
    _few_short_keys(metadata)
    if any(len(value) > MAX_FILTER_VALUE for value in metadata.values()):
        raise ValueError(f"values must be at most {MAX_FILTER_VALUE} characters")
    return _cleaned(metadata)


def _cleaned(metadata: dict[str, str]) -> dict[str, str]:
    cleaned = {clean(key): clean(value) for key, value in metadata.items()}
    if len(cleaned) < len(metadata) or "" in cleaned:
        raise ValueError("has keys that are empty or the same once control characters are gone")
    return cleaned


def _few_short_keys(metadata: dict[str, str]) -> None:
    if len(metadata) > MAX_METADATA_KEYS:
        raise ValueError(f"must have at most {MAX_METADATA_KEYS} keys")
    if any(not key or len(key) > MAX_METADATA_KEY for key in metadata):
        raise ValueError(f"keys must be 1 to {MAX_METADATA_KEY} characters")


def null_as(default: Any) -> BeforeValidator:
    """A null in the body stands for the default."""
    return BeforeValidator(lambda value: default if value is None else value)


StoreName = Annotated[str, AfterValidator(_store_name), shown.text(pattern=f"^[A-Za-z0-9_]{{1,{MAX_STORE_NAME}}}$")]
Description = Annotated[str, AfterValidator(_description), shown.text_of_bytes(MAX_DESCRIPTION_BYTES)]
Instructions = Annotated[str, AfterValidator(_instructions), shown.text(maxLength=MAX_INSTRUCTIONS)]
Query = Annotated[str, AfterValidator(_query), shown.text(pattern=r"\S", maxLength=MAX_QUERY)]
Text = Annotated[str, AfterValidator(clean)]
Role = Annotated[str, _identifier(MAX_ROLE), shown.identifier(MAX_ROLE)]
Speaker = Annotated[str, _identifier(MAX_NAME), AfterValidator(clean), shown.identifier(MAX_NAME)]
MessageId = Annotated[str, _identifier(MAX_MESSAGE_ID), shown.identifier(MAX_MESSAGE_ID)]
Instant = Annotated[str, AfterValidator(_instant), shown.INSTANT]
InstantOrMs = Annotated[int | None, BeforeValidator(_instant_or_ms), shown.INSTANT_OR_MS]
Metadata = Annotated[
    dict[str, str],
    AfterValidator(_metadata),
    null_as({}),
    shown.words_by_name(MAX_METADATA_KEYS, MAX_METADATA_KEY, f"At most {MAX_METADATA_BYTES:,} bytes of JSON."),
]
MetadataFilter = Annotated[
    dict[str, str],
    AfterValidator(_metadata_filter),
    null_as({}),
    shown.words_by_name(MAX_METADATA_KEYS, MAX_METADATA_KEY, "All must be equal.", maxLength=MAX_FILTER_VALUE),
]
Flag = Annotated[bool, null_as(False)]  # noqa: FBT003 - a value, not a switch of the call
ClientToken = Annotated[str, _identifier(MAX_NAME), shown.identifier(MAX_NAME)]
TtlSeconds = Annotated[int, Field(ge=1, le=MAX_TTL_SECONDS)]
Ratio = Annotated[float, Field(ge=0, le=1)]
NextToken = Annotated[str, Field(max_length=MAX_TOKEN)]


class Thresholds(BaseModel):
    """Lower bounds of a hit; both given means both hold."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    min_similarity: Ratio | None = Field(default=None, alias="minSimilarity")
    min_score: Ratio | None = Field(default=None, alias="minScore")
