"""The ASGI application of the embedded server: what API Gateway does between a socket and the functions on AWS."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from agent_memory.local.http_events import HttpRequest, HttpResponse, http_event, http_response, operation_of
from agent_memory.local.lambda_context import LocalContext

TIMEOUT_SECONDS = 30.0  # what a function is told; nothing stops it

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Handler = Callable[[dict[str, Any], Any], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class HttpApi:
    """Sends each request to the handler of its last path segment, or to `unknown`; handlers block, so `pool` runs them.

    Of a body over `max_body_bytes` only so much is kept that the handler sees it is too large, and refuses it.
    """

    routes: Mapping[str, Handler]
    unknown: Handler
    pool: Executor
    max_body_bytes: int
    now_ms: Callable[[], int]
    new_id: Callable[[], str]

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one request; nothing is called for a client that leaves before its body is complete."""
        body = await read_body(receive, self.max_body_bytes, declared_length(scope))
        if body is None:
            return
        request = request_of(scope, body)
        loop = asyncio.get_running_loop()
        await _respond(await loop.run_in_executor(self.pool, self.answer, request), send)

    def answer(self, request: HttpRequest) -> HttpResponse:
        """The response of the handler, in the thread of the caller."""
        request_id, started = self.new_id(), self.now_ms()
        name = operation_of(request.path)
        context = LocalContext(name, request_id, started / 1000 + TIMEOUT_SECONDS, lambda: self.now_ms() / 1000)
        handler = self.routes.get(name, self.unknown)
        return http_response(handler(http_event(request, request_id=request_id, now_ms=started), context))


async def read_body(receive: Receive, limit: int, declared: int = 0) -> bytes | None:
    """The body, or `limit + 1` bytes for a larger one, which is not read on; None when the client left."""
    if declared > limit:
        return bytes(limit + 1)
    body, more = bytearray(), True
    while more and len(body) <= limit:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(body[: limit + 1])


def declared_length(scope: Message) -> int:
    """What the content-length header says, 0 without one; the HTTP library has checked that it is a number."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)


def request_of(scope: Message, body: bytes) -> HttpRequest:
    """The request of an ASGI scope, whose header names are in lower case already."""
    client = scope.get("client") or ("127.0.0.1", 0)
    return HttpRequest(
        method=scope["method"],
        path=scope["raw_path"].decode("latin-1"),
        query=scope["query_string"].decode("latin-1"),
        headers=[(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]],
        body=body,
        source_ip=client[0],
        protocol=f"HTTP/{scope['http_version']}",
    )


async def _respond(response: HttpResponse, send: Send) -> None:
    headers = [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in response.headers]
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    await send({"type": "http.response.body", "body": response.body})
