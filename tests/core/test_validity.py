"""When a memory held, whatever says so: its own words, or what took its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.models import MemoryUnit
from agent_memory.scopes import Scope
from agent_memory.times import parse_rfc3339
from agent_memory.validity import first_ms, held, held_at

SAID, WRITTEN = "2026-03-01T10:00:00Z", "2026-06-01T10:00:00Z"


def unit(**fields: str) -> MemoryUnit:
    return MemoryUnit(
        id="0" * 32,
        scope=Scope(app_id="shop"),
        unit_type="entity_fact",
        text="我住在杭州",
        search_text="我住在杭州",
        effective_at=SAID,
        time_precision="second",
        time_source="message",
        source_turn_refs=(),
        created_at=SAID,
        updated_at=WRITTEN,
        **fields,
    )


@pytest.mark.parametrize(
    ("fields", "start", "end"),
    [
        ({}, SAID, None),
        ({"valid_from": "2025"}, "2025-01-01T00:00:00Z", None),
        ({"valid_from": "2026-05", "valid_to": "2026-07"}, "2026-05-01T00:00:00Z", "2026-07-01T00:00:00Z"),
        ({"valid_to": "2026-04-03T02:00:00+08:00"}, SAID, "2026-04-02T18:00:00Z"),
        ({"retired_at": "2026-05-05T00:00:00Z"}, SAID, "2026-05-05T00:00:00Z"),
        ({"retired_at": "2026-05-05T00:00:00Z", "valid_to": "2026-04"}, SAID, "2026-04-01T00:00:00Z"),
        ({"superseded_by": "1" * 32}, SAID, WRITTEN),
    ],
)
def test_from_when_until_when(fields: dict[str, str], start: str, end: str | None) -> None:
    """Since it was said, until it was retired, unless the memory itself says otherwise."""
    assert held(unit(**fields)) == (parse_rfc3339(start), None if end is None else parse_rfc3339(end))


@pytest.mark.parametrize(
    ("moment", "holds"),
    [
        ("2026-02-28T00:00:00Z", False),
        ("2026-03-01T10:00:00Z", True),
        ("2026-03-31T23:59:59.999Z", True),
        ("2026-04-01T00:00:00Z", False),
    ],
)
def test_what_was_not_said_yet_did_not_hold(moment: str, holds: bool) -> None:
    """Though it was true already; the end is not part of the time."""
    assert held_at(unit(valid_from="2020", valid_to="2026-04-01"), parse_rfc3339(moment)) == holds


@given(st.integers(0, 9999), st.none() | st.integers(1, 12), st.none() | st.integers(1, 31))
def test_any_part_of_the_calendar_has_a_beginning(year: int, month: int | None, day: int | None) -> None:
    """Also days that their month lacks, as long as they look like one."""
    text = f"{year:04d}" + (f"-{month:02d}" if month else "") + (f"-{day:02d}" if month and day else "")
    whole = first_ms(f"{max(year, 1):04d}-{month or 1:02d}")
    assert first_ms(text) == whole + ((day or 1) - 1 if month else 0) * 86_400_000
