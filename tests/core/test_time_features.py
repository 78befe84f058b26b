"""How well the time of a memory fits the times that a question names."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.retrieval.asked_times import AskedTime
from agent_memory.retrieval.time_features import NAMES, time_features
from agent_memory.times import FIRST_MS, LAST_MS, parse_rfc3339


def found(said: list[str], *times: AskedTime) -> dict[str, list[float]]:
    """The features that are not 0 everywhere."""
    moments = np.array([parse_rfc3339(f"{day}T12:00:00Z") for day in said], np.int64)
    features = {name: values.tolist() for name, values in time_features(moments, times).items()}
    assert set(features) == set(NAMES)
    return {name: values for name, values in features.items() if any(values)}


def test_nothing_asked_nothing_found() -> None:
    """All features, all 0."""
    assert found(["2023-05-07"]) == {}


def test_near_a_day() -> None:
    """A day off is as good as none, four days a little worse, ten days worse again."""
    days = ["2023-05-07", "2023-05-06", "2023-05-09", "2023-05-11", "2023-05-12", "2023-05-17", "2023-05-18"]
    features = found(days, AskedTime(2023, 5, 7))
    assert features["time_near"] == [1, 1, 0.6, 0.6, 0.3, 0.3, 0]
    assert features["time_month"] == [1] * 7


def test_a_range_is_near_from_end_to_end() -> None:
    """Within it fully; a range says nothing of months."""
    features = found(
        ["2023-04-30", "2023-05-03", "2023-05-08", "2023-05-18"],
        AskedTime(first=date(2023, 5, 1), last=date(2023, 5, 7)),
    )
    assert features == {"time_near": [1, 1, 1, 0]}


def test_months_with_and_without_a_year() -> None:
    """Without a year each one fits; the month after gets its own feature, over the end of a year too."""
    days = ["2022-12-31", "2023-01-01", "2022-01-10", "2021-12-05", "2023-02-01"]
    assert found(days, AskedTime(2022, 12)) == {"time_month": [1, 0, 0, 0, 0], "time_month_after": [0, 1, 1, 0, 0]}
    assert found(days, AskedTime(None, 12)) == {"time_month": [1, 0, 0, 1, 0], "time_month_after": [0, 1, 1, 0, 0]}


def test_years() -> None:
    """Named alone."""
    assert found(["2022-12-31", "2023-01-01"], AskedTime(2023)) == {"time_year": [0, 1]}


def test_a_day_of_any_year() -> None:
    """In every year in which there is something; 29 February only where the calendar has it."""
    days = ["2020-05-07", "2023-05-08", "2023-06-30", "2024-02-29"]
    assert found(days, AskedTime(None, 5, 7))["time_near"] == [1, 1, 0, 0]
    assert found(days, AskedTime(None, 2, 29))["time_near"] == [0, 0, 0, 1]


@pytest.mark.parametrize("time", [AskedTime(2023, 2, 30), AskedTime(None, 2, 31), AskedTime(2023, 2, 29)])
def test_a_day_that_no_calendar_has(time: AskedTime) -> None:
    """Its month counts, and nothing is near it."""
    assert found(["2023-02-28", "2023-03-01"], time) == {"time_month": [1, 0], "time_month_after": [0, 1]}


def test_the_best_of_several_times_counts() -> None:
    """Feature by feature."""
    features = found(["2023-05-07", "2022-01-01"], AskedTime(2022), AskedTime(2023, 5, 10), AskedTime(2023, 5, 8))
    assert features["time_near"] == [1, 0]
    assert features["time_year"] == [0, 1]


def test_times_before_1970() -> None:
    """Months are those of the calendar there as well."""
    assert found(["1969-12-31", "1970-01-01"], AskedTime(1969, 12))["time_month"] == [1, 0]
    assert found(["0001-01-01", "9999-12-31"], AskedTime(None, 1, 1))["time_near"] == [1, 0]


DATES = st.dates(date(1, 1, 1), date(9999, 12, 31))
TIMES = st.builds(
    AskedTime, st.none() | st.integers(1, 9999), st.integers(1, 12), st.none() | st.integers(1, 31)
) | st.tuples(DATES, DATES).map(lambda ends: AskedTime(first=min(ends), last=max(ends)))


@given(st.lists(st.integers(FIRST_MS, LAST_MS), max_size=8), st.lists(TIMES, max_size=4))
def test_any_time_fits_more_or_less(moments: list[int], times: list[AskedTime]) -> None:
    """0 to 1, one for each memory; more named times never make a memory fit less."""
    created = np.array(moments, np.int64)
    whole, part = time_features(created, times), time_features(created, times[:1])
    for name in NAMES:
        assert len(whole[name]) == len(moments)
        assert ((whole[name] >= part[name]) & (whole[name] <= 1) & (part[name] >= 0)).all()
