"""A client library in a process of its own, asked over pipes; the programs are in drivers/."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any, Self

from tests.clients import programs

STOP_SECONDS = 30


class Refused(Exception):
    """The service's error, as the client shows it."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status, self.code, self.message = status, code, message


class Broken(Exception):
    """The client objected to what it got, or to what it was asked."""


class ClientProcess:
    """Use as a context; `call` is one operation."""

    def __init__(self, command: list[str], trust: dict[str, str]) -> None:
        self._command = command
        self._environment = {**os.environ, **trust}

    def call(self, operation: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer; raises Refused or Broken."""
        pipe_in, pipe_out = self._process.stdin, self._process.stdout
        assert pipe_in is not None
        assert pipe_out is not None
        pipe_in.write(json.dumps({"operation": operation, "body": body}) + "\n")
        pipe_in.flush()
        line = pipe_out.readline()
        if not line:
            raise Broken(f"the client's process ended with {self._process.wait(STOP_SECONDS)}")
        reply = json.loads(line)
        if "refused" in reply:
            raise Refused(**reply["refused"])
        if "broken" in reply:
            raise Broken(reply["broken"])
        answer: dict[str, Any] = reply["answer"]
        return answer

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self._environment, text=True
        )
        return self

    def __exit__(self, *exception: object) -> None:
        with self._process:
            self._process.kill()


def python_client(kind: str, options: dict[str, str], trust: dict[str, str]) -> ClientProcess:
    """One of the kinds of drivers/python_client.py."""
    driver = str(programs.DRIVERS / "python_client.py")
    return ClientProcess([programs.python(), driver, kind, json.dumps(options)], trust)


def node_client(options: dict[str, str], trust: dict[str, str]) -> ClientProcess:
    """npm `tablestore`."""
    driver = str(programs.DRIVERS / "node_client.mjs")
    return ClientProcess([programs.node(), driver, str(programs.PACKAGES), json.dumps(options)], trust)
