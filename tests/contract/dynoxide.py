"""Starts the dynoxide binary, a DynamoDB stand-in that keeps tokens and concurrent writes right, for tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HOST = "127.0.0.1"
PROBES = 200
PROBE_SECONDS = 0.05
STOP_SECONDS = 5


def find_binary() -> str | None:
    """DYNOXIDE_BIN, `dynoxide` on the PATH, or the npm package's binary in the project or a folder around it."""
    named = os.environ.get("DYNOXIDE_BIN") or shutil.which("dynoxide")
    if named:
        return named
    folders = [folder / "node_modules" / "@dynoxide" for folder in Path(__file__).resolve().parents]
    found = [
        path for folder in folders for pattern in ("*/dynoxide", "*/bin/dynoxide") for path in folder.glob(pattern)
    ]
    return str(found[0]) if found else None


@contextmanager
def running(binary: str) -> Iterator[str]:
    """The endpoint of a server on a free loopback port, with its data in a temporary folder; stopped at the end."""
    port = _free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = [binary, "serve", "--host", HOST, "--port", str(port), "--db-path", f"{folder}/dynoxide.db"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
            try:
                _wait_until_open(server, port)
                yield f"http://{HOST}:{port}"
            finally:
                _stop(server)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_open(server: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(PROBES):
        try:
            socket.create_connection((HOST, port), timeout=1).close()
        except OSError:
            try:
                code = server.wait(PROBE_SECONDS)  # the pause between two probes, cut short when the server dies
            except subprocess.TimeoutExpired:
                continue
            raise RuntimeError(f"dynoxide ended with {code}") from None
        return
    raise RuntimeError("dynoxide does not answer")


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
