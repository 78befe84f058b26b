"""All that is compared of a text, read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from agent_memory.claims.date_readers import Part
from agent_memory.claims.dates import dates_missing, take_dates
from agent_memory.claims.names import Name, is_person, names, names_missing, subject, words_of
from agent_memory.claims.numbers import Number, numbers, numbers_missing
from agent_memory.claims.plain import expanded, plain
from agent_memory.claims.polarity import Polarities, opposed, polarities

_KEPT = 2_048
LONGEST_KEPT = 512
"""Characters of a text whose reading is kept: memories are compared again and again, messages are not."""


@dataclass(frozen=True, slots=True)
class Reading:
    """`plain` is the text in one spelling, `undated` the same without calendar words."""

    plain: str
    undated: str
    dates: frozenset[Part]
    numbers: frozenset[Number]
    names: frozenset[Name]
    subject: str | None
    polarities: Polarities


def read(text: str) -> Reading:
    """The reading of a text in either language."""
    return _read_again(text) if len(text) <= LONGEST_KEPT else _read(text)


@lru_cache(maxsize=_KEPT)
def _read_again(text: str) -> Reading:
    return _read(text)


def _read(text: str) -> Reading:
    spelled = expanded(plain(text))
    dates, undated = take_dates(spelled)
    return Reading(
        plain=spelled,
        undated=undated,
        dates=dates,
        numbers=numbers(undated),
        names=names(undated),
        subject=subject(spelled),
        polarities=polarities(undated),
    )


def differing(one: Reading, other: Reading) -> tuple[str, ...]:
    """In which of "polarity", "number", "date" and "name" the two differ, in that order."""
    found = {
        "polarity": opposed(one.polarities, other.polarities),
        "number": bool(numbers_missing(one.numbers, other.numbers) or numbers_missing(other.numbers, one.numbers)),
        "date": bool(dates_missing(one.dates, other.dates) or dates_missing(other.dates, one.dates)),
        "name": _names_differ(one, other) or _names_differ(other, one) or _subjects_differ(one, other),
    }
    return tuple(name for name, holds in found.items() if holds)


def _names_differ(one: Reading, other: Reading) -> bool:
    missing = names_missing(one.names, words_of([other.plain]))
    if missing and all(name.apposed for name in missing):
        return bool(names_missing(other.names, words_of([one.plain])))
    return bool(missing)


def _subjects_differ(one: Reading, other: Reading) -> bool:
    if one.subject == other.subject:
        return False
    return any(
        mine.subject is not None
        and mine.subject not in words_of([its.plain])[0]
        and (its.subject is not None or is_person(its.plain))
        for mine, its in ((one, other), (other, one))
    )
