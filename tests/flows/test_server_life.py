"""The embedded server as a process: how it starts, stops, and says why it can't."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from agent_memory.change_log import SNAPSHOT_EVERY
from tests.flows.server_process import HOST, SERVE, ServerProcess, environment, wait_until

CREATE = b'{"memoryStoreName":"mem"}'
NO_REGION = {"AWS_REGION": "", "AWS_DEFAULT_REGION": "", "AWS_CONFIG_FILE": "none", "AWS_EC2_METADATA_DISABLED": "true"}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_finishes_the_job_in_hand(server: ServerProcess, number: int) -> None:
    """A task that was running at the signal is completed in the file that the server leaves, in one attempt."""
    client = server.client()
    client.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    words = "每周三晚上学游泳,周末去爬山,冬天滑雪。 I swim every Wednesday evening and hike at weekends. "
    messages = [{"role": "user", "content": f"{turn}: {words * 12}"} for turn in range(20)]
    task = client.add(messages)
    wait_until(lambda: client.task(task)["status"] == "running")
    server.signal(number)
    assert server.wait() == 0
    with closing(sqlite3.connect(server.data / "memories.sqlite3")) as file:
        (body,) = file.execute("SELECT body FROM items WHERE sk = ?", (f"task/{task}",)).fetchone()
    assert '"status":"completed"' in body
    assert '"attempts":1' in body
    assert sorted(path.name for path in server.data.iterdir()) == [
        "access-keys.key",
        "jobs.sqlite3",
        "memories.sqlite3",
    ]


def test_a_stop_finishes_the_request_in_hand(server: ServerProcess) -> None:
    """A request whose body is still coming at the signal gets its answer; nobody else is let in."""
    with server.connect() as connection:
        connection.sendall(
            f"POST /CreateMemoryStore HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(CREATE)}\r\n\r\n".encode()
        )
        assert server.client().send("GET", "/health")[0] == 200  # by now the request above has been accepted
        server.signal()
        wait_until(server.refuses)
        connection.sendall(CREATE)
        assert connection.recv(1_024).startswith(b"HTTP/1.1 200 ")
    assert server.wait() == 0


def test_a_second_signal_ends_the_server_at_once(server: ServerProcess) -> None:
    """A client that never finishes its request does not hold up a person who insists."""
    with server.connect() as connection:
        connection.sendall(b"POST /CreateMemoryStore HTTP/1.1\r\nHost: localhost\r\nContent-Length: 25\r\n\r\n")
        assert server.client().send("GET", "/health")[0] == 200
        server.signal()
        wait_until(server.refuses)
        server.signal()
        assert server.wait() == 128 + signal.SIGTERM


def test_a_restart_keeps_everything(tmp_path: Path) -> None:
    """Stores, messages, tasks, memories and page tokens are those of the process before."""
    with ServerProcess(tmp_path) as server:
        client = server.client()
        store = client.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
        task = client.completed(client.add("订单号 AB-2093 寄到杭州"))
        client.completed(client.add("I moved to Oslo"))
        first = client.messages(limit=1)
        units = client.search("AB-2093")
        assert server.stop() == 0
    with ServerProcess(tmp_path) as server:
        client = server.client()
        assert client.ok("GetMemoryStore", {"memoryStoreName": "mem"}) == store
        assert client.task(task["requestId"]) == task
        assert client.search("AB-2093") == units
        second = client.messages(limit=1, nextToken=first["nextToken"])
        assert [each["content"] for each in second["session"]["messages"]] == ["订单号 AB-2093 寄到杭州"]
        assert server.stop() == 0


def test_the_server_stores_indexes_by_itself(tmp_path: Path) -> None:
    """In a folder beside the data, from its own background; a restart finds the same with what came after."""
    with ServerProcess(tmp_path) as server:
        client = server.client()
        client.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
        client.completed(client.add("订单号 AB-2093 寄到杭州"))
        (memory,) = client.search("AB-2093")
        named = {"memoryStoreName": "mem", "memoryId": memory["id"]}
        for count in range(SNAPSHOT_EVERY):
            client.ok("UpdateMemory", {**named, "title": f"第{count}次"})
        folder = tmp_path / "data" / "snapshots"
        wait_until(lambda: len([path for path in folder.rglob("*") if path.is_file()]) == 2)
        client.completed(client.add("I moved to Oslo"))
        assert server.stop() == 0
        assert server.err.read_text() == ""
    with ServerProcess(tmp_path) as server:
        client = server.client()
        assert [each["title"] for each in client.search("AB-2093") if each["id"] == memory["id"]] == ["第255次"]
        assert "Oslo" in client.search("Oslo")[0]["text"]
        assert server.stop() == 0


def refused(*arguments: str, **settings: str) -> tuple[int, list[str]]:
    """Exit code and stderr lines of a server that does not start."""
    ended = subprocess.run(
        [*SERVE, *arguments], capture_output=True, text=True, timeout=60, check=False, env=environment(**settings)
    )
    assert ended.stdout == ""
    return ended.returncode, ended.stderr.splitlines()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_only_loopback_is_served_without_keys(tmp_path: Path, host: str) -> None:
    """An address that others could reach is wrong usage before there is a key, whether or not there is data."""
    for folder in ("data", "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        code, lines = refused("--host", host, "--data", str(tmp_path / folder))
        assert (code, len(lines)) == (2, 1)
        assert f"--host {host} can be reached from elsewhere, and there are no keys yet" in lines[0]
        assert "agent-memory keys create" in lines[0]
    assert not (tmp_path / "data").exists()


def test_a_name_is_no_address(tmp_path: Path) -> None:
    """It may stand for several addresses."""
    code, lines = refused("--host", "memory.example.com", "--data", str(tmp_path / "data"))
    assert (code, lines) == (2, ["agent-memory: --host memory.example.com must be an IP address or localhost"])


def test_a_port_in_use(server: ServerProcess, tmp_path: Path) -> None:
    """The second server says which port it can't have."""
    code, lines = refused("--port", str(server.port), "--data", str(tmp_path / "other"))
    assert (code, lines) == (1, [f"agent-memory: can't listen on {HOST} port {server.port}: Address already in use"])


def test_a_data_directory_that_cant_be_used(tmp_path: Path) -> None:
    """A file stands where the directory should be, or what should be a database is none."""
    (tmp_path / "file").write_text("not a directory")
    code, lines = refused("--port", "0", "--data", str(tmp_path / "file"))
    assert (code, lines) == (1, [f"agent-memory: the data directory {tmp_path / 'file'} can't be used: File exists"])
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "memories.sqlite3").write_text("not a database " * 100)
    code, lines = refused("--port", "0", "--data", str(tmp_path / "data"))
    assert (code, len(lines)) == (1, 1)
    assert "file is not a database" in lines[0]


def test_data_of_a_newer_version(tmp_path: Path) -> None:
    """A file that a later version wrote is left alone."""
    with closing(sqlite3.connect(tmp_path / "memories.sqlite3")) as file:
        file.execute("PRAGMA user_version=999")
    code, lines = refused("--port", "0", "--data", str(tmp_path))
    assert (code, len(lines)) == (1, 1)
    assert "the database has schema 999" in lines[0]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"AGENT_MEMORY_MODEL_DIR": "no-such-folder"}, "the embedding model is not in no-such-folder"),
        ({"AGENT_MEMORY_EMBEDDER": "word2vec"}, "AGENT_MEMORY_EMBEDDER must be"),
        ({"AGENT_MEMORY_LEASE_SECONDS": "soon"}, "AGENT_MEMORY_LEASE_SECONDS must be a whole number"),
        ({"AGENT_MEMORY_LOG_LEVEL": "loud"}, "AGENT_MEMORY_LOG_LEVEL must be one of"),
        ({"AGENT_MEMORY_TABLE_NAME": "t", **NO_REGION}, "the table t can't be used: "),
    ],
)
def test_settings_that_cant_be_used(tmp_path: Path, settings: dict[str, str], words: str) -> None:
    """One line names the setting."""
    code, lines = refused("--port", "0", "--data", str(tmp_path), **settings)
    assert (code, len(lines)) == (1, 1)
    assert words in lines[0]


def test_the_log_is_json_lines_on_stderr(tmp_path: Path) -> None:
    """With a level, the calls are logged, one JSON object per line, each once; stdout is for the greeting."""
    with ServerProcess(tmp_path, "--log-level", "info") as server:
        server.client().ok("CreateMemoryStore", {"memoryStoreName": "mem"})
        assert server.stop() == 0
    lines = [json.loads(line) for line in server.err.read_text().splitlines()]
    assert [line["call"]["operation"] for line in lines if "call" in line] == ["CreateMemoryStore"]
    assert server.out.read_text().startswith("Agent Memory 0.1.0 on http://127.0.0.1:")
