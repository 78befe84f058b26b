"""Chinese words for days, weeks, months and years (simplified and traditional), counted from when they were said.

How they are read: weeks run from Monday to Sunday, so 上周三 is the Wednesday of the calendar week before, 下周三 of
the one after; a bare 周三 is left alone, as are 半年前, 几天前, 三四天前. 三天后 counts from the day said only where it
starts a clause or follows a subject or a verb of intent, and nothing in the clause says that it is over; 手术三天后
counts from the surgery.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from agent_memory.dates_in_text import date_spans
from agent_memory.dates_in_text.date_spans import DateSpan
from agent_memory.dates_in_text.numerals_zh import number
from agent_memory.dates_in_text.time_words_zh import PHRASE

_DAYS = (
    dict.fromkeys(("昨天", "昨日", "昨晚", "昨夜", "昨儿"), -1)
    | dict.fromkeys(("今天", "今日", "今晚", "今早", "今晨", "今夜", "今儿"), 0)
    | dict.fromkeys(("明天", "明日", "明晚", "明早"), 1)
    | {"大前天": -3, "前天": -2, "前晚": -2, "后天": 2, "後天": 2, "大后天": 3, "大後天": 3}
)
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2, "後年": 2}
_STEPS = {"上上": -2, "上": -1, "这": 0, "這": 0, "本": 0, "下": 1, "下下": 2}
_UNITS = {"天": "day", "月": "month", "年": "year"}
_WEEKDAYS = "一二三四五六日"

_ROUGHLY = ("约", "約", "概", "近", "多", "差不多", "超过", "不到", "将近", "最近", "快", "过", "過", "每", "前")
_CLAUSE_MARKS = "，。！？；：、,.!?;:\n“”\"'（）() "
_SUBJECT_OR_INTENT = "我你您他她它们們咱就在将將要会會再定是等于於那"
_DONE, _INTENT = re.compile("[了过過]"), re.compile("[要会會将將得]|打算|准备|準備|计划|計劃")
_LOOK_AHEAD = 40  # characters


def find(text: str, said: date) -> Iterator[tuple[int, int, DateSpan]]:
    """Start, end and meaning of each phrase, in order and without overlap."""
    for match in PHRASE.finditer(text):
        span = _meaning(match, said)
        if span is not None:
            yield match.start(), match.end(), span


def _meaning(match: re.Match[str], said: date) -> DateSpan | None:
    if match["day"]:
        return date_spans.day(said, _DAYS[match["day"]])
    if match["week"]:
        return _week(match, said)
    if match["month"]:
        return _month(match, said)
    if match["year"]:
        return _year(match, said)
    return _counted(match, said)


def _week(match: re.Match[str], said: date) -> DateSpan | None:
    step = _STEPS[match["week"]]
    if match["weekday"]:
        return date_spans.weekday_of_week(said, step, _WEEKDAYS.index(match["weekday"].replace("天", "日")))
    return date_spans.weekend(said, step) if match["weekend"] else date_spans.week(said, step)


def _month(match: re.Match[str], said: date) -> DateSpan | None:
    found = date_spans.month(said, _STEPS[match["month"].rstrip("个個一")])
    if found is None or not match["month_day"]:
        return found
    year, month = found.first.split("-")
    return date_spans.on(int(year), int(month), number(match["month_day"]) or 0)


def _year(match: re.Match[str], said: date) -> DateSpan | None:
    year = said.year + _YEARS[match["year"]]
    if not match["year_month"]:
        return date_spans.year_of(year)
    month = number(match["year_month"]) or 0
    if not match["year_day"]:
        return date_spans.month_of(year, month)
    return date_spans.on(year, month, number(match["year_day"]) or 0)


def _counted(match: re.Match[str], said: date) -> DateSpan | None:
    count = number(match["count"])
    before = match.string[max(0, match.start() - 3) : match.start()]
    if count is None or before.endswith(_ROUGHLY):
        return None
    unit = _UNITS.get(match["unit"][-1], "week")
    if match["way"] == "前":
        return date_spans.unit_away(said, -count, unit)
    return date_spans.unit_away(said, count, unit) if _is_from_now(match, before) else None


def _is_from_now(match: re.Match[str], before: str) -> bool:
    rest = re.split(f"[{_CLAUSE_MARKS}]", match.string[match.end() : match.end() + _LOOK_AHEAD], maxsplit=1)[0]
    counts_from_now = not before or before[-1] in _CLAUSE_MARKS + _SUBJECT_OR_INTENT
    return counts_from_now and not (_DONE.search(rest) and not _INTENT.search(rest))
