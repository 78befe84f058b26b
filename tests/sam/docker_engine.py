"""A Docker engine: the one that runs already, else one of our own without networks (root, dockerd installed)."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.sam.tools import absent

PROBES = 200
PROBE_SECONDS = 0.1
STOP_SECONDS = 20


@dataclass(frozen=True)
class Engine:
    """`host` is the DOCKER_HOST to use, empty for the default."""

    host: str

    def environment(self) -> dict[str, str]:
        """What clients need."""
        return {"DOCKER_HOST": self.host} if self.host else {}

    def run(self, *arguments: str, stdin: int | None = None) -> str:
        """What `docker ...` prints."""
        command = ["docker", *arguments]
        environment = os.environ | self.environment()
        return subprocess.run(command, env=environment, stdin=stdin, check=True, capture_output=True, text=True).stdout

    def answers(self) -> bool:
        """Whether the engine is there."""
        command, environment = ["docker", "info"], os.environ | self.environment()
        return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0

    def remove_containers(self) -> None:
        """Those that SAM made and left."""
        if names := self.run("ps", "--all", "--quiet", "--filter", "label=sam.cli.container.type=lambda").split():
            self.run("rm", "--force", *names)


@contextmanager
def running() -> Iterator[Engine]:
    """An engine; what one of our own stored is gone at the end."""
    if shutil.which("docker") is None:
        absent("docker: apt-get install docker.io, as root")
    default = Engine("")
    if default.answers():
        yield default
        return
    if shutil.which("dockerd") is None or os.geteuid() != 0:
        absent("a Docker engine: start one, or run as root with docker.io installed")
    with tempfile.TemporaryDirectory(prefix="docker-", ignore_cleanup_errors=True) as folder:
        with _own_engine(Path(folder)) as engine:
            yield engine
        for mount in Path(folder).glob("exec/netns/*"):  # the engine leaves these mounted
            subprocess.run(["umount", mount], check=False)


@contextmanager
def _own_engine(folder: Path) -> Iterator[Engine]:
    engine = Engine(f"unix://{folder}/docker.sock")
    command = ["dockerd", "--bridge=none", "--iptables=false", "--ip6tables=false", "--ip-forward=false"]
    command += ["--host", engine.host, "--pidfile", f"{folder}/docker.pid"]
    command += ["--data-root", f"{folder}/data", "--exec-root", f"{folder}/exec"]
    with (folder / "dockerd.log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            _wait_for(engine, process, folder / "dockerd.log")
            yield engine
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait_for(engine: Engine, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(PROBES):
        if engine.answers():
            return
        try:
            process.wait(PROBE_SECONDS)  # the pause between two probes, cut short when the engine dies
        except subprocess.TimeoutExpired:
            continue
        break
    raise RuntimeError(f"dockerd does not serve:\n{log.read_text(errors='replace')[-2000:]}")
