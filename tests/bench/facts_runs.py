"""Extraction of one dialogue after the other, by rules or with a model, kept in a file so that a run can go on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent_memory.errors import LlmFailed
from agent_memory.extraction.by_rules import extract_by_rules
from agent_memory.extraction.candidates import Extraction
from agent_memory.extraction.facts import Fact
from agent_memory.extraction.with_model import extract_with_model
from agent_memory.language_model import NOTHING_SPENT, LanguageModel, Spent
from agent_memory.models import Message
from tests.bench.facts_labels import Dialogue

Extract = Callable[[Sequence[Message]], tuple[Extraction, Spent]]


@dataclass(frozen=True)
class Ran:
    """What came out of one dialogue; `failed` names the error where the model's answers could not be used."""

    dialogue: Dialogue
    facts: tuple[Fact, ...]
    refused: dict[str, int]
    spent: Spent
    seconds: float
    failed: str = ""


def by_rules(messages: Sequence[Message]) -> tuple[Extraction, Spent]:
    """What the rules find, for nothing."""
    return extract_by_rules(messages), NOTHING_SPENT


def with_model(model: LanguageModel, characters: int) -> Extract:
    """What the model finds without instructions of a store, so many characters in a call."""
    return lambda messages: extract_with_model(messages, model, "", characters)


def run(dialogues: Sequence[Dialogue], extract: Extract) -> Iterator[Ran]:
    """Each dialogue by itself. One on which the model fails has no facts here; the service would take the rules'."""
    for dialogue in dialogues:
        start = time.perf_counter()
        extraction, spent, failed = Extraction(()), NOTHING_SPENT, ""
        try:
            extraction, spent = extract(dialogue.messages)
        except LlmFailed as error:
            spent, failed = error.spent, type(error).__name__
        facts = tuple(each.fact for each in extraction.candidates if each.fact is not None)
        yield Ran(dialogue, facts, dict(extraction.refused), spent, time.perf_counter() - start, failed)


def resumed(dialogues: Sequence[Dialogue], extract: Extract, kept: Path | None) -> Iterator[Ran]:
    """As `run`, but what is in the file is taken from there, and what is new goes into it at once."""
    if kept is None:
        yield from run(dialogues, extract)
        return
    known = _read(kept)
    for dialogue in dialogues:
        if dialogue.name in known:
            yield _ran(dialogue, known[dialogue.name])
            continue
        for ran in run([dialogue], extract):
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(_line(ran), ensure_ascii=False) + "\n")
            yield ran


def _read(kept: Path) -> dict[str, dict[str, Any]]:
    if not kept.exists():
        return {}
    lines = map(json.loads, kept.read_text(encoding="utf-8").splitlines())
    return {line["dialogue"]: line for line in lines}


def _line(ran: Ran) -> dict[str, Any]:
    facts = [fact.model_dump() for fact in ran.facts]
    return {**asdict(ran), "dialogue": ran.dialogue.name, "facts": facts}


def _ran(dialogue: Dialogue, line: dict[str, Any]) -> Ran:
    facts = tuple(Fact.model_validate(fact) for fact in line["facts"])
    return Ran(dialogue, facts, line["refused"], Spent(**line["spent"]), line["seconds"], line["failed"])
