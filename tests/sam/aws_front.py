"""Stands where AWS's endpoints do: passes each call on to the emulator of its service, and notes it with its cost."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.sam.aws_calls import Call, call_of, object_call_of, service_of
from tests.sam.tools import HOST

PASSED_ON = ("Content-Type", "ETag", "x-amzn-RequestId", "x-amz-crc32", "x-amzn-query-error")
KEPT_BACK = {"expect", "connection"}  # the front's own business


@dataclass
class AwsFront:
    """The endpoint of one function; `calls` grows with each of its calls."""

    name: str
    ports: Mapping[str, int]
    calls: list[Call] = field(default_factory=list)
    port: int = 0

    @property
    def endpoint(self) -> str:
        """What goes into AWS_ENDPOINT_URL."""
        return f"http://{HOST}:{self.port}"

    def forward(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, Mapping[str, str], bytes]:
        """The emulator's answer, after the call was noted; a call without a target is one to S3."""
        target = headers.get("X-Amz-Target")
        service = service_of(target)[0] if target else "s3"
        connection = HTTPConnection(HOST, self.ports[service], timeout=60)
        try:
            passed = {name: value for name, value in headers.items() if name.lower() not in KEPT_BACK}
            connection.request(method, path, body, passed)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if target:
            self.calls.append(call_of(target, json.loads(body), json.loads(content or b"{}")))
        else:
            self.calls.append(object_call_of(method, path))
        return answer.status, dict(answer.getheaders()), content


@contextmanager
def front(name: str, ports: Mapping[str, int]) -> Iterator[AwsFront]:
    """A running front before the emulators' ports by service."""
    own = AwsFront(name, ports)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self._pass_on()

        def do_PUT(self) -> None:
            self._pass_on()

        def do_POST(self) -> None:
            self._pass_on()

        def _pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, headers, content = own.forward(self.command, self.path, dict(self.headers), body)
            self.send_response(status)
            for key in PASSED_ON:
                if key in headers:
                    self.send_header(key, headers[key])
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Silent."""

    server = ThreadingHTTPServer((HOST, 0), Handler)
    server.daemon_threads = True
    own.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield own
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
