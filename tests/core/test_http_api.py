"""The ASGI application: how much of a body is read, and who answers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from agent_memory.local.http_api import HttpApi, read_body

LIMIT = 10


class Connection:
    """An ASGI connection whose client sends these messages; keeps what it is sent."""

    def __init__(self, messages: Iterable[dict[str, Any]]) -> None:
        self.waiting = list(messages)
        self.sent: list[Any] = []

    async def receive(self) -> dict[str, Any]:
        return self.waiting.pop(0)

    async def send(self, message: Any) -> None:
        self.sent.append(message)


def chunk(body: bytes, *, more: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


@pytest.mark.parametrize(
    ("messages", "declared", "body", "unread"),
    [
        ([chunk(b"")], 0, b"", 0),
        ([chunk(b"0123456789")], 10, b"0123456789", 0),
        ([chunk(b"01234", more=True), chunk(b"56789")], 0, b"0123456789", 0),
        ([chunk(b"012345", more=True), chunk(b"67890", more=True), chunk(b"more")], 0, b"01234567890", 1),
        ([chunk(b"0" * 100, more=True), chunk(b"more")], 0, b"0" * 11, 1),
        ([chunk(b"never read")], 11, bytes(11), 1),
        ([chunk(b"01", more=True), {"type": "http.disconnect"}], 5, None, 0),
    ],
)
def test_a_body_is_read_up_to_the_limit(
    messages: list[dict[str, Any]], declared: int, body: bytes | None, unread: int
) -> None:
    """One byte over the limit is enough to know; what is declared too large is not read at all."""
    connection = Connection(messages)
    assert asyncio.run(read_body(connection.receive, LIMIT, declared)) == body
    assert len(connection.waiting) == unread


def served(path: str, messages: Iterable[dict[str, Any]]) -> tuple[list[str], list[Any]]:
    """Names of the handlers called for a request, and the messages sent."""
    called: list[str] = []

    def handler(name: str) -> Any:
        def answer(event: dict[str, Any], context: Any) -> dict[str, Any]:
            called.append(f"{name} {event['rawPath']} {context.function_name} {context.aws_request_id}")
            assert context.get_remaining_time_in_millis() == 30_000
            return {"statusCode": 200, "headers": {"x-ots-requestid": "id-1"}, "body": event.get("body", "")}

        return answer

    scope = {
        "type": "http",
        "method": "POST",
        "raw_path": path.encode(),
        "query_string": b"",
        "http_version": "1.1",
        "headers": [],
        "client": None,
    }
    connection = Connection(messages)
    with ThreadPoolExecutor(1) as pool:
        api = HttpApi({"Add": handler("add")}, handler("unknown"), pool, LIMIT, lambda: 1_000, lambda: "id-1")
        asyncio.run(api(scope, connection.receive, connection.send))
    return called, connection.sent


def test_a_known_operation_is_answered_by_its_handler() -> None:
    """The response goes out as start and body."""
    called, sent = served("/base/Add", [chunk("虾".encode())])
    assert called == ["add /base/Add Add id-1"]
    headers = [(b"x-ots-requestid", b"id-1"), (b"content-length", b"3")]
    assert sent == [
        {"type": "http.response.start", "status": 200, "headers": headers},
        {"type": "http.response.body", "body": "虾".encode()},
    ]


def test_any_other_path_is_answered_by_the_handler_of_unknown_ones() -> None:
    """Also below a known name."""
    assert served("/Add/more", [chunk(b"")])[0] == ["unknown /Add/more more id-1"]


def test_nothing_is_called_for_a_client_that_left() -> None:
    """An incomplete body is no request."""
    assert served("/Add", [chunk(b"{", more=True), {"type": "http.disconnect"}]) == ([], [])
