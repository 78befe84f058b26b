"""The service in this process: Lambda's handlers on the embedded adapters, asked with API Gateway's events."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from agent_memory.adapters.query_cache import CachedEmbedder
from agent_memory.local.functions import load_handler, load_routes
from agent_memory.local.http_events import HttpRequest, http_event
from agent_memory.local.lambda_context import LocalContext
from agent_memory.local.poller import Poller
from agent_memory.services import Services, use_services
from agent_memory.settings import Settings
from tests.bench.figures import distinct
from tests.bench.systems import TOP, Answer
from tests.clients.conversations import Conversation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.ports import Embedder, Vectors

STORE = "bench"
APP = "bench"
ROUNDS = 100_000
MANY = 1_000_000
LONG = 600.0


class KeptVectors:
    """An embedder that makes the vector of a passage once, and counts what its own work took."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: dict[str, NDArray[np.float32]] = {}
        self.seconds = 0.0

    @property
    def model(self) -> str:
        """The inner embedder's."""
        return self._embedder.model

    @property
    def dim(self) -> int:
        """The inner embedder's."""
        return self._embedder.dim

    def embed(self, texts: Sequence[str], side: Literal["query", "passage"]) -> Vectors:
        """As the inner embedder."""
        import numpy as np

        started = time.perf_counter()
        if side == "query" or not texts:
            return self._embedder.embed(texts, side)
        missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if missing:
            self._kept.update(zip(missing, self._embedder.embed(missing, side), strict=True))
        stacked = np.stack([self._kept[text] for text in texts])
        self.seconds += time.perf_counter() - started
        return stacked


class InProcess:
    """One store, a tenant for each conversation. `embedder` is shared with whoever wants the same vectors."""

    name = "Agent Memory"

    def __init__(self, folder: Path, vectors: KeptVectors) -> None:
        self.vectors = vectors
        self.embedder = CachedEmbedder(vectors, size=MANY)
        settings = Settings(data_dir=str(folder), log_level="CRITICAL", lease_seconds=int(LONG))
        self._query_seconds: dict[str, float] = {}
        self._services = Services(settings, embedder=self.embedder)
        use_services(self._services)
        self._routes = load_routes()
        self._call("CreateMemoryStore", {"memoryStoreName": STORE})

    def embed_queries(self, texts: Sequence[str]) -> dict[str, float]:
        """Seconds of each; afterwards they are remembered, as the service remembers recent ones."""
        self.vectors.embed(["warm up"], "query")
        for text in texts:
            if text not in self._query_seconds:
                started = time.perf_counter()
                self.embedder.embed([text], "query")
                self._query_seconds[text] = time.perf_counter() - started
        return {text: self._query_seconds[text] for text in texts}

    def index(self, talk: Conversation, _language: str) -> float:
        """Adds, extraction and the first search; without the time of the embedder."""
        before, started = self.vectors.seconds, time.perf_counter()
        for run, messages in talk.batches():
            scope = {"appId": APP, "tenantId": talk.name, "agentId": "bench", "runId": run}
            self._call("AddMemories", {"memoryStoreName": STORE, "scope": scope, "messages": messages})
        self._work()
        self.search(talk.name, talk.questions[0].text)
        return time.perf_counter() - started - (self.vectors.seconds - before)

    def search(self, tenant: str, query: str) -> Answer:
        """The time is the handler's, from the event to the response."""
        scope = {"appId": APP, "tenantId": tenant, "agentId": "*", "runId": "*"}
        body = {"memoryStoreName": STORE, "scope": scope, "query": query, "topK": TOP}
        answer, seconds = self._call("SearchMemories", body)
        refs = (ref for result in answer["results"] for ref in result["unit"]["source_turn_refs"])
        return Answer(distinct(ref["messageId"] for ref in refs), seconds)

    def close(self) -> None:
        """Let go of the files."""
        self._services.table.close()
        self._services.queue.close()

    def _call(self, operation: str, body: dict[str, Any]) -> tuple[dict[str, Any], float]:
        request = HttpRequest("POST", f"/{operation}", body=json.dumps(body).encode())
        event = http_event(request, request_id=self._services.new_id(), now_ms=self._services.now_ms())
        context = LocalContext(operation, self._services.new_id(), time.time() + LONG, time.time)
        started = time.perf_counter()
        response = self._routes[operation](event, context)
        seconds = time.perf_counter() - started
        answer = json.loads(response["body"])
        if response["statusCode"] != 200:
            raise RuntimeError(f"{operation}: {answer}")
        return answer, seconds

    def _work(self) -> None:
        stop = threading.Event()
        poller = Poller(
            queue=self._services.queue,
            queue_name="extraction",
            handler=load_handler("extraction_worker"),
            region="local",
            stop=stop,
            wait=stop.wait,
            now=time.time,
            new_id=self._services.new_id,
        )
        if failed := poller.drain(ROUNDS).failed:
            raise RuntimeError(f"{failed} jobs of the extraction failed")
