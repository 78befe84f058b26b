"""A loopback server that answers as Bedrock's InvokeModel and OpenAI's /embeddings do, and refuses other requests."""

from __future__ import annotations

import hashlib
import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

OPENAI_PATH, OPENAI_DIM, API_KEY = "/v1/embeddings", 32, "sk-loopback-secret"
TITAN, COHERE = "amazon.titan-embed-text-v2:0", "cohere.embed-multilingual-v3"

Answer = tuple[int, Any]  # status; a body for JSON, or bytes as they are


@dataclass
class EmbeddingServer:
    """`calls` holds (path, body); `override` answers instead of the recorded shapes while it is set."""

    url: str
    calls: list[tuple[str, Any]] = field(default_factory=list)
    override: Callable[[], Answer] | None = None

    def answer(self, path: str, authorization: str, body: Any) -> Answer:
        """What the service would say."""
        self.calls.append((path, body))
        if self.override:
            return self.override()
        if path == OPENAI_PATH:
            return openai_answer(authorization, body)
        return {f"/model/{TITAN}/invoke": titan_answer, f"/model/{COHERE}/invoke": cohere_answer}[path](body)


@contextmanager
def embedding_server() -> Iterator[EmbeddingServer]:
    """A server on a free port of 127.0.0.1."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as http:
        state = EmbeddingServer(f"http://127.0.0.1:{http.server_address[1]}")
        http.state = state
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield state
        finally:
            http.shutdown()
            thread.join()


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


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        state: EmbeddingServer = self.server.state
        status, answer = state.answer(unquote(self.path), self.headers.get("Authorization", ""), body)
        content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        if isinstance(answer, dict) and "__type" in answer:
            self.send_header("x-amzn-ErrorType", answer["__type"])
        if isinstance(answer, dict) and "retryAfter" in answer:
            self.send_header("Retry-After", answer["retryAfter"])
        if status == 307:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Nothing: the calls are recorded."""
