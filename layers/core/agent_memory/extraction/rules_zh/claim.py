"""What a rule reads (a predicate and what stands around it) and what it finds (a claim without text and owner)."""

from __future__ import annotations

from typing import NamedTuple

from agent_memory.extraction.facts import Kind, State
from agent_memory.extraction.rules_zh.subjects import Who


class Predicate(NamedTuple):
    """A folded clause from behind its subject and adverbs on, without particles at its end.

    `kinds` are the kinds of the adverbs (see times.adverbs); `who` is None where nothing in the sentence is a subject;
    `formerly` is what an earlier clause said to have been liked;
    `is_carried` says that the subject is an earlier clause's.
    """

    text: str
    clause: str
    kinds: frozenset[str]
    who: Who | None
    formerly: str | None = None
    is_carried: bool = False

    @property
    def is_personal(self) -> bool:
        """Whether the speaker, or somebody of theirs, is the subject."""
        return self.who in ("speaker", "kin", "name")


class Claim(NamedTuple):
    """A fact without its text and owner."""

    kind: Kind
    importance: int
    attribute: str | None = None
    value: str | None = None
    negated: bool = False
    state: State | None = None
