"""The socket of the stand-ins for vendors' services: JSON in, JSON out, on a free port of 127.0.0.1."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol, TypeVar
from urllib.parse import unquote

Answer = tuple[int, Any]  # status; a body for JSON, or bytes as they are


class Service(Protocol):
    """What answers. `cut_short`: the body of an answer ends before its announced length."""

    cut_short: bool

    def answer(self, path: str, headers: dict[str, str], body: Any) -> Answer:
        """What the service would say; names of headers are in small letters."""


Served = TypeVar("Served", bound=Service)


@contextmanager
def serving(made: Callable[[str], Served]) -> Iterator[Served]:
    """The service made for the address of its server, while that runs."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as http:
        http.service = made(f"http://127.0.0.1:{http.server_address[1]}")
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield http.service
        finally:
            http.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        service: Service = self.server.service
        status, answer = service.answer(unquote(self.path), headers, body)
        content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        if isinstance(answer, dict) and "__type" in answer:
            self.send_header("x-amzn-ErrorType", answer["__type"])
        if isinstance(answer, dict) and "retryAfter" in answer:
            self.send_header("Retry-After", answer["retryAfter"])
        if status == 307:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content) + service.cut_short))
        self.end_headers()
        try:
            self.wfile.write(content)
        except ConnectionError:
            self.close_connection = True  # the caller had enough of it

    def log_message(self, *_: Any) -> None:
        """Nothing: the calls are recorded."""
