"""Any endpoint that speaks OpenAI's POST /embeddings (platform.openai.com/docs/api-reference/embeddings/create)."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from agent_memory.adapters.embedding_parts import checked_rows, parts_of, pooled
from agent_memory.adapters.no_redirects import opener
from agent_memory.errors import EmbedderFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agent_memory.ports import Vectors

RETRYABLE = frozenset({429, 500, 502, 503, 504})
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 20.0


@dataclass(frozen=True)
class OpenAIEmbedder:
    """`base_url` ends before "/embeddings"; `dim` is what the model gives, or is asked for with `shorten`.

    Every part of a text has at most `part_bytes` of UTF-8: 8,000 suit OpenAI's 8,191 tokens, models that read less need
    less. `prefixes` go before texts of the (query, passage) side, for models trained with such. `pause` sleeps.
    """

    base_url: str
    api_key: str = field(repr=False)
    model: str
    dim: int
    _: KW_ONLY
    prefixes: tuple[str, str] = ("", "")
    shorten: bool = False
    batch: int = 64
    part_bytes: int = 8000
    timeout_seconds: float = 30.0
    attempts: int = 4
    pause: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        """Refuses an address that is not HTTP (urllib would open files as well) and a dimension that is not set."""
        if self.dim < 1:
            raise EmbedderFailed("the dimension of the embedding service's vectors is not set")
        if not self.base_url.lower().startswith(("https://", "http://")):
            raise EmbedderFailed("the address of the embedding service must begin with https:// or http://")

    def embed(self, texts: Sequence[str], side: Literal["query", "passage"]) -> Vectors:
        """Unit vectors; raises EmbedderFailed with the status, after the attempts are used up where one may help."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dim), np.float32)
        prefix = self.prefixes[side == "passage"]
        parts = parts_of(texts, self.part_bytes - len(prefix.encode()))
        sent = [prefix + text for text in parts.texts]
        rows = [self._call(sent[start : start + self.batch]) for start in range(0, len(sent), self.batch)]
        return pooled(np.concatenate(rows), parts.owners, parts.weights, parts.count)

    def _call(self, texts: Sequence[str]) -> Vectors:
        body: dict[str, Any] = {"model": self.model, "input": list(texts)}
        if self.shorten:
            body["dimensions"] = self.dim
        answer = self._post(json.dumps(body).encode())
        try:
            rows = _in_order(json.loads(answer)["data"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise EmbedderFailed("the embedding service answered without a list of embeddings") from error
        return checked_rows(rows, len(texts), self.dim)

    def _post(self, body: bytes) -> bytes:
        for attempt in range(1, self.attempts + 1):
            try:
                return self._send(body)
            except urllib.error.HTTPError as error:
                error.close()
                if error.code not in RETRYABLE or attempt >= self.attempts:
                    # the body stays unread: some services repeat the key in it
                    raise EmbedderFailed(f"the embedding service refused the call: HTTP {error.code}") from error
                self.pause(_pause_seconds(attempt, error.headers.get("Retry-After")))
            except (OSError, http.client.HTTPException) as error:
                cause = getattr(error, "reason", error)
                raise EmbedderFailed(f"the embedding service did not answer: {type(cause).__name__}") from error
        raise EmbedderFailed("the embedder is set to make no attempt")

    def _send(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        url = self.base_url.rstrip("/") + "/embeddings"
        request = urllib.request.Request(url, body, headers, method="POST")  # noqa: S310 - scheme checked at the start
        with self._opener.open(request, timeout=self.timeout_seconds) as answer:
            content: bytes = answer.read()
            return content

    @cached_property
    def _opener(self) -> urllib.request.OpenerDirector:
        return opener()


def _in_order(data: Any) -> list[Any]:
    """The embeddings by their `index`; by position where a service leaves that out."""
    placed = {entry.get("index", position): entry["embedding"] for position, entry in enumerate(data)}
    return [placed[position] for position in range(len(data))]


def _pause_seconds(attempt: int, retry_after: str | None) -> float:
    """What the service asks for, else doubling; never more than the longest pause."""
    wanted = float(retry_after) if retry_after and retry_after.isdigit() else FIRST_PAUSE_SECONDS * 2.0 ** (attempt - 1)
    return min(wanted, LONGEST_PAUSE_SECONDS)
