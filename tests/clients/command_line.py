"""npm `@tablestore/tablestore-agent-cli` as a person or a script runs it."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.clients import programs
from tests.clients.served import REGION, Served

RUN_SECONDS = 60
PREFIX = "TABLESTORE_"


@dataclass(frozen=True)
class Ran:
    """What one command did; `said` is the JSON on stdout, empty where there is none."""

    exit_code: int
    said: dict[str, Any]
    stderr: str

    @property
    def data(self) -> dict[str, Any]:
        """The answer inside the envelope; fails for a command that did not succeed."""
        assert (self.exit_code, self.said.get("code")) == (0, "SUCCESS"), (self.exit_code, self.said, self.stderr)
        found: dict[str, Any] = self.said["data"]
        return found


@dataclass(frozen=True)
class CommandLine:
    """The command line with a home folder of its own; `settings` are its environment variables."""

    home: Path
    settings: dict[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str, answer: str = "") -> Ran:
        """Run it to its end, with `answer` on stdin."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        environment = {**kept, "HOME": str(self.home), "NO_COLOR": "1", **self.settings}
        command = (*programs.command_line(), *arguments)
        done = subprocess.run(
            command, input=answer, env=environment, capture_output=True, text=True, timeout=RUN_SECONDS, check=False
        )
        return Ran(done.returncode, _json(done.stdout), done.stderr)


def signing(home: Path, server: Served) -> CommandLine:
    """With an access key, from the environment; it signs in version 4."""
    key = server.access_key
    secrets = {"ACCESS_KEY_ID": key["accessKeyId"], "ACCESS_KEY_SECRET": key["accessKeySecret"]}
    return _with(home, server, {**secrets, "REGION": REGION})


def bearing(home: Path, server: Served) -> CommandLine:
    """With an API key, from the environment."""
    return _with(home, server, {"API_KEY": server.api_key})


def configured(home: Path, server: Served) -> CommandLine:
    """With an access key that `configure set` has put into the file of settings."""
    cli = CommandLine(home, server.trust())
    options = server.signing(REGION)
    names = {"endpoint": "ots_endpoint", "instance": "ots_instance_name", "keyId": "access_key_id"}
    for name, value in options.items():
        key = {**names, "secret": "access_key_secret"}.get(name, name)
        ran = cli("configure", "set", key, value)
        assert ran.exit_code == 0, ran.stderr
    return cli


def _with(home: Path, server: Served, settings: dict[str, str]) -> CommandLine:
    place = {"ENDPOINT": server.endpoint, "INSTANCE_NAME": server.signing()["instance"]}
    named = {PREFIX + name: value for name, value in {**place, **settings}.items()}
    return CommandLine(home, {**named, **server.trust()})


def _json(text: str) -> dict[str, Any]:
    try:
        said: dict[str, Any] = json.loads(text)
    except ValueError:
        return {}
    return said
