"""The dashboard of the official command line, as a process, and a browser that looks at its pages."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import Any

from tests.clients import programs
from tests.clients.command_line import PREFIX, CommandLine
from tests.flows.server_process import HOST, wait_until

SCREENSHOTS = programs.FOLDER / "screenshots"
STOP_SECONDS = 30
VISIT_SECONDS = 200


@contextmanager
def dashboard(cli: CommandLine) -> Iterator[str]:
    """Its address, for the time of the context."""
    port = _free_port()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    environment = {**kept, "HOME": str(cli.home), **cli.settings}
    command = (*programs.command_line(), "dashboard", "start", "-p", str(port), "--host", HOST)
    with (cli.home / "dashboard.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        wait_until(lambda: process.poll() is None and _answers(port))
        yield f"http://{HOST}:{port}"
    finally:
        process.send_signal(signal.SIGTERM)  # which ends the server that it has started, too
        process.wait(STOP_SECONDS)


def visit(base: str, visits: list[dict[str, Any]]) -> dict[str, list[str]]:
    """The problems of each page by its name; screenshots lie in build/clients/screenshots."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    packages, folder = str(programs.PACKAGES), str(SCREENSHOTS)
    plan = {"playwright": packages, "browser": programs.browser(), "base": base, "folder": folder, "visits": visits}
    command = (programs.node(), str(programs.DRIVERS / "visit.mjs"), json.dumps(plan))
    done = subprocess.run(command, capture_output=True, text=True, timeout=VISIT_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    seen = [json.loads(line) for line in done.stdout.splitlines()]
    return {page["name"]: page["problems"] for page in seen}


def _answers(port: int) -> bool:
    connection = HTTPConnection(HOST, port, timeout=STOP_SECONDS)
    try:
        connection.request("GET", "/memory")
        return connection.getresponse().status < 400
    except OSError:
        return False
    finally:
        connection.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
