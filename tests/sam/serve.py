"""Serves the build output over HTTP on loopback, as HTTP API and event source mappings would:

    python -m tests.sam.serve COMMAND...      (`{endpoint}` in the command becomes the address)

For instance the tour with the official SDK over the functions on emulated AWS:

    python -m tests.sam.serve .venv/bin/python tests/clients/sdk_tour.py LOCOMO_JSON --endpoint {endpoint}
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from agent_memory.local.http_events import HttpRequest, http_event, http_response
from tests.sam.conftest import build
from tests.sam.stack import Stack, running
from tests.sam.tools import HOST, find_tools

IDLE_SECONDS = 0.2
WORKERS = {"ExtractionQueue": "extraction_worker", "MaintenanceQueue": "maintenance_worker"}


def main() -> int:
    """The exit code of the command."""
    tools = find_tools()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(tools, build(tools), Path(folder)) as stack,
        listening(stack) as endpoint,
        polling(stack),
    ):
        command = [part.format(endpoint=endpoint) for part in sys.argv[1:]]
        return subprocess.run(command, check=False).returncode


@contextmanager
def listening(stack: Stack) -> Iterator[str]:
    """The address of an HTTP API before the functions; each function takes one request at a time."""
    locks = {name: threading.Lock() for name in stack.functions}

    class Api(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = [(name.lower(), value) for name, value in self.headers.items()]
            request = HttpRequest("POST", self.path, "", headers, body, HOST, "HTTP/1.1")
            function = stack.route(self.path.rpartition("/")[2])
            with locks[function]:
                answer = stack.functions[function].invoke(http_event(request, request_id="local", now_ms=0))
            response = http_response(answer)
            self.send_response(response.status)
            for name, value in response.headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(response.body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer((HOST, 0), Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://{HOST}:{server.server_address[1]}"
    finally:
        server.shutdown()


@contextmanager
def polling(stack: Stack) -> Iterator[None]:
    """The event source mappings."""
    stop = threading.Event()

    def poll(queue: str, worker: str) -> None:
        while not stop.wait(IDLE_SECONDS):
            while stack.waiting(queue) and not stop.is_set():
                stack.deliver(queue, worker)

    threads = [threading.Thread(target=poll, args=each) for each in WORKERS.items()]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    sys.exit(main())
