"""How the messages of a task become candidates: as they are, with the language model, or by rules where that fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent_memory.errors import LlmFailed
from agent_memory.extraction.by_rules import extract_by_rules
from agent_memory.extraction.candidates import Extraction
from agent_memory.extraction.verbatim import verbatim
from agent_memory.extraction.with_model import BATCH_CHARACTERS, extract_with_model
from agent_memory.language_model import LanguageModel, Spent
from agent_memory.models import Message


@dataclass(frozen=True, slots=True)
class Extracted:
    """The candidates, the path that they came by, what it cost, and why it is not the model's path."""

    extraction: Extraction
    path: Literal["llm", "rules", "verbatim"]
    spent: Spent | None = None
    failure: LlmFailed | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked: with the store's wishes, so many characters at once."""

    model: LanguageModel
    instructions: str = ""
    characters: int = BATCH_CHARACTERS


def as_they_are(messages: Sequence[Message]) -> Extracted:
    """Each message as one memory."""
    return Extracted(Extraction(tuple(verbatim(messages))), "verbatim")


def extracted(messages: Sequence[Message], asking: Asking | None, *, last_try: bool) -> Extracted:
    """A failure of the model that may pass is raised, unless this is the `last_try`; others leave it to the rules."""
    if asking is None:
        return Extracted(extract_by_rules(messages), "rules")
    try:
        extraction, spent = extract_with_model(messages, asking.model, asking.instructions, asking.characters)
    except LlmFailed as error:
        if error.retryable and not last_try:
            raise
        return Extracted(extract_by_rules(messages), "rules", error.spent, error)
    return Extracted(extraction, "llm", spent)
