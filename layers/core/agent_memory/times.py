"""Instants: read from RFC 3339 text, kept as milliseconds since 1970 UTC, written as RFC 3339 UTC with milliseconds."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST_MS = -62_135_596_800_000  # 0001-01-01, the earliest instant that `datetime` holds
LAST_MS = 253_402_300_799_999  # 9999-12-31

_RFC3339 = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?",
    re.ASCII,
)


def parse_rfc3339(text: str) -> int:
    """Milliseconds since 1970 of an RFC 3339 instant; a text without offset is read as UTC.

    Raises ValueError for anything else, and for instants outside the years 1 to 9999.
    """
    match = _RFC3339.fullmatch(text.strip())
    if match is None:
        raise ValueError("must be an RFC 3339 time such as 2026-11-30T10:00:00Z")
    date, clock, fraction, offset = match.groups()
    zone = "+00:00" if offset in (None, "Z", "z") else offset
    try:
        instant = datetime.fromisoformat(f"{date}T{clock}{zone}").astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError("is not a day and time of the calendar (years 1 to 9999)") from error
    return to_ms(instant) + int((fraction or ".0")[1:4].ljust(3, "0"))


def offset_minutes(text: str) -> int:
    """How far the clock of an RFC 3339 instant is before UTC, 480 for +08:00; 0 for a text without offset."""
    offset = text.strip()[-6:]
    if offset[:1] not in ("+", "-") or offset[3:4] != ":":
        return 0
    minutes = 60 * int(offset[1:3]) + int(offset[4:])
    return -minutes if offset[0] == "-" else minutes


def later(one: int | None, other: int | None) -> int | None:
    """The later of two ends; None is no end, and so later than any."""
    return None if one is None or other is None else max(one, other)


def to_ms(instant: datetime) -> int:
    """Milliseconds since 1970 of an aware datetime."""
    return (instant - EPOCH) // timedelta(milliseconds=1)


def from_ms(milliseconds: int) -> datetime:
    """The aware UTC datetime of milliseconds since 1970."""
    return EPOCH + timedelta(milliseconds=milliseconds)


def format_ms(milliseconds: int) -> str:
    """`2026-11-30T10:00:00.000Z`."""
    instant = from_ms(milliseconds)
    return f"{instant.year:04d}-{instant:%m-%dT%H:%M:%S}.{instant.microsecond // 1000:03d}Z"


def format_seconds(milliseconds: int) -> str:
    """`2026-11-30T10:00:00Z`."""
    return format_ms(milliseconds)[:-5] + "Z"
