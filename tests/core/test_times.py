"""Instants: RFC 3339 in, milliseconds inside, RFC 3339 out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.times import (
    FIRST_MS,
    LAST_MS,
    format_ms,
    format_seconds,
    from_ms,
    offset_minutes,
    parse_rfc3339,
    to_ms,
)

MILLISECONDS = st.integers(FIRST_MS, LAST_MS)


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-11-30T10:00:00Z", 1_796_032_800_000),
        ("2026-11-30t10:00:00z", 1_796_032_800_000),
        ("2026-11-30 10:00:00", 1_796_032_800_000),
        ("  2026-11-30T10:00:00Z\n", 1_796_032_800_000),
        ("2026-11-30T18:00:00+08:00", 1_796_032_800_000),
        ("2026-11-30T04:30:00-05:30", 1_796_032_800_000),
        ("2026-11-30T10:00:00-00:00", 1_796_032_800_000),
        ("2026-11-30T10:00:00.5Z", 1_796_032_800_500),
        ("2026-11-30T10:00:00.1239999Z", 1_796_032_800_123),
        ("1969-12-31T23:59:59.999Z", -1),
        ("0001-01-01T00:00:00Z", FIRST_MS),
        ("9999-12-31T23:59:59.999999Z", LAST_MS),
        ("2024-02-29T00:00:00Z", 1_709_164_800_000),
    ],
)
def test_instants_are_read(text: str, milliseconds: int) -> None:
    """Offsets are applied, a text without one is UTC, digits behind the millisecond are cut."""
    assert parse_rfc3339(text) == milliseconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "昨天",
        "2026-11-30",
        "2026-11-30T10:00Z",
        "2026-11-30T10:00:00.Z",
        "2026-11-30T10:00:00+0800",
        "2026-11-30T10:00:00 Z",
        "２０２６-11-30T10:00:00Z",
        "1796032800000",
        "2026-02-30T10:00:00Z",
        "2026-13-01T10:00:00Z",
        "2023-02-29T00:00:00Z",
        "2026-11-30T25:00:00Z",
        "2026-11-30T10:60:00Z",
        "2026-11-30T10:00:00+24:00",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "2026-11-30T10:00:00Z\x00",
    ],
)
def test_everything_else_is_a_value_error(text: str) -> None:
    """Other formats, days that no calendar has and years outside 1 to 9999 are refused."""
    with pytest.raises(ValueError, match=r"^(must be|is not)"):
        parse_rfc3339(text)


def test_the_minutes_of_an_offset_end_at_59() -> None:
    """RFC 3339 gives time-numoffset the minutes of a clock."""
    with pytest.raises(ValueError, match="must be"):
        parse_rfc3339("2026-11-30T10:00:00+05:60")


@settings(deadline=None)
@given(st.text(max_size=40))
def test_no_text_raises_anything_but_value_error(text: str) -> None:
    """Whatever the text is, it is an instant or a ValueError."""
    try:
        assert FIRST_MS <= parse_rfc3339(text) <= LAST_MS
    except ValueError as error:
        assert str(error)  # noqa: PT017 - both outcomes are right


@settings(deadline=None)
@given(MILLISECONDS)
def test_what_is_written_is_read_back(milliseconds: int) -> None:
    """Formatting loses nothing, over all years."""
    assert parse_rfc3339(format_ms(milliseconds)) == milliseconds
    assert to_ms(from_ms(milliseconds)) == milliseconds


@settings(deadline=None)
@given(MILLISECONDS, MILLISECONDS)
def test_written_instants_sort_as_instants(one: int, other: int) -> None:
    """The text has a fixed width, so comparing texts compares times."""
    assert (format_ms(one) < format_ms(other)) == (one < other)


def test_the_two_written_forms() -> None:
    """Milliseconds always, or seconds only, cut and not rounded."""
    assert format_ms(1_796_032_800_007) == "2026-11-30T10:00:00.007Z"
    assert format_seconds(1_796_032_800_999) == "2026-11-30T10:00:00Z"
    assert format_ms(FIRST_MS) == "0001-01-01T00:00:00.000Z"


def test_aware_datetimes_of_any_zone_become_milliseconds() -> None:
    """Shanghai's ten o'clock is two o'clock UTC."""
    shanghai = timezone(timedelta(hours=8))
    assert to_ms(datetime(2026, 11, 30, 10, tzinfo=shanghai)) == to_ms(datetime(2026, 11, 30, 2, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("2026-11-30T10:00:00+08:00", 480),
        ("2026-11-30T10:00:00-03:30", -210),
        ("2026-11-30T10:00:00.123+00:00", 0),
        ("2026-11-30T10:00:00Z", 0),
        ("2026-11-30T10:00:00", 0),
        ("2026-11-30 10:00:00 ", 0),
        ("", 0),
    ],
)
def test_the_offset_of_an_instant_is_in_minutes(text, minutes):
    """None is UTC's."""
    assert offset_minutes(text) == minutes
