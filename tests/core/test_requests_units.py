"""Requests about stored memories: fields, defaults, the times of an update."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agent_memory.requests.fields import INSTANCE_HEADER, Request
from agent_memory.requests.units import (
    DeleteMemoryRequest,
    GetMemoryHistoryRequest,
    ListMemoriesRequest,
    MemoryRequest,
    UpdateMemoryRequest,
    effective_time,
)
from agent_memory.scopes import ListScope

NAME = {"memoryStoreName": "mem", "memoryId": "a" * 32}
LISTED = "scope limit filter metadata metadataFilter minTimestamp maxTimestamp includeInvalid asOf nextToken"


@pytest.mark.parametrize(
    ("model", "names"),
    [
        (ListMemoriesRequest, LISTED),
        (MemoryRequest, "memoryId scope"),
        (DeleteMemoryRequest, "memoryId scope cascade"),
        (GetMemoryHistoryRequest, "memoryId scope limit nextToken"),
        (
            UpdateMemoryRequest,
            "memoryId scope text metadata title keywords effectiveAt timePrecision expectedVersion",
        ),
    ],
)
def test_the_fields_are_those_of_the_api(model: type[Request], names: str) -> None:
    """No more, no less, in camelCase, beside the instance from the header."""
    fields = {field.alias for field in model.model_fields.values()}
    assert fields == {*names.split(), "memoryStoreName", INSTANCE_HEADER}


def test_null_counts_as_absent() -> None:
    """Where a field may be missing it may be null."""
    fields = dict.fromkeys(LISTED.split())
    request = ListMemoriesRequest.model_validate({"memoryStoreName": "mem", **fields})
    assert request == ListMemoriesRequest.model_validate({"memoryStoreName": "mem"})
    assert (request.limit, set(request.scope.levels)) == (50, {"__default__"})
    update = {"title": "x", **dict.fromkeys(("scope", "text", "metadata", "keywords", "effectiveAt", "timePrecision"))}
    assert UpdateMemoryRequest.model_validate({**NAME, **update}).changes == {"title": "x"}
    assert GetMemoryHistoryRequest.model_validate({**NAME, "limit": None, "nextToken": None}).limit == 50
    assert DeleteMemoryRequest.model_validate({**NAME, "cascade": None, "scope": None}).cascade is None


LEVEL = st.sampled_from([None, "", "*", "a", "租户"])


@given(st.lists(LEVEL, min_size=4, max_size=4), st.sets(st.integers(0, 3)))
def test_levels_of_a_listing(levels: list[str | None], omitted: set[int]) -> None:
    """Empty, null and omitted mean the default before a star and any behind it; a name behind a star is refused."""
    names = ("appId", "tenantId", "agentId", "runId")
    body = {name: level for at, (name, level) in enumerate(zip(names, levels, strict=True)) if at not in omitted}
    expected: list[str] = []
    for name in names:
        starred = "*" in expected
        expected.append(body.get(name) or ("*" if starred else "__default__"))
    star = expected.index("*") if "*" in expected else 4
    try:
        assert list(ListScope.model_validate(body).levels) == expected
    except ValidationError:
        assert set(expected[star:]) != {"*"}
    else:
        assert set(expected[star:]) <= {"*"}


@given(st.dates())
def test_days_months_and_years_are_kept_as_written(day: date) -> None:
    """Every date of the calendar, in each of the three forms."""
    text = day.isoformat()
    for precision, size in (("day", 10), ("month", 7), ("year", 4)):
        assert effective_time(text[:size], precision) == text[:size]


@given(st.datetimes(), st.integers(-23, 23))
def test_seconds_are_kept_in_utc(moment: Any, hours: int) -> None:
    """Whatever the offset."""
    local = moment.replace(microsecond=0)
    try:
        utc = local - timedelta(hours=hours)
    except OverflowError:
        return
    offset = f"{'-' if hours < 0 else '+'}{abs(hours):02d}:00"
    assert effective_time(f"{local.isoformat()}{offset}", "second") == f"{utc.isoformat()}Z"


@given(st.text(max_size=12) | st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", fullmatch=True))
def test_any_text_is_a_time_or_refused(text: str) -> None:
    """Nothing but ValueError comes of it, and what passes reads as it is written."""
    for precision in ("day", "month", "year"):
        try:
            kept = effective_time(text, precision)
        except ValueError as error:
            assert "of the calendar" in str(error)  # noqa: PT017 - both outcomes are right
        else:
            assert kept == text
