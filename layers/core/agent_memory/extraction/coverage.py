"""Which sentences of a message are told by its facts already, so that the rest can stay an episode."""

from __future__ import annotations

from collections.abc import Sequence

from agent_memory.claims.content import share
from agent_memory.claims.date_readers import Part
from agent_memory.claims.dates import dates_missing
from agent_memory.claims.names import names_missing, words_of
from agent_memory.claims.numbers import Number, numbers_missing
from agent_memory.claims.polarity import opposed
from agent_memory.claims.reading import Reading, read

LEAST_SHARE = 0.6
"""Of the content words: above grounding's, for what a fact leaves out is lost here."""

_RESOLVED = ("relative", "which", "weekday", "part")


def uncovered(sentences: Sequence[str], facts: Sequence[str]) -> list[int]:
    """Positions of the sentences that the facts together do not tell.

    A number, name or date that no fact has leaves its sentence uncovered, as does a fact that says the opposite; a fact
    with a full date covers any phrase such as "yesterday". So does a sentence without content words.
    """
    return [position for position, sentence in enumerate(sentences) if not _covers(sentence, facts)]


def _covers(sentence: str, facts: Sequence[str]) -> bool:
    told = read(sentence)
    agreeing = [fact for fact in facts if not opposed(told.polarities, read(fact).polarities)]
    shared = share(sentence, agreeing)
    readings = [read(fact) for fact in agreeing]
    if shared is None:
        return bool(told.numbers or told.dates or told.names) and _has_details(told, readings)
    return shared >= LEAST_SHARE and _has_details(told, readings)


def _has_details(told: Reading, facts: Sequence[Reading]) -> bool:
    numbers = frozenset[Number]().union(*(fact.numbers for fact in facts))
    dates = frozenset[Part]().union(*(fact.dates for fact in facts))
    is_resolved = any(name == "year" for name, _ in dates)
    missing = [name for name, _ in dates_missing(told.dates, dates) if not (is_resolved and name in _RESOLVED)]
    if missing or numbers_missing(told.numbers, numbers):
        return False
    return not names_missing(told.names, words_of(fact.plain for fact in facts))
