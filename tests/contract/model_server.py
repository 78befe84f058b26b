"""A loopback server that answers as OpenAI's chat completions and Bedrock's Converse do, and refuses other requests."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from tests.contract.loopback import Answer, serving

API_KEY, MODEL, BEDROCK_MODEL = "sk-loopback-secret", "qwen-plus", "anthropic.claude-3-haiku-20240307-v1:0"
OPENAI_PATH, CONVERSE_PATH = "/v1/chat/completions", f"/model/{BEDROCK_MODEL}/converse"
TEXT = '{"facts": ["我对虾过敏"]}'


@dataclass
class ModelServer:
    """`calls` holds (path, headers, body); `override` answers instead of the recorded shapes while it is set."""

    url: str
    calls: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)
    override: Callable[[], Answer] | None = None
    refuses: Callable[[Any], str] = lambda _: ""
    cut_short: bool = False  # whether the body of an answer ends before its announced length

    def answer(self, path: str, headers: dict[str, str], body: Any) -> Answer:
        """What the service would say."""
        self.calls.append((path, headers, body))
        if self.override:
            return self.override()
        refusal = self.refuses(body)
        if path == CONVERSE_PATH:
            return converse_answer(body, refusal)
        return openai_answer(headers.get("authorization", ""), body, refusal) if path == OPENAI_PATH else (404, {})

    @property
    def bodies(self) -> list[Any]:
        return [body for _, _, body in self.calls]


def model_server() -> AbstractContextManager[ModelServer]:
    """A server on a free port of 127.0.0.1."""
    return serving(ModelServer)


def choice(content: Any = TEXT, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """A chat completion with one choice."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_800_000_000,
        "model": MODEL,
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content} | message}
        ],
        "usage": {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17},
    }


def openai_answer(authorization: str, body: Any, refusal: str) -> Answer:
    """The shape of POST /chat/completions."""
    if authorization != f"Bearer {API_KEY}":
        return 401, {"error": {"message": f"Incorrect API key provided: {API_KEY}", "code": "invalid_api_key"}}
    if refusal:
        return 400, {"error": {"message": refusal, "type": "invalid_request_error", "param": None, "code": None}}
    return 200, choice()


def message(*blocks: Any, stop: str = "end_turn") -> dict[str, Any]:
    """The answer of Converse with those blocks of content."""
    return {
        "output": {"message": {"role": "assistant", "content": list(blocks)}},
        "stopReason": stop,
        "usage": {"inputTokens": 12, "outputTokens": 5, "totalTokens": 17},
        "metrics": {"latencyMs": 1},
    }


def tool_use(given: Any) -> dict[str, Any]:
    """A block in which the model calls a tool."""
    return {"toolUse": {"toolUseId": "tooluse_1", "name": "facts", "input": given}}


def converse_answer(body: Any, refusal: str) -> Answer:
    """The shape of Converse: the forced tool's input, else text."""
    if refusal:
        return 400, {"__type": "ValidationException", "message": refusal}
    return 200, message(tool_use(json.loads(TEXT)), stop="tool_use") if "toolConfig" in body else message(
        {"text": TEXT}
    )
