"""The programs that the tests of the AWS side need; tests/sam/install_tools.sh puts them below build/aws."""

from __future__ import annotations

import os
import platform
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

from tests.sam.stack_template import ROOT

HOST = "127.0.0.1"
PROBES = 400
PROBE_SECONDS = 0.05
INSTALL = "bash tests/sam/install_tools.sh"
ARCHITECTURE = {"x86_64": "x86_64", "AMD64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}[platform.machine()]


@dataclass(frozen=True)
class Tools:
    """Executables: the SAM CLI, the runtime's interpreter, the emulator of the runtime interface, moto's server."""

    sam: Path
    python: Path
    emulator: Path
    moto: Path

    def environment(self) -> dict[str, str]:
        """For SAM: the runtime's Python first on the PATH, no telemetry, no account."""
        path = f"{self.python.parent}{os.pathsep}{os.environ['PATH']}"
        return {**os.environ, "PATH": path, "SAM_CLI_TELEMETRY": "0", **credentials()}


def find_tools() -> Tools:
    """All of them; skips where one is absent, fails in CI."""
    folder = ROOT / "build" / "aws"
    emulators = folder.glob(f"tools/lib/python3.*/site-packages/samcli/local/rapid/aws-lambda-rie-{ARCHITECTURE}")
    tools = Tools(
        sam=folder / "tools" / "bin" / "sam",
        python=folder / "runtime" / "bin" / "python3.12",
        emulator=next(emulators, folder / "aws-lambda-rie"),
        moto=folder / "tools" / "bin" / "moto_server",
    )
    for program in (tools.sam, tools.python, tools.emulator, tools.moto):
        if not program.exists():
            absent(f"{program.name}: {INSTALL}")
    return tools


def absent(what: str) -> NoReturn:
    """Skip with the reason; in CI, where everything must be there, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"absent in CI: {what}")
    pytest.skip(f"absent: {what}")


def credentials() -> dict[str, str]:
    """What signs requests to emulators, which look at none of it."""
    names = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
    return dict.fromkeys(names, "test") | {"AWS_REGION": "eu-central-1", "AWS_DEFAULT_REGION": "eu-central-1"}


def free_port() -> int:
    """A loopback port that is free at this moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_open(process: subprocess.Popen[bytes], port: int) -> None:
    """Until something listens on the port; RuntimeError when the process dies before or takes too long."""
    for _ in range(PROBES):
        try:
            socket.create_connection((HOST, port), timeout=1).close()
        except OSError:
            try:
                code = process.wait(PROBE_SECONDS)  # the pause between two probes, cut short when the process dies
            except subprocess.TimeoutExpired:
                continue
            raise RuntimeError(f"the server ended with {code}") from None
        return
    raise RuntimeError("the server does not answer")
