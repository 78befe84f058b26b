"""What an OpenAI-compatible server takes of a chat completion's parameters, learned from what it refuses.

platform.openai.com/docs/api-reference/chat/create; newer models of OpenAI want max_completion_tokens and no
temperature, DeepSeek and DashScope take json_object and no json_schema, others neither.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from agent_memory.language_model import Prompt

FORMATS = ("strict", "schema", "object", "")  # each asks less of the server than the one before

_ABOUT_FORMAT = re.compile(
    r"response_?format|json_?schema|json_?object|structured.?output|guided|grammar|\bschema\b|'json'", re.IGNORECASE
)
_ABOUT_TOKENS = re.compile(r"max_tokens|max_completion_tokens", re.IGNORECASE)
_ABOUT_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)
_WITH_SCHEMA = "\n\nAnswer with one JSON value that fits this JSON Schema, and with nothing else:\n"


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way to ask. `form` is one of FORMATS, `limit` the name of the parameter for the most tokens."""

    form: str = FORMATS[0]
    limit: str = "max_tokens"
    temperature: bool = True

    def parameters(self, prompt: Prompt, max_tokens: int) -> dict[str, Any]:
        """The body of the call but for the model; a server that takes no schema reads it in the prompt."""
        system = prompt.system if self._sends_schema else prompt.system + with_schema(prompt)
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt.user}]
        body: dict[str, Any] = {"messages": messages, self.limit: max_tokens}
        if self.temperature:
            body["temperature"] = 0
        if self.form == "object":
            body["response_format"] = {"type": "json_object"}
        if self._sends_schema:
            strict = {"strict": True} if self.form == "strict" else {}
            schema = {"name": prompt.name, "schema": dict(prompt.schema), **strict}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    @property
    def _sends_schema(self) -> bool:
        return self.form in ("strict", "schema")

    def after(self, refusal: str) -> Dialect | None:
        """The way to ask after a refusal with that text; None where it is about something else."""
        if self.form and _ABOUT_FORMAT.search(refusal):
            return replace(self, form=FORMATS[FORMATS.index(self.form) + 1])
        if self.limit == "max_tokens" and _ABOUT_TOKENS.search(refusal):
            return replace(self, limit="max_completion_tokens")
        if self.temperature and _ABOUT_TEMPERATURE.search(refusal):
            return replace(self, temperature=False)
        return None


def with_schema(prompt: Prompt) -> str:
    """The schema as a part of the prompt."""
    return _WITH_SCHEMA + json.dumps(prompt.schema, ensure_ascii=False)
