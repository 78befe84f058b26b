"""When a memory held in the world: until when follows from its own end, or from what took its place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from agent_memory.models import MemoryUnit
from agent_memory.times import parse_rfc3339, to_ms

_LONGEST_DATE = len("2026-11-30")


def held(unit: MemoryUnit) -> tuple[int, int | None]:
    """The first millisecond in which the memory held, and that from which on it did not; None: it still holds.

    A memory without `valid_from` holds since it was said. One that is retired without `valid_to` held until then.
    """
    start = parse_rfc3339(unit.created_at) if unit.valid_from is None else first_ms(unit.valid_from)
    if unit.valid_to is not None:
        return start, first_ms(unit.valid_to)
    return start, parse_rfc3339(unit.retired_at or unit.updated_at) if unit.retired else None


def held_at(unit: MemoryUnit, moment_ms: int) -> bool:
    """Whether the memory had been said by then, and held."""
    start, end = held(unit)
    return max(start, parse_rfc3339(unit.created_at)) <= moment_ms and (end is None or moment_ms < end)


def first_ms(moment: str) -> int:
    """Where a year, month, day or RFC 3339 instant begins. Of a day that its month lacks, so many days later."""
    if len(moment) > _LONGEST_DATE:
        return parse_rfc3339(moment)
    year, month, day = (*(int(part) for part in moment.split("-")), 1, 1)[:3]
    return to_ms(datetime(max(year, 1), month, 1, tzinfo=UTC) + timedelta(days=day - 1))
