"""The embedded server with keys, over HTTP and over TLS. It serves no call without credentials."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.clients import programs
from tests.flows.server_process import ServerProcess, environment, wait_until

INSTANCE = "clients"
REGION = "cn-hangzhou"
TLS_URL = re.compile(r"https://127\.0\.0\.1:(\d+)")
KEYS = (sys.executable, "-m", "agent_memory.local.cli", "keys", "create", "--json", "--instance", INSTANCE)


@dataclass(frozen=True)
class Served:
    """One server; `certificate` is the file that a client of `https` has to trust."""

    endpoint: str
    access_key: dict[str, str]
    api_key: str
    certificate: Path | None = None

    def signing(self, region: str | None = None) -> dict[str, str]:
        """Options of a client that signs; with a region it signs in version 4."""
        key = {"keyId": self.access_key["accessKeyId"], "secret": self.access_key["accessKeySecret"]}
        return {**self._place(), **key, **({"region": region} if region else {})}

    def bearing(self) -> dict[str, str]:
        """Options of a client that carries an API key."""
        return {**self._place(), "apiKey": self.api_key}

    def trust(self) -> dict[str, str]:
        """Environment of a process that has to trust the certificate."""
        path = str(self.certificate)
        return {"SSL_CERT_FILE": path, "NODE_EXTRA_CA_CERTS": path} if self.certificate else {}

    def _place(self) -> dict[str, str]:
        return {"endpoint": self.endpoint, "instance": INSTANCE}


class TlsServerProcess(ServerProcess):
    """The server with a certificate; up when it has printed its address."""

    def start(self) -> TlsServerProcess:
        """Return once it listens; RuntimeError with the server's own words if it ends before."""
        with self.out.open("wb") as out, self.err.open("ab") as err:
            self.process = subprocess.Popen(self._command, stdout=out, stderr=err, env=self._environment)
        wait_until(self._is_up)
        return self

    def _is_up(self) -> bool:
        if self.process.poll() is not None:
            raise RuntimeError(f"the server ended with {self.process.returncode}: {self.err.read_text()}")
        found = TLS_URL.search(self.out.read_text())
        self.port = int(found[1]) if found else 0
        return found is not None


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    """A server on HTTP for the time of the context."""
    access_key, api_key = _make_keys(folder)
    with _ending_well(ServerProcess(folder, AGENT_MEMORY_SIGN_IN="required")) as server:
        yield Served(f"http://127.0.0.1:{server.port}", access_key, api_key)


@contextmanager
def served_with_tls(folder: Path) -> Iterator[Served]:
    """A server with a certificate of its own for the time of the context."""
    certificate, key = _make_certificate(folder)
    access_key, api_key = _make_keys(folder)
    options = ("--tls-cert", str(certificate), "--tls-key", str(key))
    with _ending_well(TlsServerProcess(folder, *options, AGENT_MEMORY_SIGN_IN="required")) as server:
        yield Served(f"https://localhost:{server.port}", access_key, api_key, certificate)


@contextmanager
def _ending_well(server: ServerProcess) -> Iterator[ServerProcess]:
    with ExitStack() as stack:
        process = stack.enter_context(server)
        yield process
        assert process.stop() == 0
        assert process.err.read_text() == ""


def _make_keys(folder: Path) -> tuple[dict[str, str], str]:
    return _make_key(folder, "access-key"), _make_key(folder, "api-key")["apiKey"]


def _make_key(folder: Path, kind: str) -> dict[str, Any]:
    command = (*KEYS, "--type", kind, "--data", str(folder / "data"))
    made = subprocess.run(command, check=True, capture_output=True, text=True, env=environment())
    key: dict[str, Any] = json.loads(made.stdout)
    return key


def _make_certificate(folder: Path) -> tuple[Path, Path]:
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    files = ("-keyout", str(key), "-out", str(certificate))
    command = (programs.openssl(), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names, *files)
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key
