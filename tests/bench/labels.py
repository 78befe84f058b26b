"""Which turns answer a question: evidence ids as people wrote them, matched with the turns that exist.

Labels in the LoCoMo format come as `D8:6`, several in one string (`D8:6; D9:17`), misspelt (`D:11:26`, `D30:05`), or as
something that names no turn. What can be read is counted, the rest is dropped and said.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from tests.clients.conversations import Question

_TURN = re.compile(r"D\s*:?\s*(\d+)\s*[:：]\s*(\d+)", re.IGNORECASE)
_BETWEEN = re.compile(r"[;,\s、；，]+")


@dataclass(frozen=True)
class Labelled:
    """A question with the turns that answer it, at least one; `number` is its place in the conversation's file."""

    number: int
    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True)
class Labels:
    """The questions that can be asked; `skipped` had no usable evidence, `dropped` evidence ids named no turn."""

    questions: tuple[Labelled, ...]
    skipped: int
    dropped: int


def labels(questions: Iterable[Question], turns: Collection[str]) -> Labels:
    """The questions of one conversation, whose turns have the ids given."""
    known = {_normal(turn): turn for turn in turns}
    usable, skipped, dropped = [], 0, 0
    for number, question in enumerate(questions):
        named = [known.get(name) for text in question.evidence for name in named_turns(text)]
        evidence = frozenset(turn for turn in named if turn is not None)
        dropped += named.count(None)
        skipped += not evidence
        if evidence:
            usable.append(Labelled(number, question.text, question.category, evidence))
    return Labels(tuple(usable), skipped, dropped)


def named_turns(text: str) -> Iterator[str]:
    """The ids in one string of evidence, leading zeros removed; what looks like none is handed on as it stands."""
    found = _TURN.findall(text)
    if found:
        yield from (f"D{int(session)}:{int(turn)}" for session, turn in found)
    else:
        yield from (part for part in _BETWEEN.split(text) if part)


def _normal(turn: str) -> str:
    found = _TURN.fullmatch(turn)
    return f"D{int(found[1])}:{int(found[2])}" if found else turn
