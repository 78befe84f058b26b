"""The days, months, years and weeks that a time phrase can mean, counted from the day on which it was said.

Weeks run from Monday to Sunday. Each function answers None where the calendar (years 1 to 9999) ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from agent_memory.models import TimePrecision

MONDAY, SATURDAY, SUNDAY = 0, 5, 6
_ONE_DAY = timedelta(days=1)
_MONTHS = 12


@dataclass(frozen=True, slots=True)
class DateSpan:
    """`first` as text (YYYY-MM-DD, YYYY-MM or YYYY) with its precision; ranges have a `last` and no precision."""

    first: str
    precision: TimePrecision | None
    last: str | None = None

    def text(self, to: str) -> str:
        """The date, or the range with the word `to` between its ends."""
        return self.first if self.last is None else f"{self.first}{to}{self.last}"


def on(year: int, month: int, day: int) -> DateSpan | None:
    """That day, if the calendar has it."""
    try:
        return DateSpan(date(year, month, day).isoformat(), "day")
    except ValueError:
        return None


def month_of(year: int, month: int) -> DateSpan | None:
    """That month; `month` may lie outside 1 to 12 and then counts into other years."""
    years, index = divmod(month - 1, _MONTHS)
    found = _year(year + years)
    return DateSpan(f"{found}-{index + 1:02d}", "month") if found else None


def year_of(year: int) -> DateSpan | None:
    """That year."""
    found = _year(year)
    return DateSpan(found, "year") if found else None


def _year(year: int) -> str | None:
    return f"{year:04d}" if date.min.year <= year <= date.max.year else None


def day(said: date, days: int) -> DateSpan | None:
    """So many days after the day said."""
    found = _later(said, days)
    return DateSpan(found.isoformat(), "day") if found else None


def month(said: date, months: int) -> DateSpan | None:
    """So many months after the month said."""
    return month_of(said.year, said.month + months)


def year(said: date, years: int) -> DateSpan | None:
    """So many years after the year said."""
    return year_of(said.year + years)


def week(said: date, weeks: int) -> DateSpan | None:
    """The whole week, so many after the week said."""
    return _range(_later(said, 7 * weeks - said.weekday()), MONDAY, SUNDAY)


def weekend(said: date, weeks: int) -> DateSpan | None:
    """Saturday and Sunday of the week so many after the week said.

    On a Monday "this weekend" is the one just over as often as the one to come, so that is left alone.
    """
    if weeks == 0 and said.weekday() == MONDAY:
        return None
    return _range(_later(said, 7 * weeks - said.weekday()), SATURDAY, SUNDAY)


def weekday_of_week(said: date, weeks: int, weekday: int) -> DateSpan | None:
    """One day (0 Monday to 6 Sunday) of the week so many after the week said."""
    return day(said, 7 * weeks - said.weekday() + weekday)


def unit_away(said: date, count: int, unit: str) -> DateSpan | None:
    """`count` units (day, week, month, year) after the day said, as exact as the unit is."""
    return {"day": day, "week": week, "month": month, "year": year}[unit](said, count)


def _later(said: date, days: int) -> date | None:
    try:
        return said + days * _ONE_DAY
    except OverflowError:
        return None


def _range(monday: date | None, first: int, last: int) -> DateSpan | None:
    if monday is None:
        return None
    begin, end = _later(monday, first), _later(monday, last)
    return DateSpan(begin.isoformat(), None, end.isoformat()) if begin and end else None
