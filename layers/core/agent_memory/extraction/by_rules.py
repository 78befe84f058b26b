"""Extraction without a model: claims by rules where the language has some, the rest as it was said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent_memory.extraction.candidates import Candidate, Extraction
from agent_memory.extraction.episodes import episodes_of, fact_candidate
from agent_memory.extraction.facts import Fact
from agent_memory.extraction.said import Said, said_in, without_code
from agent_memory.extraction.sentence_rules import facts_in
from agent_memory.extraction.sentences import sentence_slices
from agent_memory.models import Message


def extract_by_rules(messages: Sequence[Message]) -> Extraction:
    """The candidates in the order of the messages: of each message its facts, then what is left of it."""
    names = {message.speaker for message in messages}
    found = [candidate for said in said_in(messages) for candidate in _candidates(said, names)]
    return Extraction(tuple(found))


def facts_of(said: Said) -> list[tuple[str, list[Fact]]]:
    """The sentences of what was said, as `sentence_slices` cuts them, each with its facts: none for an assistant's."""
    slices = sentence_slices(said.text)
    if said.by_assistant or without_code(said.text) != said.text:
        return [(part, []) for part in slices]
    return [(part, facts_in(part.strip(), said.speaker)) for part in slices]


def _candidates(said: Said, names: set[str]) -> Iterator[Candidate]:
    rest: list[str] = []
    for part, facts in facts_of(said):
        if not facts:
            rest.append(part)
        for fact in facts:
            yield fact_candidate(said, fact, (said.index,))
    yield from episodes_of(said, "".join(rest).strip(), names)
