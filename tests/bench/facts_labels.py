"""Dialogues with the facts that ought to come out of them, and the verdict on those that do.

The dialogues in data/dialogues_<language>.jsonl are our own work under the project's licence, written before any rule
or prompt was looked at. `facts` are wanted, the `optional` ones allowed; `none` are claims that nobody made. Words of a
label are looked for in a fact's text, `a|b` means either.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from agent_memory.extraction.facts import Fact
from agent_memory.models import Message

DATA = Path(__file__).with_name("data")
LANGUAGES = ("en", "zh")
PAUSE_MS = 60_000  # between two messages


@dataclass(frozen=True)
class Label:
    """A claim, wanted or not; None and empty where anything goes."""

    words: tuple[str, ...]
    owners: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    negated: bool | None = None
    optional: bool = False

    def told_by(self, fact: Fact) -> bool:
        """Whether the fact's text holds the words, whosever it is."""
        text = fact.text.casefold().replace("’", "'")
        return all(any(form in text for form in word.split("|")) for word in self.words)

    def suits(self, fact: Fact) -> bool:
        """Whether the fact tells it of the right owner, and neither denies nor affirms it wrongly."""
        owned = not self.owners or fact.owner.casefold() in self.owners
        return owned and self.negated in (None, fact.negated) and self.told_by(fact)

    def sorts(self, fact: Fact) -> bool:
        """Whether kind and state of a fact that suits are right, too."""
        return (not self.kinds or fact.kind in self.kinds) and (not self._states_of(fact) or fact.state in self.states)

    def _states_of(self, fact: Fact) -> tuple[str, ...]:
        return self.states if fact.kind == "task" else ()


@dataclass(frozen=True)
class Dialogue:
    """One talk and its labels."""

    name: str
    messages: tuple[Message, ...]
    wanted: tuple[Label, ...]
    unwanted: tuple[Label, ...]


@dataclass(frozen=True)
class Verdict:
    """The facts of one dialogue by what they are, and the labels that none of them tells.

    `sorted_right` counts those of the right ones that have the right kind and state.
    """

    right: tuple[Fact, ...]
    wrong: tuple[Fact, ...]
    other: tuple[Fact, ...]
    found: tuple[Label, ...]
    missed: tuple[Label, ...]
    sorted_right: int


def read_dialogues(language: str) -> list[Dialogue]:
    """The dialogues of data/dialogues_<language>.jsonl."""
    text = (DATA / f"dialogues_{language}.jsonl").read_text(encoding="utf-8")
    return [_dialogue(json.loads(line)) for line in text.splitlines()]


def judged(dialogue: Dialogue, facts: Iterable[Fact]) -> Verdict:
    """A fact that suits a wanted label is right.

    Else it is wrong if it tells such a label of somebody else or in the other sense, or a claim that nobody made; what
    is left is for a person to look at.
    """
    right: list[Fact] = []
    wrong: list[Fact] = []
    other: list[Fact] = []
    for fact in facts:
        if any(label.suits(fact) for label in dialogue.wanted):
            right.append(fact)
        elif _is_wrong(dialogue, fact):
            wrong.append(fact)
        else:
            other.append(fact)
    needed = [label for label in dialogue.wanted if not label.optional]
    found = tuple(label for label in needed if any(map(label.suits, right)))
    return Verdict(
        tuple(right),
        tuple(wrong),
        tuple(other),
        found,
        tuple(label for label in needed if label not in found),
        sum(_is_sorted(dialogue.wanted, fact) for fact in right),
    )


def _is_wrong(dialogue: Dialogue, fact: Fact) -> bool:
    return any(label.told_by(fact) for label in dialogue.wanted) or any(
        label.suits(fact) for label in dialogue.unwanted
    )


def _is_sorted(wanted: Sequence[Label], fact: Fact) -> bool:
    return any(label.sorts(fact) for label in wanted if label.suits(fact))


def _dialogue(line: dict[str, Any]) -> Dialogue:
    begun = int(datetime.fromisoformat(line["said_at"]).timestamp() * 1000)
    messages = tuple(
        Message(
            message_id=f"{line['id']}-{place}",
            role=said["role"],
            speaker=said.get("speaker", said["role"]),
            content=said["content"],
            timestamp_ms=begun + place * PAUSE_MS,
        )
        for place, said in enumerate(line["messages"])
    )
    return Dialogue(line["id"], messages, tuple(map(_label, line["facts"])), tuple(map(_label, line["none"])))


def _label(given: dict[str, Any]) -> Label:
    return Label(
        words=tuple(word.casefold() for word in given["words"]),
        owners=tuple(owner.casefold() for owner in given.get("owner", ())),
        kinds=tuple(given.get("kind", ())),
        states=tuple(given.get("state", ())),
        negated=given.get("negated"),
        optional=given.get("optional", False),
    )
