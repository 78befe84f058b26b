"""schemathesis over the served document: no 5xx, no undocumented status, no answer of another shape."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_memory.openapi.document import document
from tests.conftest import Service, make_service
from tests.flows.described import misfits
from tests.flows.server_process import HOST, STORE, ServerProcess

ROOT = Path(__file__).resolve().parents[2]
SCOPE = {"appId": "known", "tenantId": "t1", "agentId": "a1", "runId": "r1"}  # no example deletes it
EXAMPLES = 15  # of each operation, beside those that cover each limit of its schema
SECONDS = 300
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
)
NEVER_SERVED = {"/RetryMemoryTask"}  # no task fails here
INSTANCE = "x-ots-instancename"
LIBRARY_REFUSAL = b"Invalid HTTP request received."
LIBRARY_WARNING = LIBRARY_REFUSAL.decode()  # a header that no HTTP message may have
FACTS = (
    "我穿{}码的鞋。",
    "I was born in {}.",
    "My sister has {} cats.",
    "我有{}本书。",
    "I run {} km every Sunday morning.",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose log holds nothing but what the HTTP library says of requests that are none."""
    with ServerProcess(tmp_path_factory.mktemp("server")) as process:
        yield process
        assert process.stop() == 0
        assert {json.loads(line)["message"] for line in process.err.read_text().splitlines()} <= {LIBRARY_WARNING}


@pytest.fixture(scope="module")
def known(server: ServerProcess) -> dict[str, Any]:
    """A store with memories, tasks and messages, and the ids of them."""
    client = server.client()
    client.ok("CreateMemoryStore", {"memoryStoreName": STORE})
    texts = [each.format(number) for each in FACTS for number in range(2, 6)]
    adds = [{"memoryStoreName": STORE, "scope": SCOPE, "text": text, "sync": True} for text in texts]
    tasks = [client.ok("AddMemories", add)["requestId"] for add in adds]
    memories = client.ok("ListMemories", {"memoryStoreName": STORE, "scope": {"appId": "*"}})["memories"]
    assert len(memories) > 10
    return {"ids": {"memoryId": [each["id"] for each in memories], "requestId": tasks}, "scope": SCOPE}


@pytest.fixture(scope="module")
def fresh() -> Service:
    """A service without any store."""
    return make_service()


def run(server: ServerProcess, known: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    """`schemathesis run` in the folder."""
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "run", f"http://{HOST}:{server.port}/openapi.json"),
        *("--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES)),
        *("--seed", "1", "--generation-deterministic", "--no-color", "--warnings", "off"),
    ]
    hooks = {"SCHEMATHESIS_HOOKS": "tests.flows.schemathesis_hooks", "KNOWN": json.dumps(known)}
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, **hooks, "SEEN": str(folder / "seen.txt"), "PYTHONPATH": path}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS
    )


def test_a_run_finds_nothing(server, known, tmp_path):
    """Examples, limits and random bodies, valid and not; every operation is reached, refused and served."""
    done = run(server, known, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    seen = Counter((tmp_path / "seen.txt").read_text().splitlines())
    paths = set(document()["paths"])
    assert not [path for path in paths if not seen[f"{path} 400"]]
    assert {path for path in paths if not seen[f"{path} 200"]} <= NEVER_SERVED


@given(name=st.text(max_size=70))
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_instance_name_is_taken_or_refused(fresh, name):
    """In every alphabet, with whatever a header could hold if it could hold everything."""
    status, answer = fresh.call("ListMemoryStores", {}, x_ots_instancename=name)
    assert (status, answer.get("stores", answer.get("code"))) in ((200, []), (400, "INVALID_PARAMETER"))
    assert misfits("ListMemoryStores", status, answer) == []


@given(name=st.binary(max_size=70).filter(lambda name: not set(name) & set(b"\r\n\0")))
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_in_the_header_are_taken_or_refused(server, name):
    """By the served copy, which reads them as the HTTP library does."""
    client = server.client()
    client.connection.request("POST", "/ListMemoryStores", b"{}", {INSTANCE: name})
    answer = client.connection.getresponse()
    body = answer.read()
    client.connection.close()
    assert answer.status in (200, 400)
    if body != LIBRARY_REFUSAL:
        assert misfits("ListMemoryStores", answer.status, json.loads(body)) == []
