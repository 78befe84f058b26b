"""What a case lets the language model say, or how it lets it fail; a case without a script has no model."""

from __future__ import annotations

from typing import Any

from agent_memory.errors import LlmRefused, LlmThrottled, LlmTimeout, LlmUnavailable
from tests.cases.case_files import NotServed
from tests.scripted_model import ScriptedModel

FAULTS: dict[str, str | Exception] = {
    "empty_body": "",
    "blank_body": " \n",
    "garbage": "<html><body>upstream error</body></html>",
    "bad_json": "{'facts: [oops",
    "half_json": '{"facts":[{"text":"user wor',
    "prose": "I could not find anything to store.",
    "timeout": LlmTimeout("no answer in time"),
    "unavailable": LlmUnavailable("503"),
    "http_500": LlmUnavailable("500"),
    "connection_reset": LlmUnavailable("connection reset"),
    "rate_limit": LlmThrottled("429"),
    "http_429": LlmThrottled("429"),
    "refused": LlmRefused("content filter"),
    "http_401": LlmRefused("401"),
}


def scripted(script: dict[str, Any]) -> ScriptedModel | None:
    """The model of a script: `llmReply` is one reply or several in order, `llmFault` a failure that stays."""
    if script.keys() - {"llmReply", "llmFault"}:
        raise NotServed(f"a script with {sorted(script)}")
    if "llmFault" in script:
        if script["llmFault"] not in FAULTS:
            raise NotServed(f"a fault {script['llmFault']!r}")
        return ScriptedModel(FAULTS[script["llmFault"]])
    if "llmReply" not in script:
        return None
    replies = script["llmReply"]
    return ScriptedModel(*map(str, replies if isinstance(replies, list) else [replies]))
