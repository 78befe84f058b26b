"""HTTP on loopback before the functions, as an HTTP API stands before them, and the event source mappings of queues."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from agent_memory.local.http_events import HttpRequest, http_event, http_response
from tests.sam.stack import WORKERS, Stack
from tests.sam.tools import HOST

IDLE_SECONDS = 0.2


@contextmanager
def listening(stack: Stack) -> Iterator[str]:
    """The address of the HTTP API; each function takes one request at a time."""
    locks = {name: threading.Lock() for name in stack.functions}

    class Api(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._serve()

        def do_POST(self) -> None:
            self._serve()

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = [(name.lower(), value) for name, value in self.headers.items()]
            request = HttpRequest(self.command, self.path, "", headers, body, HOST, "HTTP/1.1")
            function = stack.route(self.path.rpartition("/")[2])
            event = http_event(request, request_id="local", now_ms=time.time_ns() // 1_000_000)
            with locks[function]:
                answer = stack.functions[function].invoke(event)
            response = http_response(answer)
            self.send_response(response.status)
            for name, value in response.headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(response.body)

        def log_message(self, *_: object) -> None:
            """Silent."""

    server = ThreadingHTTPServer((HOST, 0), Api)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://{HOST}:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


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
