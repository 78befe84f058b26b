"""The calendar words of a text as parts that compare across languages: 周三 and "Wednesday" are one.

Nothing is resolved: "yesterday" is a part of its own. Take them out before numbers are read, or "May 5" holds a 5.
"""

from __future__ import annotations

import re

from agent_memory.claims.date_patterns import READERS
from agent_memory.claims.date_readers import Part, Reader

_GAP = " | "
_FIRST_PLACE = 0xE000  # of the private use area: no pattern reads a place as anything
_MOST_PLACES = 0x1000
_PLACE = re.compile("[\ue000-\uefff]")


def take_dates(text: str) -> tuple[frozenset[Part], str]:
    """The parts of all dates of a plain text, and the text with a gap in place of each."""
    parts: set[Part] = set()
    for pattern, read in READERS:
        text = pattern.sub(lambda match, read=read: _taken(match, read, parts), text)  # type: ignore[misc]
    return frozenset(parts), text


def mark_dates(text: str) -> str:
    """The text with its parts in place of each date, as one word between two "@"."""
    marks: list[str] = []
    for pattern, read in READERS:
        text = pattern.sub(lambda match, read=read: _marked(match, read, marks), text)  # type: ignore[misc]
    return _PLACE.sub(lambda match: f" @{marks[ord(match[0]) - _FIRST_PLACE]}@ ", text)


def dates_missing(of: frozenset[Part], within: frozenset[Part]) -> frozenset[Part]:
    """The parts of the one that the other neither has nor leaves open.

    Left open: am or pm beside the same hour, and the year beside the same month.
    """
    names = {name for name, _ in within}
    same = {name for name, _ in of & within}
    loose = set()
    if "time" in same and "half" not in names:
        loose |= {"half", "part"}
    if "month" in same and "year" not in names:
        loose.add("year")
    return frozenset(part for part in of - within if part[0] not in loose)


def _taken(match: re.Match[str], read: Reader, parts: set[Part]) -> str:
    found = [part for part in read(match) if part[1]]
    parts.update(found)
    return _GAP if found else match[0]


def _marked(match: re.Match[str], read: Reader, marks: list[str]) -> str:
    found = sorted("".join(part).replace(" ", "_") for part in read(match) if part[1])
    if not found or len(marks) >= _MOST_PLACES:
        return match[0]
    marks.append("+".join(found))
    return f" {chr(_FIRST_PLACE + len(marks) - 1)} "
