"""When the things a text tells happened: phrases resolved against the time at which it was said (UTC)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent_memory.dates_in_text import time_absolute, time_phrases_en, time_phrases_zh
from agent_memory.models import TimePrecision
from agent_memory.times import FIRST_MS, LAST_MS, from_ms

_IDEOGRAPH = re.compile("[\u3400-\u9fff]")
_QUOTED_LINE = re.compile(r"^[ \t]{0,3}>.*$", re.MULTILINE)
_DATED = re.compile(r"\s*[(（]\d{4}")


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """`text[start:end]` means `date`: YYYY-MM-DD, YYYY-MM, YYYY as `precision` says, or a range without precision.

    A relative phrase (yesterday, 上周) reads wrongly later on, so its date belongs into the text.
    """

    start: int
    end: int
    date: str
    precision: TimePrecision | None
    relative: bool


def resolve(text: str, said_at_ms: int) -> list[TimePhrase]:
    """The phrases of the text in order, without overlap; none for a time outside the years 1 to 9999.

    Lines quoted with `>` are left out: nobody knows when they were said.
    """
    if not FIRST_MS <= said_at_ms <= LAST_MS:
        return []
    quoted = [match.span() for match in _QUOTED_LINE.finditer(text)]
    phrases: list[TimePhrase] = []
    for phrase in sorted(_all(text, said_at_ms), key=lambda found: (found.start, -found.end)):
        overlaps = bool(phrases) and phrase.start < phrases[-1].end
        if not overlaps and not any(start <= phrase.start < end for start, end in quoted):
            phrases.append(phrase)
    return phrases


def annotate(text: str, phrases: list[TimePhrase]) -> str:
    """The text with the date in brackets right behind each relative phrase that has none there yet."""
    pieces, done = [], 0
    for phrase in phrases:
        if phrase.relative and not _DATED.match(text, phrase.end):
            space = "" if _IDEOGRAPH.match(text, phrase.end - 1) else " "
            pieces += [text[done : phrase.end], f"{space}({phrase.date})"]
            done = phrase.end
    return "".join([*pieces, text[done:]])


def _all(text: str, said_at_ms: int) -> Iterator[TimePhrase]:
    said = from_ms(said_at_ms).date()
    for start, end, span in time_phrases_en.find(text, said):
        yield TimePhrase(start, end, span.text(" to "), span.precision, relative=True)
    for start, end, span in time_absolute.find(text, said):
        yield TimePhrase(start, end, span.text(" to "), span.precision, relative=False)
    if _IDEOGRAPH.search(text):
        for start, end, span in time_phrases_zh.find(text, said):
            yield TimePhrase(start, end, span.text("至"), span.precision, relative=True)
