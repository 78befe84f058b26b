"""The service as the bench sees it: one store on the embedded server, filled and asked over one kept connection."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from json import dumps, loads
from pathlib import Path
from typing import Any

from tests.bench.corpora import Corpus
from tests.bench.figures import distinct
from tests.flows.server_process import Client, wait_until

STORE = "bench"
TOP = 50
PATIENCE_STEPS = 36_000  # half an hour
WARM_UP = {"appId": "warm", "tenantId": "up", "agentId": "bench", "runId": "r1"}
INDEXED = "indexed.json"
_CALLS = 100  # records of calls on one page


@dataclass(frozen=True)
class Indexed:
    """What adding a corpus took, from the first add to the end of the last task."""

    seconds: float
    memories: int


@dataclass(frozen=True)
class Found:
    """Distinct turns, best first, and how long it took: for us, and (once asked for) in the server's own record."""

    turns: tuple[str, ...]
    call_id: str
    seconds: float


class Bench:
    """Calls of one corpus after the other; `folder` remembers what has been added, so that it is added once."""

    def __init__(self, client: Client, folder: Path) -> None:
        self._client = client
        self._memory = folder / INDEXED
        self.began = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        status, answer = client.call("CreateMemoryStore", {"memoryStoreName": STORE})
        if status not in {200, 409}:
            raise RuntimeError(f"CreateMemoryStore: {answer}")

    def index(self, corpus: Corpus) -> tuple[Indexed, bool]:
        """What it took, and whether that was now; RuntimeError for a task that did not complete."""
        known = loads(self._memory.read_text(encoding="utf-8")) if self._memory.exists() else {}
        if corpus.digest in known:
            return Indexed(**known[corpus.digest]), False
        self._ok("AddMemories", scope=WARM_UP, text="The model is loaded before anything is measured.", sync=True)
        started = time.perf_counter()
        tasks = [self._add(corpus.name, *batch) for batch in _batches(corpus)]
        ended = [self._ended(task) for task in tasks]
        seconds = time.perf_counter() - started
        result = Indexed(seconds, len({unit for task in ended for unit in task["derivedUnitIds"]}))
        self._memory.write_text(dumps({**known, corpus.digest: asdict(result)}), encoding="utf-8")
        return result, True

    def search(self, corpus: Corpus, conversation: str, query: str, *, rerank: bool) -> Found:
        """The turns behind 50 results of any agent and run, in the order of the results and of their references."""
        scope = {"appId": corpus.name, "tenantId": conversation, "agentId": "*", "runId": "*"}
        body = {"memoryStoreName": STORE, "scope": scope, "query": query, "topK": TOP, "enableRerank": rerank}
        started = time.perf_counter()
        status, answer, headers = self._client.send("POST", "/SearchMemories", dumps(body).encode())
        seconds = time.perf_counter() - started
        if status != 200:
            raise RuntimeError(f"SearchMemories: {answer}")
        refs = (ref for result in answer["results"] for ref in result["unit"]["source_turn_refs"])
        return Found(distinct(ref["messageId"] for ref in refs), headers["x-ots-requestid"], seconds)

    def remembered(self, corpus: Corpus) -> dict[str, set[str]]:
        """By conversation: the turns that some memory names."""
        return {talk.name: set(self._turns(corpus.name, talk.name)) for talk in corpus.conversations}

    def latencies(self) -> dict[str, float]:
        """Milliseconds of each search of this run by the id of its call, from the server's record of calls."""
        scope = dict.fromkeys(("appId", "tenantId", "agentId", "runId"), "*")
        asked = {"scope": scope, "operation": "SearchMemories", "minTimestamp": self.began, "limit": _CALLS}
        calls = self._pages("ListMemoryStoreRequests", "requests", **asked)
        return {call["requestId"]: float(call["latencyMs"]) for call in calls}

    def _add(self, app: str, tenant: str, run: str, messages: list[dict[str, Any]]) -> str:
        scope = {"appId": app, "tenantId": tenant, "agentId": "bench", "runId": run}
        return str(self._ok("AddMemories", scope=scope, messages=messages)["requestId"])

    def _ended(self, task: str) -> dict[str, Any]:
        wait_until(lambda: "finishedAt" in self._task(task), PATIENCE_STEPS)
        ended = self._task(task)
        if ended["status"] != "completed":
            raise RuntimeError(f"task {task}: {ended}")
        return ended

    def _task(self, task: str) -> dict[str, Any]:
        found: dict[str, Any] = self._ok("GetMemoryTask", requestId=task)["task"]
        return found

    def _turns(self, app: str, tenant: str) -> Iterator[str]:
        scope = {"appId": app, "tenantId": tenant, "agentId": "*", "runId": "*"}
        for unit in self._pages("ListMemories", "memories", scope=scope, limit=_CALLS):
            yield from (ref["messageId"] for ref in unit["source_turn_refs"])

    def _pages(self, call: str, name: str, **fields: Any) -> Iterator[dict[str, Any]]:
        more: dict[str, Any] = {}
        while True:
            page = self._ok(call, **fields, **more)
            yield from page[name]
            if "nextToken" not in page:
                return
            more = {"nextToken": page["nextToken"]}

    def _ok(self, call: str, **fields: Any) -> dict[str, Any]:
        status, answer = self._client.call(call, {"memoryStoreName": STORE, **fields})
        if status != 200:
            raise RuntimeError(f"{call}: {answer}")
        return answer


def _batches(corpus: Corpus) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    for talk in corpus.conversations:
        yield from ((talk.name, run, messages) for run, messages in talk.batches())
