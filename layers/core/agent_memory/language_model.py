"""The port to a language model: one prompt in, one text out. Optional: without one, rules do its work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked. `schema` is the JSON Schema of the answer, `name` what the schema is called (a-z and _)."""

    name: str
    system: str
    user: str
    schema: Mapping[str, Any]
    max_tokens: int = 4_096


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model said, and what it counted; `cut`: it stopped at `max_tokens`."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Spent:
    """What calls of a model cost. The tokens of a call that got no answer are unknown and count as none."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )


NOTHING_SPENT = Spent()


class LanguageModel(Protocol):
    """A model that follows instructions. It remembers nothing between calls."""

    @property
    def name(self) -> str:
        """What answers, for tasks and logs."""

    def complete(self, prompt: Prompt) -> Completion:
        """The answer, which need not be JSON; raises LlmTimeout, LlmUnavailable, LlmThrottled or LlmRefused."""
