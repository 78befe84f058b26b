"""The times that a question speaks of: exact dates, months, years, and phrases such as "last week" or 上周.

They lift what was said then a little and exclude nothing, so a phrase that is read wrongly or not at all costs little.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from agent_memory.dates_in_text.numerals_zh import DIGITS, number
from agent_memory.dates_in_text.time_phrases import TimePhrase, resolve
from agent_memory.dates_in_text.time_phrases_en import MONTHS
from agent_memory.times import FIRST_MS, LAST_MS

_MONTH = "|".join(f"{name}|{name[:3]}(?=[ .])" for name in MONTHS) + "|sept(?=[ .])"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
# May and March are words too: they need a preposition before them or a number behind.
_ENGLISH = re.compile(
    rf"(?:\b{_DAY}[ ]+(?:of[ ]+)?"
    r"|\b(in|of|on|since|until|by|before|after|during|last|next|this|early|late|mid)[ -]+|\b)"
    rf"({_MONTH})\b[.]?(?:[ ]+{_DAY}\b)?(?:,?[ ]+(?:of[ ]+)?((?:19|20)\d\d)\b)?",
    re.IGNORECASE,
)
_AMBIGUOUS = ("may", "mar")
_CHINESE = re.compile(
    rf"(?:((?:19|20)\d\d)[ ]*年[ ]*)?(?<![\d{DIGITS}个個])(\d{{1,2}}|十[一二]?|[一二三四五六七八九])[ ]*月份?"
    rf"(?:[ ]*(\d{{1,2}}|[{DIGITS}]{{1,3}})[ ]*[日号號])?"
)
_YEAR = re.compile(r"(?<![\d/.-])((?:19|20)\d\d)(?:[ ]*年)?(?![\d/.-])")


@dataclass(frozen=True, slots=True)
class AskedTime:
    """A time as far as the question gives it: a date with or without its year, or the days from `first` to `last`."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    first: date | None = None
    last: date | None = None


def asked_times(question: str, now_ms: int) -> tuple[AskedTime, ...]:
    """What the question names; "last week" counts from `now_ms`. A year counts only where nothing closer is named."""
    question = unicodedata.normalize("NFKC", question)  # digits of full width
    phrases = _phrases(question, now_ms) if FIRST_MS <= now_ms <= LAST_MS else []
    found = list(filter(None, map(_of_phrase, phrases)))
    rest = _blanked(question, phrases)
    found += _dates(rest)
    if not found:
        found = [AskedTime(year=int(match[1])) for match in _YEAR.finditer(rest)]
    return tuple(dict.fromkeys(found))


def _phrases(text: str, now_ms: int) -> list[TimePhrase]:
    """Without dates of which only the nearest year is meant in a memory: a question may be about any."""
    return [each for each in resolve(text, now_ms) if each.relative or each.date[:4] in text[each.start : each.end]]


def _blanked(text: str, phrases: list[TimePhrase]) -> str:
    for phrase in phrases:
        text = text[: phrase.start] + " " * (phrase.end - phrase.start) + text[phrase.end :]
    return text


def _of_phrase(phrase: TimePhrase) -> AskedTime | None:
    days = re.findall(r"\d{4}-\d\d-\d\d", phrase.date)
    if phrase.precision is None:
        return AskedTime(first=date.fromisoformat(days[0]), last=date.fromisoformat(days[-1])) if days else None
    year, month, day = (*map(int, phrase.date.split("-")), None, None)[:3]
    return AskedTime(year, month, day)


def _dates(text: str) -> Iterator[AskedTime]:
    for match in _ENGLISH.finditer(text):
        before, lead, name, behind, year = match.groups()
        if name[:3].casefold() in _AMBIGUOUS and not (before or lead or behind or year):
            continue
        month = next(place for place, full in enumerate(MONTHS, 1) if full.startswith(name[:3].casefold()))
        yield from _valid(year, month, int(behind or before or 0))
    for match in _CHINESE.finditer(text):
        yield from _valid(match[1], number(match[2]) or 0, number(match[3] or "") or 0)


def _valid(year: str | None, month: int, day: int) -> Iterator[AskedTime]:
    if 1 <= month <= len(MONTHS):
        known = day if 1 <= day <= 31 else None  # noqa: PLR2004 - the longest month
        yield AskedTime(int(year) if year else None, month, known)
