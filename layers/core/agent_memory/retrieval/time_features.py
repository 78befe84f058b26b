"""How well the time at which something was said fits the times that the question names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.asked_times import AskedTime

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.int64]

NAMES = ("time_near", "time_month", "time_month_after", "time_year")
_DAY_MS = 86_400_000
_YEAR = 12
_NEAR = ((10, 0.3), (4, 0.6), (1, 1.0))  # days off, how near that is


def time_features(created_ms: Numbers, times: Sequence[AskedTime]) -> dict[str, Floats]:
    """0 to 1 each: within days of a date, in the month, in the month after (things are told later), in the year.

    The best of all named times counts; each year fits a date without one.
    """
    import numpy as np

    found = {name: np.zeros(len(created_ms), np.float64) for name in NAMES}
    if not times:
        return found
    days = np.floor_divide(created_ms, _DAY_MS).astype("datetime64[D]")
    months = days.astype("datetime64[M]").astype(np.int64)
    years, month = months // _YEAR + 1970, months % _YEAR + 1
    for time in times:
        for name, value in _fits(time, days, years, month).items():
            np.maximum(found[name], value, out=found[name])
    return found


def _fits(time: AskedTime, days: NDArray[np.datetime64], years: Numbers, month: Numbers) -> dict[str, Floats]:
    import numpy as np

    if time.first is not None and time.last is not None:
        return {"time_near": _near(days, time.first, time.last)}
    right_year = np.ones(len(years), np.bool_) if time.year is None else years == time.year
    if time.month is None:
        return {"time_year": right_year.astype(np.float64)}
    following = np.ones(len(years), np.bool_) if time.year is None else right_year | (years == time.year + 1)
    fits = {
        "time_month": (right_year & (month == time.month)).astype(np.float64),
        "time_month_after": (following & ((month - time.month) % _YEAR == 1)).astype(np.float64),
    }
    if time.day is not None:
        fits["time_near"] = _near_day(time, days, years)
    return fits


def _near_day(time: AskedTime, days: NDArray[np.datetime64], years: Numbers) -> Floats:
    import numpy as np

    found = np.zeros(len(days), np.float64)
    for year in [time.year] if time.year is not None else np.unique(years).tolist():
        day = _day(int(year), time.month or 1, time.day or 1)
        if day is not None:
            np.maximum(found, _near(days, day, day), out=found)
    return found


def _day(year: int, month: int, day: int) -> date | None:
    from datetime import date

    try:
        return date(year, month, day)
    except ValueError:
        return None


def _near(days: NDArray[np.datetime64], first: date, last: date) -> Floats:
    import numpy as np

    numbers = days.astype(np.int64)
    low, high = (int(np.datetime64(end, "D").astype(np.int64)) for end in (first, last))
    off = np.maximum(np.maximum(low - numbers, numbers - high), 0)
    near = np.zeros(len(days), np.float64)
    for most, value in _NEAR:
        near[off <= most] = value
    return near
