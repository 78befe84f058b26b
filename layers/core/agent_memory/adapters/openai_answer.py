"""What an OpenAI-compatible server answered: the completion in it, or the named error."""

from __future__ import annotations

import json
from typing import Any

from agent_memory.errors import LlmFailed, LlmRefused, LlmThrottled, LlmTimeout, LlmUnavailable
from agent_memory.language_model import Completion, Spent

THROTTLED = 429
TIMED_OUT = frozenset({408, 504})
SERVER_ERRORS = 500
CUT, FILTERED = "length", "content_filter"


def completion_of(content: bytes) -> Completion:
    """Of a body with status 200; empty text where there is no choice. Raises LlmRefused, LlmUnavailable and so on."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise LlmUnavailable("the language model's server answered with what is no JSON") from None
    if not isinstance(body, dict):
        raise LlmUnavailable("the language model's server answered with what is no chat completion")
    spent = _spent(body.get("usage"))
    choices = body.get("choices")
    if not isinstance(choices, list):
        raise _error_in(body)
    choice = choices[0] if choices and isinstance(choices[0], dict) else {}
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    if choice.get("finish_reason") == FILTERED or message.get("refusal"):
        raise LlmRefused("the language model refuses to answer", spent)
    cut = choice.get("finish_reason") == CUT
    return Completion(_text(message.get("content")), spent.input_tokens, spent.output_tokens, cut)


def error_of(status: int) -> LlmFailed:
    """The error for a status that is not 200; the body stays out of it, since services repeat keys and prompts."""
    said = f"the language model's server answered HTTP {status}"
    if status == THROTTLED:
        return LlmThrottled(said)
    if status in TIMED_OUT:
        return LlmTimeout(said)
    return LlmUnavailable(said) if status >= SERVER_ERRORS else LlmRefused(said)


def _error_in(body: dict[str, Any]) -> LlmFailed:
    """Gateways such as OpenRouter report what went wrong behind them with status 200."""
    error = body.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600:  # noqa: PLR2004 - statuses of errors
        return error_of(code)
    return LlmUnavailable("the language model's server answered without a choice")


def _spent(usage: Any) -> Spent:
    given = usage if isinstance(usage, dict) else {}
    return Spent(1, count(given.get("prompt_tokens")), count(given.get("completion_tokens")))


def count(number: Any) -> int:
    """What a service counted, 0 for what is no count."""
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 0


def _text(content: Any) -> str:
    """A text, or the texts of a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))
