"""Field types of the lines, with their limits. Nothing is repaired: a line is taken as it is, or refused.

Limits are those of AddMemories, three times as long where what is stored went through NFC, which may lengthen a text so
much (Unicode Standard Annex 15, "Stability of Normalized Forms").
"""

from __future__ import annotations

import json
import math
import re
import struct
from base64 import b64decode, b64encode
from typing import Annotated

from pydantic import AfterValidator, Field

from agent_memory.models import MAX_METADATA_BYTES, MAX_METADATA_KEYS
from agent_memory.requests.fields import MAX_ADD_BYTES, MAX_METADATA_KEY, MAX_NAME, Instant
from agent_memory.text import clean, has_control_characters, utf8_size
from agent_memory.times import parse_rfc3339

LONGER = 3
MAX_CONTENT_BYTES = LONGER * MAX_ADD_BYTES
MAX_UNIT_TEXT_BYTES = MAX_CONTENT_BYTES + 8_192  # the speaker's name and resolved dates stand in it too
MAX_DIMENSIONS = 4_096
MAX_COUNT = 2**53
MAX_VERSION = 10_000_000  # keys of earlier versions have eight digits: there is room for many more

_LOG_KEY = re.compile(r"at/\d{15}/\d{15}[^/]{0,40}/[0-9a-f]{32}", re.ASCII)
_UNIT_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
_PART_OF_CALENDAR = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?", re.ASCII)


def _plain(text: str) -> str:
    """Without control characters but newline and tab, as `clean` leaves every text."""
    if has_control_characters(text.replace("\n", "").replace("\t", "")):
        raise ValueError("must not contain control characters")
    return text


def _cleaned(text: str) -> str:
    if clean(text) != text:
        raise ValueError("must be NFC text without control characters")
    return text


def _of_bytes(limit: int) -> AfterValidator:
    def check(text: str) -> str:
        if utf8_size(text) > limit:
            raise ValueError(f"must be at most {limit} bytes of UTF-8")
        return text

    return AfterValidator(check)


def _like(pattern: re.Pattern[str], words: str) -> AfterValidator:
    def check(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError(f"must be {words}")
        return text

    return AfterValidator(check)


def _metadata(metadata: dict[str, str]) -> dict[str, str]:
    if len(metadata) > MAX_METADATA_KEYS:
        raise ValueError(f"must have at most {MAX_METADATA_KEYS} keys")
    if any(not key or len(key) > LONGER * MAX_METADATA_KEY for key in metadata):
        raise ValueError(f"keys must be 1 to {LONGER * MAX_METADATA_KEY} characters")
    if utf8_size(json.dumps(metadata, ensure_ascii=False)) > MAX_METADATA_BYTES:
        raise ValueError(f"must be at most {MAX_METADATA_BYTES} bytes of JSON")
    for text in (*metadata, *metadata.values()):
        _cleaned(text)
    return metadata


def _moment(text: str) -> str:
    """A year, month, day or instant."""
    if not _PART_OF_CALENDAR.fullmatch(text):
        parse_rfc3339(text)
    return text


def unpack(text: str) -> bytes:
    """The float16 numbers, packed, of base64; ValueError where it holds something else."""
    try:
        packed = b64decode(text, validate=True)
        numbers = struct.unpack(f"<{len(packed) // 2}e", packed)
    except (ValueError, struct.error) as error:
        raise ValueError("must be base64 of little-endian float16") from error
    if not 0 < len(numbers) <= MAX_DIMENSIONS or not all(map(math.isfinite, numbers)) or not any(numbers):
        raise ValueError(f"must be 1 to {MAX_DIMENSIONS} finite numbers, not all of them zero")
    return packed


def pack(packed: bytes) -> str:
    """The text that `unpack` reads."""
    return b64encode(packed).decode("ascii")


def _vector(text: str) -> str:
    unpack(text)
    return text


Content = Annotated[str, AfterValidator(_cleaned), _of_bytes(MAX_CONTENT_BYTES)]
UnitText = Annotated[str, AfterValidator(_plain), _of_bytes(MAX_UNIT_TEXT_BYTES)]
Word = Annotated[str, Field(min_length=1, max_length=LONGER * MAX_NAME), AfterValidator(_plain)]
Name = Annotated[str, Field(min_length=1, max_length=LONGER * MAX_NAME), AfterValidator(_cleaned)]
Metadata = Annotated[dict[str, str], AfterValidator(_metadata)]
LogKey = Annotated[str, _like(_LOG_KEY, "the sort key of a message")]
UnitId = Annotated[str, _like(_UNIT_ID, "32 hexadecimal digits")]
Time = Instant
Moment = Annotated[str, AfterValidator(_moment)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=MAX_COUNT)]
Version = Annotated[int, Field(ge=1, le=MAX_VERSION)]
Packed = Annotated[str, Field(max_length=3 * MAX_DIMENSIONS), AfterValidator(_vector)]
