"""A loopback server that answers as Bedrock's InvokeModel and OpenAI's /embeddings do, and refuses other requests."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from tests.contract.loopback import Answer, serving

OPENAI_PATH, OPENAI_DIM, API_KEY = "/v1/embeddings", 32, "sk-loopback-secret"
TITAN, COHERE = "amazon.titan-embed-text-v2:0", "cohere.embed-multilingual-v3"


@dataclass
class EmbeddingServer:
    """`calls` holds (path, body); `override` answers instead of the recorded shapes while it is set."""

    url: str
    calls: list[tuple[str, Any]] = field(default_factory=list)
    override: Callable[[], Answer] | None = None
    cut_short: bool = False

    def answer(self, path: str, headers: dict[str, str], body: Any) -> Answer:
        """What the service would say."""
        self.calls.append((path, body))
        if self.override:
            return self.override()
        if path == OPENAI_PATH:
            return openai_answer(headers.get("authorization", ""), body)
        return {f"/model/{TITAN}/invoke": titan_answer, f"/model/{COHERE}/invoke": cohere_answer}[path](body)


def embedding_server() -> AbstractContextManager[EmbeddingServer]:
    """A server on a free port of 127.0.0.1."""
    return serving(EmbeddingServer)


def vector(text: str, dim: int) -> list[float]:
    """Any vector that depends on the text alone, not of norm 1."""
    source = random.Random(hashlib.sha256(text.encode()).digest())
    return [source.uniform(-3, 3) for _ in range(dim)]


def titan_answer(body: Any) -> Answer:
    """The shape of amazon.titan-embed-text-v2:0."""
    if set(body) != {"inputText", "dimensions", "normalize"} or body["dimensions"] not in (256, 512, 1024):
        return _validation_error("Malformed input request")
    if not 1 <= len(body["inputText"]) <= 50_000 or body["normalize"] is not True:
        return _validation_error("expected minLength: 1, actual: 0")
    found = vector(body["inputText"], body["dimensions"])
    return 200, {"embedding": found, "embeddingsByType": {"float": found}, "inputTextTokenCount": 7}


def cohere_answer(body: Any) -> Answer:
    """The shape of cohere.embed-multilingual-v3 with one embedding type."""
    texts = body["texts"]
    kinds = ("search_query", "search_document")
    if set(body) != {"texts", "input_type", "truncate"} or body["input_type"] not in kinds:
        return _validation_error("Malformed input request")
    if not 1 <= len(texts) <= 96 or any(not text or len(text) > 2048 for text in texts):
        return _validation_error("texts: at most 96 of at most 2048 characters")
    rows = [vector(text, 1024) for text in texts]
    return 200, {"embeddings": rows, "id": "0a1b", "response_type": "embeddings_floats", "texts": texts}


def openai_answer(authorization: str, body: Any) -> Answer:
    """The shape of POST /embeddings, with the rows in another order than the texts."""
    if authorization != f"Bearer {API_KEY}":
        return 401, {"error": {"message": f"Incorrect API key provided: {API_KEY}", "code": "invalid_api_key"}}
    if set(body) - {"model", "input", "dimensions"} or not all(body["input"]):
        return 400, {"error": {"message": "input cannot be an empty string", "type": "invalid_request_error"}}
    dim = body.get("dimensions", OPENAI_DIM)
    rows = [
        {"object": "embedding", "index": index, "embedding": vector(text, dim)}
        for index, text in enumerate(body["input"])
    ]
    usage = {"prompt_tokens": 8, "total_tokens": 8}
    return 200, {"object": "list", "data": rows[::-1], "model": body["model"], "usage": usage}


def _validation_error(text: str) -> Answer:
    return 400, {"__type": "ValidationException", "message": text}
