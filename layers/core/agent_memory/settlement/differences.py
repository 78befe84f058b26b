"""In what two texts of one topic differ so that neither may stand for the other."""

from __future__ import annotations

from agent_memory.claims.reading import differing, read


def differs(one: str, other: str) -> str | None:
    """The first of "polarity", "number", "date" and "name" in which they differ, or None.

    A number, date or name that only one of them has is a difference too: the two don't tell the same. Exempt are a
    lone "one", the half of the day or the year that one leaves open, and a country behind a place ("York, UK").
    """
    return next(iter(differences(one, other)), None)


def differences(one: str, other: str) -> tuple[str, ...]:
    """All in which they differ, in that order."""
    return differing(read(one), read(other))
