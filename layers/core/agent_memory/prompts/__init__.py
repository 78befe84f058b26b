"""What a language model is told: one file per task and language, read when it is first needed.

A file has three sections, "## system", "## instructions" (left out where a store has none) and "## user"; a section
holds at most one {{place}} for what changes from call to call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from agent_memory.languages import language_of
from agent_memory.prompts.fences import fenced

PromptLanguage = Literal["en", "zh"]


@dataclass(frozen=True, slots=True)
class PromptFile:
    """The sections of a prompt, with their places still in them."""

    system: str
    instructions: str
    user: str

    def system_text(self, instructions: str) -> str:
        """What the model is, followed by the operator's wishes, fenced, where there are any."""
        if not instructions.strip():
            return self.system
        return f"{self.system}\n\n{self.instructions.replace('{{instructions}}', fenced(instructions))}"


@cache
def prompt_file(name: str, language: PromptLanguage) -> PromptFile:
    """The prompt of that name."""
    text = (files(__package__) / language / f"{name}.md").read_text("utf-8")
    _, system, rest = text.partition("## system\n")
    system, _, rest = rest.partition("\n## instructions\n")
    instructions, _, user = rest.partition("\n## user\n")
    return PromptFile(system.strip(), instructions.strip(), user.strip())


def prompt_language(texts: Sequence[str]) -> PromptLanguage:
    """Chinese for texts that are mostly Chinese, English for all others."""
    return "zh" if language_of("\n".join(texts)) == "zh" else "en"
