"""Stands where AWS's endpoints do: passes each call on to the emulator of its service, and notes it with its cost."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.sam.tools import HOST

READS = {"BatchGetItem", "GetItem", "Query"}
TRANSACTION_PARTS = {
    "Put": "PutItem",
    "Delete": "DeleteItem",
    "Update": "UpdateItem",
    "ConditionCheck": "ConditionCheckItem",
}
SERVICES = {"DynamoDB": "dynamodb", "AmazonSQS": "sqs"}


@dataclass(frozen=True)
class Call:
    """One call to AWS: the permissions it takes and the capacity units that the answer named."""

    service: str
    operation: str
    actions: frozenset[str]
    read_units: float = 0.0
    write_units: float = 0.0


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

    def forward(self, path: str, headers: Mapping[str, str], body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        """The emulator's answer, after the call was noted."""
        target, _, operation = headers["X-Amz-Target"].partition(".")
        service = SERVICES[target.partition("_")[0]]
        connection = HTTPConnection(HOST, self.ports[service], timeout=60)
        try:
            connection.request("POST", path, body, dict(headers))
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        self.calls.append(_call(service, operation, json.loads(body), json.loads(content or b"{}")))
        return answer.status, dict(answer.getheaders()), content


@contextmanager
def front(name: str, ports: Mapping[str, int]) -> Iterator[AwsFront]:
    """A running front before the emulators' ports by service."""
    own = AwsFront(name, ports)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, headers, content = own.forward(self.path, dict(self.headers), body)
            self.send_response(status)
            for key in ("Content-Type", "x-amzn-RequestId", "x-amz-crc32", "x-amzn-query-error"):
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


def cost_line(what: str, calls: Sequence[Call]) -> str:
    """A row of the cost table."""
    counted = Counter(f"{call.service}:{call.operation}" for call in calls)
    listed = ", ".join(f"{count} {name}" for name, count in sorted(counted.items()))
    reads, writes = sum(call.read_units for call in calls), sum(call.write_units for call in calls)
    return f"{what:<46} {len(calls):>5} {reads:>7.1f} {writes:>7.1f}   {listed}"


def _call(service: str, operation: str, request: Mapping[str, Any], answer: Mapping[str, Any]) -> Call:
    if operation == "TransactWriteItems":
        names = {TRANSACTION_PARTS[part] for item in request["TransactItems"] for part in item}
    else:
        names = {operation}
    consumed = answer.get("ConsumedCapacity") or []
    tables = [consumed] if isinstance(consumed, dict) else consumed
    units = sum(float(table.get("CapacityUnits", 0)) for table in tables)
    return Call(
        service,
        operation,
        frozenset(f"{service}:{name}" for name in names),
        read_units=units if operation in READS else 0.0,
        write_units=0.0 if operation in READS else units,
    )
