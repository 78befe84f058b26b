"""`agent-memory serve` as a process of its own, and a small client that keeps its connection."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Self

HOST = "127.0.0.1"
STEP_SECONDS = 0.05
START_STEPS = 1_200
STOP_SECONDS = 60
CALL_SECONDS = 60
SERVE = (sys.executable, "-m", "agent_memory.local.cli", "serve")
STORE = "mem"
TENANT = {"appId": "shop", "tenantId": "t1"}
SCOPE = {**TENANT, "agentId": "a1", "runId": "r1"}
URL = re.compile(r"http://127\.0\.0\.1:(\d+)")


def environment(**settings: str) -> dict[str, str]:
    """The environment of this process without settings of the service, but for the place of the model."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AGENT_MEMORY_")}
    model = os.environ.get("AGENT_MEMORY_MODEL_DIR")
    return {**kept, **({"AGENT_MEMORY_MODEL_DIR": model} if model else {}), **settings}


def wait_until(condition: Callable[[], bool], steps: int = START_STEPS) -> None:
    """Look again and again, up to a minute by default."""
    pause = threading.Event()
    for _ in range(steps):
        if condition():
            return
        pause.wait(STEP_SECONDS)
    raise TimeoutError(f"not within {steps * STEP_SECONDS:.0f} seconds")


class Client:
    """Calls operations over one kept connection; for one thread."""

    def __init__(self, port: int) -> None:
        self.connection = HTTPConnection(HOST, port, timeout=CALL_SECONDS)

    def call(self, name: str, body: Any) -> tuple[int, dict[str, Any]]:
        """(status, answer) of a POST."""
        status, answer, _ = self.send("POST", f"/{name}", json.dumps(body, ensure_ascii=False).encode())
        return status, answer

    def send(self, method: str, path: str, body: Any = None, **options: Any) -> tuple[int, Any, dict[str, str]]:
        """(status, answer, headers) of any request; the answer is None without a body."""
        self.connection.request(method, path, body, **options)
        response = self.connection.getresponse()
        data = response.read()
        return response.status, json.loads(data) if data else None, dict(response.getheaders())

    def ok(self, name: str, body: Any) -> dict[str, Any]:
        """The answer of a call that must succeed."""
        status, answer = self.call(name, body)
        assert status == 200, answer
        return answer

    def task(self, request_id: str) -> dict[str, Any]:
        """The task of an add."""
        task: dict[str, Any] = self.ok("GetMemoryTask", {"memoryStoreName": STORE, "requestId": request_id})["task"]
        return task

    def add(self, messages: str | list[Any], run: str = "r1", **fields: Any) -> str:
        """The task of an AddMemories of one user message, or of the messages given."""
        listed = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
        body = {"memoryStoreName": STORE, "scope": {**SCOPE, "runId": run}, "messages": listed, **fields}
        return str(self.ok("AddMemories", body)["requestId"])

    def completed(self, request_id: str) -> dict[str, Any]:
        """The task once it has ended, which it must as completed."""
        wait_until(lambda: "finishedAt" in self.task(request_id))
        task = self.task(request_id)
        assert task["status"] == "completed"
        return task

    def search(self, query: str) -> list[dict[str, Any]]:
        """The memories found in the tenant, at most 50."""
        body = {"memoryStoreName": STORE, "scope": TENANT, "query": query, "topK": 50}
        return [result["unit"] for result in self.ok("SearchMemories", body)["results"]]

    def messages(self, run: str = "r1", **fields: Any) -> dict[str, Any]:
        """One page of a conversation."""
        return self.ok(
            "ListMemoryStoreMessages", {"memoryStoreName": STORE, "scope": {**SCOPE, "runId": run}, **fields}
        )


class ServerProcess:
    """Started by `start` on a free port; `stop` asks it to end, `kill` does not ask. Usable as a context."""

    def __init__(self, folder: Path, *arguments: str, **settings: str) -> None:
        self.data = folder / "data"
        self.out, self.err = folder / "stdout.txt", folder / "stderr.txt"
        self._command: Sequence[str] = (*SERVE, "--port", "0", "--data", str(self.data), *arguments)
        self._environment = environment(**settings)
        self.port = 0

    def start(self) -> Self:
        """Return once /health answers; RuntimeError with the server's own words if it ends before."""
        with self.out.open("wb") as out, self.err.open("ab") as err:
            self.process = subprocess.Popen(self._command, stdout=out, stderr=err, env=self._environment)
        wait_until(self._is_up)
        assert self.client().send("GET", "/health")[0] == 200
        return self

    def client(self) -> Client:
        """A client of its own connection."""
        return Client(self.port)

    def connect(self) -> socket.socket:
        """A bare connection."""
        return socket.create_connection((HOST, self.port), timeout=CALL_SECONDS)

    def refuses(self) -> bool:
        """Whether nobody listens any more."""
        try:
            self.connect().close()
        except ConnectionRefusedError:
            return True
        return False

    def signal(self, number: int = signal.SIGTERM) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    def wait(self) -> int:
        """Its exit code, within a minute."""
        return self.process.wait(STOP_SECONDS)

    def stop(self) -> int:
        """End it in good order."""
        self.signal()
        return self.wait()

    def kill(self) -> None:
        """End it at once, as `kill -9`."""
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *exception: object) -> None:
        if self.process.poll() is None:
            self.kill()

    def _is_up(self) -> bool:
        if self.process.poll() is not None:
            raise RuntimeError(f"the server ended with {self.process.returncode}: {self.err.read_text()}")
        found = URL.search(self.out.read_text())
        self.port = int(found[1]) if found else 0
        return found is not None
