"""Any server of POST /rerank with {model, query, documents, top_n}.

Cohere v2 (docs.cohere.com/reference/rerank) made the shape; Jina, vLLM, llama.cpp, Infinity, LiteLLM, SiliconFlow and
DashScope's compatible API (help.aliyun.com/zh/model-studio/text-rerank-api) take it. Their answers differ a little.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agent_memory.adapters.no_redirects import opener
from agent_memory.adapters.rerank_scores import aligned, in_unit_range, sendable
from agent_memory.errors import RerankerFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BUSY = frozenset({429, 503})
PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 2.0  # a search waits for the answer: a service that asks for more time is not asked again
MAX_ANSWER_BYTES = 8 * 1024 * 1024  # some services send all documents back
PIECE_BYTES = 64 * 1024
PATHS = ("/rerank", "/reranks")


@dataclass(frozen=True)
class HttpReranker:
    """`base_url` ends before "/rerank", or is the whole address where it ends in that or in "/reranks".

    Texts are sent up to `max_characters`: many servers refuse what is longer than their model reads. `pause` sleeps.
    """

    base_url: str
    api_key: str = field(repr=False)
    model: str
    _: KW_ONLY
    window: int = 50
    batch: int = 100
    max_characters: int = 4000
    timeout_seconds: float = 5.0
    pause: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        """Refuses an address that is not HTTP: urllib would open files as well."""
        if not self.base_url.lower().startswith(("https://", "http://")):
            raise ValueError("the address of the reranking service must begin with https:// or http://")

    @property
    def name(self) -> str:
        """The model; "http" where the server has only one."""
        return self.model or "http"

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Logits become scores by the logistic function, all of them or none."""
        asked, sent = sendable(query, self.max_characters), [sendable(text, self.max_characters) for text in texts]
        scores: list[float] = []
        for start in range(0, len(sent), self.batch):
            scores += self._call(asked, sent[start : start + self.batch])
        return in_unit_range(scores)

    def _call(self, query: str, texts: Sequence[str]) -> list[float]:
        body: dict[str, Any] = {"query": query, "documents": texts, "top_n": len(texts)}
        if self.model:
            body["model"] = self.model
        try:
            results = _results(json.loads(self._post(json.dumps(body).encode())))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise RerankerFailed("the reranking service answered without a list of scores") from error
        return aligned(results, len(texts))

    def _post(self, body: bytes) -> bytes:
        try:
            return self._send(body)
        except urllib.error.HTTPError as error:
            error.close()
            pause = _pause_seconds(error.headers.get("Retry-After"))
            if error.code not in BUSY or pause > LONGEST_PAUSE_SECONDS:
                raise _refused(error) from error
        self.pause(pause)
        try:
            return self._send(body)
        except urllib.error.HTTPError as error:
            error.close()
            raise _refused(error) from error

    def _send(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        until = self.clock() + self.timeout_seconds
        request = urllib.request.Request(self._url, body, headers, method="POST")  # noqa: S310 - checked at the start
        try:
            with self._opener.open(request, timeout=self.timeout_seconds) as answer:
                return self._read(answer, until)
        except urllib.error.HTTPError:
            raise
        except (OSError, http.client.HTTPException) as error:
            cause = getattr(error, "reason", error)
            raise RerankerFailed(f"the reranking service did not answer: {type(cause).__name__}") from error

    def _read(self, answer: http.client.HTTPResponse, until: float) -> bytes:
        """Piece by piece: the time-out of a socket starts anew with every byte."""
        content = bytearray()
        while piece := answer.read1(PIECE_BYTES):
            content += piece
            if len(content) > MAX_ANSWER_BYTES:
                raise RerankerFailed(f"the reranking service answered more than {MAX_ANSWER_BYTES} bytes")
            if self.clock() > until:
                raise RerankerFailed("the reranking service did not answer to the end in time")
        return bytes(content)

    @cached_property
    def _url(self) -> str:
        base = self.base_url.rstrip("/")
        return base if base.endswith(PATHS) else base + PATHS[0]

    @cached_property
    def _opener(self) -> urllib.request.OpenerDirector:
        return opener()


def _results(answer: Any) -> list[tuple[Any, Any]]:
    """(index, score) from the list, which stands alone, in "results" or in "data", at the top or in "output"."""
    if isinstance(answer, dict):
        outer = answer.get("output", answer)
        answer = outer["results"] if "results" in outer else outer["data"]
    return [
        (entry["index"], entry["relevance_score"] if "relevance_score" in entry else entry["score"]) for entry in answer
    ]


def _refused(error: urllib.error.HTTPError) -> RerankerFailed:
    """With the status alone: some services repeat the key in the body."""
    return RerankerFailed(f"the reranking service refused the call: HTTP {error.code}")


def _pause_seconds(retry_after: str | None) -> float:
    return float(retry_after) if retry_after and retry_after.isdecimal() else PAUSE_SECONDS
