"""The embedded server as a process: what goes through its socket."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from agent_memory.settings import Settings
from tests.flows.server_process import ServerProcess, wait_until

LIMIT = Settings().max_body_bytes
CREATE = b'{"memoryStoreName":"mem"}'


def test_health_answers_get_and_head(server: ServerProcess) -> None:
    """Ready means status ok, with the version; HEAD has the same headers and no body; POST is refused."""
    status, answer, headers = server.client().send("GET", "/health")
    assert (status, answer["status"], answer["version"]) == (200, "ok", "0.1.0")
    assert len(headers["x-ots-requestid"]) == 32
    assert server.client().send("HEAD", "/health")[:2] == (200, None)
    assert server.client().call("health", {})[0] == 405


def test_the_embedding_model_is_loaded_without_a_request(server: ServerProcess) -> None:
    """The health answer goes from loading to ready by itself."""
    client = server.client()
    wait_until(lambda: client.send("GET", "/health")[1]["embedder"] == "ready")


def test_what_is_added_is_found(server: ServerProcess) -> None:
    """From add over the background job to search, Chinese by paraphrase, below any base path."""
    client = server.client()
    client.ok("prod/v1/CreateMemoryStore", {"memoryStoreName": "mem"})
    task = client.completed(client.add("我对虾过敏"))
    assert (task["attempts"], len(task["derivedUnitIds"])) == (1, 1)
    assert "我对虾过敏" in client.search("海鲜会引起什么反应")[0]["text"]


def test_unknown_paths_and_other_methods(server: ServerProcess) -> None:
    """404 and 405 have the service's own error body and the request id in a lower-case header."""
    client = server.client()
    for method, path, expected in [
        ("POST", "/NoSuchOperation", (404, "NOT_FOUND")),
        ("GET", "/", (404, "NOT_FOUND")),
        ("POST", "/AddMemories/", (404, "NOT_FOUND")),
        ("GET", "/AddMemories", (405, "METHOD_NOT_ALLOWED")),
        ("HEAD", "/AddMemories", (405, None)),
    ]:
        status, answer, headers = client.send(method, path)
        assert (status, answer and answer["code"]) == expected, path
        assert answer is None or answer["requestId"] == headers["x-ots-requestid"]


def test_a_body_that_is_not_utf_8_is_a_bad_request(server: ServerProcess) -> None:
    """Bytes go through as they are, and the handler decides."""
    status, answer, _ = server.client().send("POST", "/AddMemories", "我对虾过敏".encode("gbk"))
    assert (status, answer["code"]) == (400, "INVALID_PARAMETER")


def test_a_body_of_the_limit_is_read(server: ServerProcess) -> None:
    """Exactly as many bytes as are allowed are not too many."""
    body = json.dumps({"memoryStoreName": "mem"}).encode().ljust(LIMIT)
    assert server.client().send("POST", "/CreateMemoryStore", body)[0] == 200


def test_a_body_over_the_limit_is_refused(server: ServerProcess) -> None:
    """413 with the error body, and the connection serves the next request."""
    client = server.client()
    status, answer, _ = client.send("POST", "/AddMemories", b" " * (LIMIT + 1))
    assert (status, answer["code"]) == (413, "PAYLOAD_TOO_LARGE")
    assert client.send("GET", "/health")[0] == 200


def test_a_chunked_body_over_the_limit_is_refused(server: ServerProcess) -> None:
    """Without a content-length the bytes are counted as they come."""

    def chunks() -> Iterator[bytes]:
        yield from [b" " * 65_536] * (LIMIT // 65_536 + 8)

    client = server.client()
    status, answer, _ = client.send("POST", "/AddMemories", chunks(), encode_chunked=True)
    assert (status, answer["code"]) == (413, "PAYLOAD_TOO_LARGE")
    assert client.send("GET", "/health")[0] == 200


def test_a_chunked_body_is_read(server: ServerProcess) -> None:
    """Chunks make one body."""
    chunks = iter([b'{"memoryStore', b'Name":"mem"}'])
    assert server.client().send("POST", "/CreateMemoryStore", chunks, encode_chunked=True)[0] == 200


def test_expect_100_continue(server: ServerProcess) -> None:
    """A client that asks first is told to go on, or is refused before it sends what is too large."""
    head = "POST /CreateMemoryStore HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n"
    with server.connect() as connection:
        connection.sendall(head.format(len(CREATE)).encode())
        assert connection.recv(1_024).startswith(b"HTTP/1.1 100 ")
        connection.sendall(CREATE)
        assert connection.recv(1_024).startswith(b"HTTP/1.1 200 ")
    with server.connect() as connection:
        connection.sendall(head.format(10**12).encode())
        assert connection.recv(1_024).startswith(b"HTTP/1.1 413 ")


def test_a_client_that_leaves_in_the_middle_of_its_body(server: ServerProcess) -> None:
    """Nothing is called for it, and others are served."""
    for _ in range(20):
        with server.connect() as connection:
            connection.sendall(
                b'POST /CreateMemoryStore HTTP/1.1\r\nHost: localhost\r\nContent-Length: 25\r\n\r\n{"memory'
            )
    client = server.client()
    assert client.call("GetMemoryStore", {"memoryStoreName": "mem"})[0] == 404
    assert client.send("GET", "/health")[0] == 200


def test_concurrent_requests(server: ServerProcess) -> None:
    """Eight clients at once, more than one conversation each: every answer is its own, every message is kept."""
    server.client().ok("CreateMemoryStore", {"memoryStoreName": "mem"})

    def work(number: int) -> list[str]:
        client = server.client()
        return [client.add(f"第{number}个客户订单 {turn}", run=f"r{number}") for turn in range(10)]

    with ThreadPoolExecutor(8) as threads:
        ids = [each for ids in threads.map(work, range(8)) for each in ids]
    assert len(set(ids)) == 80
    client = server.client()
    for number in range(8):
        listed = client.messages(run=f"r{number}")["session"]["messages"]
        assert [each["content"] for each in listed] == [f"第{number}个客户订单 {turn}" for turn in reversed(range(10))]
    for each in ids:
        assert len(client.completed(each)["derivedUnitIds"]) == 1
