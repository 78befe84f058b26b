"""Extraction of one dialogue after the other, by rules or with a model whose answers are kept."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from agent_memory.errors import LlmFailed
from agent_memory.extraction.by_rules import extract_by_rules
from agent_memory.extraction.candidates import Extraction
from agent_memory.extraction.facts import Fact
from agent_memory.extraction.with_model import extract_with_model
from agent_memory.language_model import NOTHING_SPENT, Completion, LanguageModel, Prompt, Spent
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
    failed: str = ""


class KeptModel:
    """The model, but what is in the file is not asked again; what is new goes into it at once.

    So a run can go on, and what the service makes of the same answers can be measured after a change. `seconds` is what
    the answers given took, those from the file included.
    """

    def __init__(self, model: LanguageModel, kept: Path | None) -> None:
        self.name = model.name
        self.seconds = 0.0
        self._model = model
        self._kept = kept
        lines = kept.read_text(encoding="utf-8").splitlines() if kept and kept.exists() else []
        self._known = {line["asked"]: line for line in map(json.loads, lines)}

    def complete(self, prompt: Prompt) -> Completion:
        """The answer that is known, else the model's."""
        asked = sha256(f"{self.name}\0{prompt.system}\0{prompt.user}".encode()).hexdigest()
        line = self._known.get(asked) or self._new(prompt, asked)
        self.seconds += line["seconds"]
        return Completion(**line["answer"])

    def _new(self, prompt: Prompt, asked: str) -> dict[str, Any]:
        start = time.perf_counter()
        answer = self._model.complete(prompt)
        line = {"asked": asked, "answer": asdict(answer), "seconds": time.perf_counter() - start}
        self._known[asked] = line
        if self._kept:
            with self._kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        return line


def by_rules(messages: Sequence[Message]) -> tuple[Extraction, Spent]:
    """What the rules find, for nothing."""
    return extract_by_rules(messages), NOTHING_SPENT


def with_model(model: LanguageModel, characters: int) -> Extract:
    """What the model finds without instructions of a store, so many characters in a call."""
    return lambda messages: extract_with_model(messages, model, "", characters)


def run(dialogues: Sequence[Dialogue], extract: Extract) -> Iterator[Ran]:
    """Each dialogue by itself. One on which the model fails has no facts here; the service would take the rules'."""
    for dialogue in dialogues:
        extraction, spent, failed = Extraction(()), NOTHING_SPENT, ""
        try:
            extraction, spent = extract(dialogue.messages)
        except LlmFailed as error:
            spent, failed = error.spent, type(error).__name__
        facts = tuple(each.fact for each in extraction.candidates if each.fact is not None)
        yield Ran(dialogue, facts, dict(extraction.refused), spent, failed)
