"""Whether a model's fact is in the messages it names as its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from agent_memory.claims.content import share
from agent_memory.claims.date_readers import Part
from agent_memory.claims.dates import dates_missing
from agent_memory.claims.names import names_missing, words_of
from agent_memory.claims.numbers import Number
from agent_memory.claims.plain import has_han, plain
from agent_memory.claims.polarity import opposed
from agent_memory.claims.reading import Reading, read
from agent_memory.extraction.sentences import split_sentences
from agent_memory.languages import UNDETERMINED, language_of

LEAST_SHARE = 0.5
"""Of the content words. A paraphrase turns about every second word ("moved to York" to "lives in York"); a fact from
elsewhere shares none, or one by chance."""

_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_LATIN_NAME = re.compile("[A-Z][A-Za-z]*")
_CLAUSES = re.compile(r"[,;，；]\s*(?:and|but)?\s*|\s+(?:and|but)\s+", re.IGNORECASE)
_CHANGE = re.compile(r"\b(?:from|switched|changed|left|replaced)\b|从|换|改|离开", re.IGNORECASE)


def refusal(
    fact_text: str, owner: str, evidence: Sequence[str], speakers: Sequence[str], dates: Sequence[str] = ()
) -> str | None:
    """Why the fact may not be kept: "language", "words", "number", "date", "name" or "polarity"; None if it may.

    `dates` are those that phrases of the evidence resolve to: 2023-05-07, 2023-05, or a range. Names of
    speakers and the owner need no evidence.
    """
    if not _same_language(fact_text, evidence):
        return "language"
    known = (*speakers, owner)
    shared = share(fact_text, evidence, [plain(name) for name in known])
    if shared is None and not _has_details(fact_text):
        return None if any(plain(fact_text) in plain(text) for text in evidence) else "words"
    if shared is not None and shared < LEAST_SHARE:
        return "words"
    return _detail_missing(fact_text, evidence, known, dates) or ("polarity" if _denies(fact_text, evidence) else None)


def _has_details(text: str) -> bool:
    found = read(text)
    return bool(found.numbers or found.dates or found.names)


def _detail_missing(fact_text: str, evidence: Sequence[str], known: Sequence[str], dates: Sequence[str]) -> str | None:
    fact, sources = read(fact_text), [read(text) for text in evidence]
    held = frozenset[Part]().union(*(each.dates for each in sources), *map(_parts, dates))
    counted = frozenset[Number]().union(*(each.numbers for each in sources))
    if _numbers_missing(fact.numbers, counted, held):
        return "number"
    if _dates_missing(fact.dates, held, counted):
        return "date"
    return "name" if _has_unknown_name(fact, [*evidence, *known]) else None


def _same_language(fact_text: str, evidence: Sequence[str]) -> bool:
    """Latin names in a text of ideographs don't make it English."""
    spoken = {_language(text) for text in evidence}
    return _language(fact_text) in spoken | {UNDETERMINED} or not spoken - {UNDETERMINED}


def _language(text: str) -> str:
    return language_of(_LATIN_NAME.sub("", text) if has_han(text) else text)


def _parts(allowed: str) -> frozenset[Part]:
    """The parts of an allowed date, with the weekday of each of its days."""
    weekdays = {("weekday", str(date.fromisoformat(day).isoweekday())) for day in _ISO_DAY.findall(allowed)}
    return read(allowed).dates | weekdays


def _numbers_missing(fact: frozenset[Number], counted: frozenset[Number], held: frozenset[Part]) -> bool:
    values = {value for _, value in held}
    return any(
        each.value not in values and not any(each.agrees(other) for other in counted)
        for each in fact
        if each != Number("1")
    )


def _dates_missing(fact: frozenset[Part], held: frozenset[Part], counted: frozenset[Number]) -> bool:
    halves = {"am": ("morning",), "pm": ("afternoon", "evening")}
    implied = {("part", part) for name, half in held if name == "half" for part in halves[half]}
    values = {each.value for each in counted}
    return any(value not in values for _, value in dates_missing(fact, held | implied))


def _has_unknown_name(fact: Reading, known: Iterable[str]) -> bool:
    lookup = words_of(plain(text) for text in known)
    begins_with_stranger = fact.subject is not None and fact.subject not in lookup[0]
    return begins_with_stranger or bool(names_missing(fact.names, lookup))


def _denies(fact_text: str, evidence: Sequence[str]) -> bool:
    """Whether the sentences that share most with the fact all say the opposite.

    What a change is told from ("moved from Leeds to York") is denied by its evidence and affirmed by the fact.
    """
    if _CHANGE.search(fact_text):
        return False
    sentences = [sentence for text in evidence for sentence in split_sentences(text)]
    clauses = {plain(part).strip(" .!。！") for each in sentences for part in _CLAUSES.split(each)}
    if plain(fact_text).strip(" .!。！") in clauses:
        return False  # said in these words; what the rest of the sentence denies is something else
    shares = [share(fact_text, [sentence]) or 0.0 for sentence in sentences]
    best = [sentence for sentence, shared in zip(sentences, shares, strict=True) if shared == max(shares)]
    claimed = read(fact_text).polarities
    return bool(best) and all(opposed(claimed, read(sentence).polarities) for sentence in best)
