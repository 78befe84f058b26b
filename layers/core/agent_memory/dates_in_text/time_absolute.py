"""Dates that a text spells out: ISO, English and Chinese, with or without a year, and years alone.

A date without a year (March 5, 3月5日) is that of the year which brings it within 92 days of the day said; farther ones
are left alone, for they may mean either year. "05/03/2026" is left alone too: day and month can't be told apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from agent_memory.dates_in_text import date_spans
from agent_memory.dates_in_text.date_spans import DateSpan
from agent_memory.dates_in_text.numerals_zh import DIGITS, number
from agent_memory.dates_in_text.time_phrases_en import MONTHS

_MONTH = "|".join(f"{name}|{name[:3]}[.]?" for name in MONTHS) + "|sept[.]?"
_DAY = r"(?P<{0}>\d{{1,2}})(?:st|nd|rd|th)?"
_DATE = re.compile(
    r"(?<![\w./-])(?:"
    r"(?P<y>\d{4})(?P<mark>[-/])(?P<m>\d{1,2})(?P=mark)(?P<d>\d{1,2})(?![\d/-])"
    rf"|{_DAY.format('d1')}[ ]+(?:of[ ]+)?(?P<m1>{_MONTH}),?[ ]+(?P<y1>\d{{4}})(?!\w)"
    rf"|(?P<m2>{_MONTH})[ ]+{_DAY.format('d2')},?[ ]+(?P<y2>\d{{4}})(?!\w)"
    rf"|(?P<m3>{_MONTH}),?[ ]+(?:of[ ]+)?(?P<y3>\d{{4}})(?!\w))",
    re.IGNORECASE | re.ASCII,
)
_DATE_ZH = re.compile(
    r"(?<!\d)(?:(?P<year>\d{4})[ ]*年[ ]*)?"
    rf"(?<![\d{DIGITS}个個])(?P<month>\d{{1,2}}|十[一二]?|[一二三四五六七八九])[ ]*月"
    rf"(?:[ ]*(?P<day>\d{{1,2}}|[{DIGITS}]{{1,3}})[ ]*[日号號])?"
)
_NAME = "|".join(f"{name.title()}|{name[:3].title()}[.]?" for name in MONTHS) + "|Sept[.]?"
_UNDATED = re.compile(
    rf"(?<![\w./-])(?:(?P<m1>{_NAME})[ ]+{_DAY.format('d1')}(?![\w:]|[.,]?[ ]*\d|[ ]+(?:miles?|km|times?|people)\b)"
    rf"|{_DAY.format('d2')}[ ]+(?:of[ ]+)?(?P<m2>{_NAME})(?!\w|,?[ ]*\d))",
    re.ASCII,
)
_YEAR = re.compile(
    r"\b(?:in|since|during|back in|until|before|after)[ ]+(?P<en>(?:19|20)\d\d)(?![\w-]|[.,:/]\d)"
    r"|(?<!\d)(?P<zh>(?:19|20)\d\d)[ ]*年(?![ ]*[\d一二三四五六七八九十]+[ ]*月|[前后代级度])",
    re.IGNORECASE,
)
_NEAR_DAYS = 92


def find(text: str, said: date) -> Iterator[tuple[int, int, DateSpan]]:
    """Start, end and meaning of each date of the calendar; each language in its own order."""
    for match in _DATE.finditer(text):
        span = _english(match)
        if span is not None:
            yield match.start(), match.end(), span
    for match in _UNDATED.finditer(text):
        span = _nearest(said, _month_of(match["m1"] or match["m2"]), int(match["d1"] or match["d2"]))
        if span is not None:
            yield match.start(), match.end(), span
    for match in _YEAR.finditer(text):
        span = date_spans.year_of(int(match["en"] or match["zh"]))
        if span is not None:
            yield match.start("en" if match["en"] else "zh"), match.end(), span
    for match in _DATE_ZH.finditer(text):
        span = _chinese(match, said)
        if span is not None:
            yield match.start(), match.end(), span


def _english(match: re.Match[str]) -> DateSpan | None:
    if match["y"]:
        return date_spans.on(int(match["y"]), int(match["m"]), int(match["d"]))
    name = match["m1"] or match["m2"] or match["m3"]
    year = int(match["y1"] or match["y2"] or match["y3"])
    month = _month_of(name)
    day = match["d1"] or match["d2"]
    return date_spans.on(year, month, int(day)) if day else date_spans.month_of(year, month)


def _month_of(name: str) -> int:
    return next(index for index, full in enumerate(MONTHS, 1) if full.startswith(name[:3].casefold()))


def _chinese(match: re.Match[str], said: date) -> DateSpan | None:
    month = number(match["month"]) or 0
    day = number(match["day"]) if match["day"] else None
    if match["year"] and 1 <= month <= len(MONTHS):
        year = int(match["year"])
        return date_spans.on(year, month, day) if day else date_spans.month_of(year, month)
    return _nearest(said, month, day) if day else None


def _nearest(said: date, month: int, day: int) -> DateSpan | None:
    for year in (said.year, said.year - 1, said.year + 1):
        found = date_spans.on(year, month, day)
        if found and abs((date.fromisoformat(found.first) - said).days) <= _NEAR_DAYS:
            return found
    return None
