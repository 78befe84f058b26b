"""What the rules think of a model's fact: whether its sentence claims anything, and what exactly.

Small models mix up slots, owners and denials; where the rules read the same sentence, their reading counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent_memory.claims.content import share
from agent_memory.extraction.facts import Fact
from agent_memory.extraction.said import Said
from agent_memory.extraction.sentence_rules import claims_nothing, facts_in
from agent_memory.extraction.sentences import split_sentences


def source_of(fact: Fact, evidence: Sequence[Said]) -> tuple[Said, str]:
    """The sentence of the evidence that tells most of the fact, and who says it there."""
    sentences = [(each, sentence) for each in evidence for sentence in split_sentences(each.text) or [each.text]]
    return max(sentences, key=lambda found: (fact.text in found[1], share(fact.text, [found[1]]) or 0.0))


def is_unclaimed(sentence: str) -> bool:
    """Whether the sentence only asks, supposes, jokes or passes on."""
    return claims_nothing(sentence) and not facts_in(sentence, "")


def as_claimed(fact: Fact, said: Said, sentence: str) -> Fact:
    """The fact with what the rules read in its sentence, where they read one thing of the same owner.

    Of words that stand there as they are the rules know the owner better too.
    """
    read = [] if said.by_assistant else [each for each in facts_in(sentence, said.speaker) if _tells(fact.text, each)]
    same = [each for each in read if each.attribute == fact.attribute] or read
    if len(same) != 1 or (same[0].owner.casefold() != fact.owner.casefold() and fact.text not in sentence):
        return fact
    changes = same[0].model_dump(include={"kind", "owner", "attribute", "value", "negated", "state"})
    return fact.model_copy(update={**changes, "importance": max(fact.importance, same[0].importance)})


def _tells(text: str, read: Fact) -> bool:
    """Whether the text holds what the rules read; the sentence may tell more than the fact does."""
    object_of_slot = (read.attribute or "").partition(" ")[2]
    told = share(read.value or object_of_slot, [text])
    return told is None or told == 1.0
