"""English words for days, weeks, months and years, counted from when they were said.

How the ambiguous ones are read. "last Friday": the latest Friday before the day said. "this Friday": the first Friday
from the day said on. "next Friday": the Friday of the following week (Monday to Sunday). "last May", "next May": the
nearest one before or after the month said; "this May": of the same year. "two weeks ago": that whole week. A bare
weekday, "in May", "the last year", "a couple of days ago" and "about two weeks ago" are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from agent_memory.dates_in_text import date_spans
from agent_memory.dates_in_text.date_spans import DateSpan

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = rf"(?P<count>\d{{1,3}}|an?|{'|'.join(_NUMBERS)}|twenty|thirty)"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_PART = r"(?:[ ]+(?:early[ ]+|late[ ]+)?(?:morning|afternoon|evening|night))?"
_W = r"\w\u00c0-\u024f"  # Latin only: in "我today去" the word stands alone
_PHRASE = re.compile(
    rf"(?<![{_W}@#/+–-])(?<![{_W}][.,'’])(?:"
    rf"(?P<before>the[ ]+day[ ]+before[ ]+yesterday){_PART}"
    rf"|(?P<after>the[ ]+day[ ]+after[ ]+tomorrow){_PART}"
    rf"|(?P<word>today|tonight|yesterday|tomorrow|last[ ]+night|this[ ]+(?:morning|afternoon|evening)){_PART}"
    rf"|{_NUMBER}[ ]+{_UNIT}[ ]+(?P<way>ago|from[ ]+(?:now|today))"
    rf"|in[ ]+(?P<in_count>\d{{1,3}}|an?|{'|'.join(_NUMBERS)}|twenty|thirty)[ ]+(?P<in_unit>day|week|month|year)s?"
    rf"|(?P<which>last|this|next)[ ]+(?:(?P<period>week|month|year|weekend)|(?P<weekday>{'|'.join(WEEKDAYS)}){_PART}"
    rf"|(?P<month>{'|'.join(MONTHS)}))"
    rf")(?:['’]s)?(?![{_W}@]|[-.’'/][{_W}])",
    re.IGNORECASE | re.ASCII,
)
_WORDS = {"yesterday": -1, "last night": -1, "tomorrow": 1}
_STEPS = {"last": -1, "this": 0, "next": 1}
_WORD_BEFORE = re.compile(r"([\w’']+)[ ]+\Z")
_LOOK_BACK = 60  # characters that may change what a phrase means
_OTHER_SENSE = re.compile(r"[ ]+(?:of|or|before|after)\b", re.IGNORECASE)
_OWNERS = frozenset({"the", "my", "your", "his", "her", "its", "our", "their", "every", "each", "this", "very"})
_ROUGHLY = frozenset(
    {"about", "around", "over", "under", "almost", "nearly", "roughly", "approximately", "than", "least"}
    | {"most", "maybe", "or", "to", "and", "like", "some", "every", "other", "past", "first"}
)
_FUTURE = re.compile(
    r"\b(?:will|won['’]t|shall|going[ ]+to|gonna)\b[^.!?]*\Z|['’]ll\b[^.!?]*\Z"
    r"|\b(?:is|are|am|starts?|begins?|opens?|leaves?|arrives?|due|up|back|leaving|moving|coming|starting|ending)[ ]+\Z",
    re.IGNORECASE | re.ASCII,
)


def find(text: str, said: date) -> Iterator[tuple[int, int, DateSpan]]:
    """Start, end and meaning of each phrase, in order and without overlap."""
    for match in _PHRASE.finditer(text):
        span = _meaning(match, said)
        if span is not None:
            yield match.start(), match.end(), span


def _meaning(match: re.Match[str], said: date) -> DateSpan | None:
    if match["which"]:
        return _named(match, said)
    if match["count"] or match["in_count"]:
        return _counted(match, said)
    if match["before"] or match["after"]:
        return date_spans.day(said, -2 if match["before"] else 2)
    return date_spans.day(said, _WORDS.get(" ".join(match["word"].casefold().split()), 0))


def _named(match: re.Match[str], said: date) -> DateSpan | None:
    """last, this, next with a period, a weekday or a month."""
    if _word_before(match) in _OWNERS or _OTHER_SENSE.match(match.string, match.end()):
        return None
    step = _STEPS[match["which"].casefold()]
    if match["period"]:
        period = match["period"].casefold()
        return date_spans.weekend(said, step) if period == "weekend" else date_spans.unit_away(said, step, period)
    if match["weekday"]:
        return _weekday(said, step, WEEKDAYS.index(match["weekday"].casefold()))
    name = match["month"]
    if not name[0].isupper():  # "last may be", "next march"
        return None
    number = MONTHS.index(name.casefold()) + 1
    if step < 0:
        return date_spans.month_of(said.year if number < said.month else said.year - 1, number)
    return date_spans.month_of(said.year + 1 if step and number <= said.month else said.year, number)


def _weekday(said: date, step: int, weekday: int) -> DateSpan | None:
    ahead = (weekday - said.weekday()) % 7
    if step < 0:
        return date_spans.day(said, ahead - 7)
    return date_spans.weekday_of_week(said, 1, weekday) if step else date_spans.day(said, ahead)


def _counted(match: re.Match[str], said: date) -> DateSpan | None:
    """N units ago, from now, or in N units; the last only where the words before speak of the future."""
    if _word_before(match) in _ROUGHLY:
        return None
    if match["in_count"] and not _FUTURE.search(match.string[max(0, match.start() - _LOOK_BACK) : match.start()]):
        return None
    count = _number((match["count"] or match["in_count"]).casefold())
    unit = (match["unit"] or match["in_unit"]).casefold()
    return date_spans.unit_away(said, -count if (match["way"] or "").casefold() == "ago" else count, unit)


def _number(word: str) -> int:
    if word.isdigit():
        return int(word)
    return {"a": 1, "an": 1, "twenty": 20, "thirty": 30}.get(word) or _NUMBERS.index(word) + 1


def _word_before(match: re.Match[str]) -> str:
    found = _WORD_BEFORE.search(match.string, max(0, match.start() - _LOOK_BACK), match.start())
    return found.group(1).casefold() if found else ""
