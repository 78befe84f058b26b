"""A language model that says what a test wants it to say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy

from agent_memory.language_model import Completion, Prompt

Reply = str | Completion | Exception | Callable[[Prompt], str]


class ScriptedModel:
    """Gives one entry of the script per call, the last one again and again; `prompts` is what it was asked.

    An exception is raised, a callable makes the reply from the prompt. Tokens are counted as words of the texts.
    """

    name = "scripted"

    def __init__(self, *replies: Reply) -> None:
        self.replies: Sequence[Reply] = replies
        self.prompts: list[Prompt] = []

    @property
    def calls(self) -> int:
        return len(self.prompts)

    def complete(self, prompt: Prompt) -> Completion:
        self.prompts.append(prompt)
        reply = self.replies[min(self.calls, len(self.replies)) - 1]
        if isinstance(reply, Exception):
            raise copy(reply)  # `ask` writes into it what was spent
        if isinstance(reply, Completion):
            return reply
        text = reply if isinstance(reply, str) else reply(prompt)
        return Completion(text, len(f"{prompt.system} {prompt.user}".split()), len(text.split()))
