"""Extraction without a model: claims by rules where the language has some, the rest as it was said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent_memory.extraction.candidates import Candidate, Extraction
from agent_memory.extraction.episodes import episodes_of, fact_candidate, fact_in_context
from agent_memory.extraction.facts import Fact
from agent_memory.extraction.risks import risk_flags
from agent_memory.extraction.said import Said, said_in, without_code
from agent_memory.extraction.sentence_rules import facts_in
from agent_memory.extraction.sentences import PIECE_BUDGET, cost, sentence_slices
from agent_memory.extraction.small_talk import says_something
from agent_memory.models import Message


def extract_by_rules(messages: Sequence[Message]) -> Extraction:
    """The candidates in the order of the messages.

    A short message with one fact is a memory as a whole; of others each fact is, then what is left.
    """
    names = {message.speaker for message in messages}
    found = [candidate for said in said_in(messages) for candidate in _candidates(said, names)]
    return Extraction(tuple(found))


def facts_of(said: Said) -> list[tuple[str, list[Fact]]]:
    """The sentences of what was said, as `sentence_slices` cuts them, each with its facts.

    None where an assistant speaks, where there is code, and where any of it tries to instruct a model.
    """
    slices = sentence_slices(said.text)
    if said.by_assistant or without_code(said.text) != said.text or risk_flags(said.text):
        return [(part, []) for part in slices]
    return [(part, facts_in(part.strip(), said.speaker)) for part in slices]


def _candidates(said: Said, names: set[str]) -> Iterator[Candidate]:
    read = facts_of(said)
    facts = [fact for _, found in read for fact in found]
    rest = "".join(part for part, found in read if not found).strip()
    if len(facts) == 1 and cost(said.text) <= PIECE_BUDGET and says_something(rest, names):
        yield fact_in_context(said, facts[0])
        return
    yield from (fact_candidate(said, fact, (said.index,)) for fact in facts)
    yield from episodes_of(said, rest, names)
