"""The service on its embedded adapters in a folder, with vectors that cost nothing, for the bench of sizes."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agent_memory import keys
from agent_memory.adapters.file_snapshots import FileSnapshots
from agent_memory.adapters.log_audit import LogAudit
from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.adapters.table_audit import TableAudit
from agent_memory.keys import digest
from agent_memory.local.functions import load_handler, load_routes
from agent_memory.local.http_events import HttpRequest, http_event
from agent_memory.local.lambda_context import LocalContext
from agent_memory.local.poller import Poller
from agent_memory.ports import Key, WideTable
from agent_memory.services import Services, use_services
from agent_memory.settings import Settings
from agent_memory.snapshot_store import SnapshotStore
from agent_memory.store_access import TenantView, read_tenant
from tests.bench.synthetic import DIM, MODEL, PER_CONVERSATION, texts

STORE, APP, INSTANCE = "bench", "bench", "default"
LONG = 600.0
ROUNDS = 100_000


class RandomVectors:
    """A direction for each text, the same every time."""

    model, dim = MODEL, DIM

    def embed(self, given: Sequence[str], _side: str) -> Any:
        """Rows of norm 1."""
        rows = [np.random.default_rng(int(digest(text, length=16), 16)).standard_normal(DIM) for text in given]
        found = np.array(rows, np.float32).reshape(len(given), DIM)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


class Embedded:
    """One process of the service; `table` and `snapshots` take the place of those of the folder.

    Records of calls are written as on Lambda: by each call, in one batch.
    """

    def __init__(self, folder: Path, **ports: Any) -> None:
        settings = Settings(data_dir=str(folder), log_level="CRITICAL", lease_seconds=int(LONG))
        ports.setdefault("snapshots", FileSnapshots(folder / "snapshots"))
        self.services = Services(settings, **{"embedder": RandomVectors(), **ports})
        log, services = LogAudit(self.services.logger, None), self.services
        audit = TableAudit(services.table, log, days=30, now_ms=services.now_ms, eager=True)
        services.__dict__["audit"] = audit
        self._routes = load_routes()

    def call(self, operation: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer; one that is no success raises RuntimeError."""
        use_services(self.services)
        request = HttpRequest("POST", f"/{operation}", body=json.dumps({"memoryStoreName": STORE, **body}).encode())
        event = http_event(request, request_id=self.services.new_id(), now_ms=self.services.now_ms())
        context = LocalContext(operation, self.services.new_id(), time.time() + LONG, time.time)
        response = self._routes[operation](event, context)
        answer: dict[str, Any] = json.loads(response["body"])
        if response["statusCode"] != 200:
            raise RuntimeError(f"{operation}: {answer}")
        return answer

    def add(self, tenant: str, memories: int, most: int = PER_CONVERSATION) -> None:
        """AddMemories of conversations until there are so many, and all that follows until they are completed."""
        said = texts(memories)
        for start in range(0, memories, most):
            messages = [
                {"role": "user", "speaker": speaker, "content": text, "messageId": f"m{start + place}"}
                for place, (speaker, text) in enumerate(said[start : start + most])
            ]
            scope = {"appId": APP, "tenantId": tenant, "agentId": "agent", "runId": f"run-{start // most}"}
            self.call("AddMemories", {"scope": scope, "messages": messages})
        self.drain()

    def drain(self) -> None:
        """Do the extraction's jobs."""
        use_services(self.services)
        stop = threading.Event()
        poller = Poller(
            queue=self.services.queue,
            queue_name="extraction",
            handler=load_handler("extraction_worker"),
            region="local",
            stop=stop,
            wait=stop.wait,
            now=time.time,
            new_id=self.services.new_id,
        )
        if failed := poller.drain(ROUNDS).failed:
            raise RuntimeError(f"{failed} jobs of the extraction failed")

    def search(self, tenant: str, query: str, top_k: int = 50) -> list[dict[str, Any]]:
        """The results, without evidence."""
        scope = {"appId": APP, "tenantId": tenant, "agentId": "*", "runId": "*"}
        found: list[dict[str, Any]] = self.call(
            "SearchMemories", {"scope": scope, "query": query, "topK": top_k, "includeEvidence": False}
        )["results"]
        return found

    def view(self, tenant: str) -> TenantView:
        """The tenant as it stands."""
        return read_tenant(self.services.table, (INSTANCE, STORE), (APP, tenant), self.services.uid_hints)

    def close(self) -> None:
        """Let go of the files."""
        self.services.table.close()
        if "queue" in self.services.__dict__:
            self.services.queue.close()


def table_of(folder: Path) -> SqliteTable:
    """The folder's table."""
    return SqliteTable(folder / "memories.sqlite3", now=time.time)


def files_of(folder: Path) -> SnapshotStore:
    """The folder's snapshots."""
    return FileSnapshots(folder / "snapshots")


def memories_of(table: WideTable, partition: str) -> Iterator[Key]:
    """Keys of the tenant's memories."""
    after = None
    while True:
        page = table.query(partition, *keys.prefix_range("unit/"), limit=1_000, after=after)
        yield from (item.key for item in page.items)
        if not page.more:
            return
        after = page.items[-1].key.sk


def seconds(step: Callable[[], object]) -> float:
    """How long it takes."""
    started = time.perf_counter()
    step()
    return time.perf_counter() - started
