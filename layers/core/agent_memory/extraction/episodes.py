"""What was said becomes candidates: a fact for each claim that was found, an episode for what no fact covers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from agent_memory.dates_in_text.time_phrases import TimePhrase, annotate, resolve
from agent_memory.extraction.candidates import Candidate
from agent_memory.extraction.facts import Fact
from agent_memory.extraction.recall_questions import only_asks_back
from agent_memory.extraction.risks import risk_flags
from agent_memory.extraction.said import Said
from agent_memory.extraction.sentences import chunk
from agent_memory.extraction.small_talk import says_something
from agent_memory.languages import language_of
from agent_memory.times import format_ms, format_seconds

FACT = "entity_fact"
_FIRST_PERSON = re.compile(r"\b(?:I|I['’]\w+|my|mine|me|we|our|us)\b|[我咱俺]")
_QUESTION = re.compile(r"[?？]\W*\Z")


def episodes_of(said: Said, text: str, names: Iterable[str] = ()) -> Iterator[Candidate]:
    """Of that part of what was said: one episode, several for a long text, none for small talk.

    A question back for what is remembered says nothing either. `names` are those of the people in the conversation.
    """
    if not says_something(text, names) or (said.nameless and not said.by_assistant and only_asks_back(text)):
        return
    for piece in chunk(text):
        if any(character.isalnum() for character in piece):
            yield _candidate(said, piece, f"{said.speaker}: ", (said.index,))


def fact_candidate(said: Said, fact: Fact, sources: tuple[int, ...]) -> Candidate:
    """The candidate of a fact that stands in what was said, at the time it was said."""
    names_owner = fact.owner != said.speaker and fact.owner.casefold() in fact.text.casefold()
    names_owner = names_owner or (said.nameless and fact.owner != said.speaker)
    speaks_of_user = fact.text.casefold().startswith((f"{fact.owner} ".casefold(), "the user ", "用户"))
    prefix = "" if names_owner or speaks_of_user else f"{said.speaker}: "
    candidate = _candidate(said, fact.text, prefix, sources)
    return candidate.model_copy(update=_of_fact(fact))


def fact_in_context(said: Said, fact: Fact) -> Candidate:
    """The candidate of the one fact in all of what was said: its words say more in their place than alone."""
    whole, alone = (
        _candidate(said, said.text.strip(), f"{said.speaker}: ", (said.index,)),
        fact_candidate(said, fact, ()),
    )
    dated = alone.model_dump(include={"effective_at", "time_precision", "time_source"})
    claim = alone.search_text.removeprefix(f"{said.speaker}: ")
    return whole.model_copy(update={**dated, **_of_fact(fact), "claim": claim})


def _of_fact(fact: Fact) -> dict[str, Any]:
    return {"unit_type": FACT, "fact": fact, "salience": fact.importance / 10}


def _candidate(said: Said, piece: str, prefix: str, sources: tuple[int, ...]) -> Candidate:
    message = said.message
    phrases = resolve(piece, message.local_ms)
    words = f"{prefix}{annotate(piece, phrases)}"
    dated = next((phrase for phrase in phrases if phrase.precision is not None), None)
    said_at = format_seconds(message.timestamp_ms)
    return Candidate(
        text=f"[{said_at}] {words}",
        search_text=words,
        speaker=said.speaker,
        role=message.role,
        language=language_of(piece),
        effective_at=dated.date if dated else said_at,
        time_precision=dated.precision if dated and dated.precision else "second",
        time_source="phrase" if dated else "message",
        created_at=format_ms(message.timestamp_ms),
        sources=sources,
        salience=_salience(piece, phrases),
        risk_flags=risk_flags(piece),
    )


def _salience(piece: str, phrases: list[TimePhrase]) -> float:
    """A first guess: talk of oneself, numbers and dates count more, a mere question less."""
    tenths = 5 + bool(_FIRST_PERSON.search(piece)) + any(character.isdigit() for character in piece) + bool(phrases)
    return (tenths - 2 * bool(_QUESTION.search(piece))) / 10
