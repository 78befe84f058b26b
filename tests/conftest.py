"""The service in one process: real handlers, real SQLite adapters in memory, a clock that tests turn."""

from __future__ import annotations

import json
import threading
from typing import Any

import hypothesis
import pytest

from agent_memory.local.functions import load_handler, load_routes
from agent_memory.local.poller import Poller
from agent_memory.services import Services, use_services
from agent_memory.settings import Settings
from tests.stand_ins import Clock, Ids, MemorySnapshots, WordEmbedder

hypothesis.settings.register_profile("shared-cores", deadline=None)
hypothesis.settings.load_profile("shared-cores")

SCOPE = {"appId": "shop", "tenantId": "t1", "agentId": "a1", "runId": "r1"}


class Service:
    """Calls operations as API Gateway would, and runs the queued jobs when told to."""

    def __init__(self, services: Services, clock: Clock) -> None:
        self.services = services
        self.clock = clock
        self._routes = load_routes()
        self._workers = {name: f"{name}_worker" for name in ("extraction", "maintenance", "index")}

    def call(self, name: str, body: Any, **headers: str) -> tuple[int, dict[str, Any]]:
        """(status, answer) of one call; `body` is JSON text or anything that becomes it."""
        use_services(self.services)
        status, answer, _ = self.raw(name, body, **headers)
        return status, answer

    def raw(self, name: str, body: Any, **headers: str) -> tuple[int, dict[str, Any], dict[str, str]]:
        """(status, answer, headers) of one call."""
        event = {
            "version": "2.0",
            "rawPath": f"/{name}",
            "headers": {key.replace("_", "-"): value for key, value in headers.items()},
            "requestContext": {"http": {"method": "POST", "path": f"/{name}"}},
            "body": body if isinstance(body, str) else json.dumps(body),
            "isBase64Encoded": False,
        }
        response = self._routes[name](event, None)
        return response["statusCode"], json.loads(response["body"]), response["headers"]

    def ok(self, name: str, body: Any, **headers: str) -> dict[str, Any]:
        """The answer of a call that must succeed."""
        status, answer = self.call(name, body, **headers)
        assert status == 200, answer
        return answer

    def refused(self, name: str, body: Any, **headers: str) -> tuple[int, str]:
        """(status, message) of a call that must not succeed."""
        status, answer = self.call(name, body, **headers)
        assert status != 200, answer
        assert set(answer) == {"code", "message", "requestId"}
        return status, answer["message"]

    def drain(self, queue: str = "extraction") -> int:
        """Run the queue's jobs until none is left; how many were handed out."""
        use_services(self.services)
        handler = load_handler(self._workers[queue])
        stop = threading.Event()
        poller = Poller(
            queue=self.services.queue,
            queue_name=queue,
            handler=handler,
            region="local",
            stop=stop,
            wait=stop.wait,
            now=self.clock.seconds,
            new_id=self.services.new_id,
        )
        return poller.drain(max_rounds=1_000).handled

    def sweep(self) -> int:
        """Run the sweeper once."""
        use_services(self.services)
        done: int = load_handler("sweeper")({}, None)["done"]
        return done

    def add(self, content: str | list[Any], store: str = "mem", scope: Any = None, **fields: Any) -> dict[str, Any]:
        """AddMemories of one user message, or of the messages given."""
        messages = [{"role": "user", "content": content}] if isinstance(content, str) else content
        return self.ok(
            "AddMemories", {"memoryStoreName": store, "scope": scope or SCOPE, "messages": messages, **fields}
        )

    def search(self, query: str, store: str = "mem", scope: Any = None, **fields: Any) -> list[dict[str, Any]]:
        """Results of a search over the tenant."""
        where = scope or {"appId": "shop", "tenantId": "t1"}
        answer = self.ok("SearchMemories", {"memoryStoreName": store, "scope": where, "query": query, **fields})
        results: list[dict[str, Any]] = answer["results"]
        return results

    def task(self, request_id: str, store: str = "mem") -> dict[str, Any]:
        """The task of an add."""
        task: dict[str, Any] = self.ok("GetMemoryTask", {"memoryStoreName": store, "requestId": request_id})["task"]
        return task

    def messages(self, store: str = "mem", scope: Any = None, **fields: Any) -> list[dict[str, Any]]:
        """The messages of a conversation, one page."""
        answer = self.ok("ListMemoryStoreMessages", {"memoryStoreName": store, "scope": scope or SCOPE, **fields})
        listed: list[dict[str, Any]] = answer["session"]["messages"]
        return listed


def make_service(**ports: Any) -> Service:
    """A service on SQLite in memory; ports given take the place of its own."""
    from agent_memory.adapters.sqlite_queue import SqliteQueue
    from agent_memory.adapters.sqlite_table import SqliteTable

    clock, ids = Clock(), Ids()
    settings = Settings(log_level="CRITICAL")
    queue = SqliteQueue(
        ":memory:", now=clock.seconds, new_id=ids, visibility_seconds=60, max_attempts=settings.max_attempts
    )
    embedded: dict[str, Any] = {"table": SqliteTable(":memory:", now=clock.seconds), "queue": queue}
    embedded |= {"embedder": WordEmbedder(), "snapshots": MemorySnapshots()}
    return Service(Services(settings, now_ms=clock.milliseconds, new_id=ids, **{**embedded, **ports}), clock)


@pytest.fixture
def service() -> Service:
    """A fresh service with one store, `mem`."""
    made = make_service()
    made.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    return made
