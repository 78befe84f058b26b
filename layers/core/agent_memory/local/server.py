"""`agent-memory serve`: a socket around the Lambda handlers, their queues and their schedule, in one process."""

from __future__ import annotations

import ipaddress
import os
import signal
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path

from agent_memory.http import endpoint
from agent_memory.local.background import THREADS_OF_QUEUE, Background
from agent_memory.local.browser_guard import Handler, guarded
from agent_memory.local.client_lines import client_lines
from agent_memory.local.doorbell import Doorbell
from agent_memory.local.embedded import CannotStart, embedded_settings, opened
from agent_memory.local.functions import load_handler, load_pages, load_routes
from agent_memory.local.health import Health, Warmup
from agent_memory.local.http_api import HttpApi
from agent_memory.services import Services, use_services
from agent_memory.settings import Settings
from agent_memory.signin.new_keys import NewKey, first_access_key

PACKAGE = "agent-memory"
REQUEST_THREADS = 16
USAGE_ERROR = 2
NO_KEYS = (
    "--host {host} can be reached from elsewhere, and there are no keys yet: "
    "make one with `agent-memory keys create --type access-key --data {data}`"
)


@dataclass(frozen=True, slots=True)
class Options:
    """The command line of `serve`; None leaves it to the environment. The files for TLS are in PEM form."""

    host: str
    port: int
    data_dir: str | None = None
    log_level: str | None = None
    tls_cert: str | None = None
    tls_key: str | None = None


@dataclass(frozen=True, slots=True)
class Socket:
    """A listening socket, and the files for TLS where it speaks that."""

    listening: socket.socket
    tls_cert: str | None
    tls_key: str | None

    def url(self) -> str:
        """Where it is reached."""
        host, port = self.listening.getsockname()[:2]
        scheme = "https" if self.tls_cert else "http"
        return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def serve(options: Options) -> None:
    """Serve until SIGTERM or SIGINT, then finish what is in hand. Raises CannotStart."""
    address = ip_address(options.host)
    settings = embedded_settings(options.data_dir, options.log_level)
    exposed = not address.is_loopback
    if exposed:
        settings = replace(settings, sign_in="required")
        _require(settings.table_name or Path(settings.data_dir).is_dir(), options, settings)
    bells = {name: Doorbell() for name in THREADS_OF_QUEUE}
    with opened(settings, bells) as services:
        _require(not exposed or services.keyring.page(limit=1).records, options, settings)
        with listening_socket(str(address), options.port) as listening:
            use_services(services)
            first = first_access_key(services.keyring, services.now_ms())
            _serve(services, bells, Socket(listening, options.tls_cert, options.tls_key), first)


def _require(keys: object, options: Options, settings: Settings) -> None:
    """Where others could reach the server, somebody must have made a key before it listens."""
    if not keys:
        raise CannotStart(NO_KEYS.format(host=options.host, data=settings.data_dir), USAGE_ERROR)


def ip_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """The address to bind; names other than localhost are refused, since they may mean several."""
    try:
        return ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError as error:
        raise CannotStart(f"--host {host} must be an IP address or localhost", USAGE_ERROR) from error


def listening_socket(address: str, port: int) -> socket.socket:
    """Bound and listening at once: of two servers that start on one port, one fails here."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # Only for a socket that names its protocol does asyncio turn Nagle's algorithm off, which costs 40 ms a request.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere the option would let two servers share the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        reason = error.strerror if isinstance(error, OSError) else error
        raise CannotStart(f"can't listen on {address} port {port}: {reason}") from error
    return listening


def _serve(services: Services, bells: dict[str, Doorbell], bound: Socket, first: NewKey | None) -> None:
    from agent_memory.local.listener import Listener

    settings = services.settings
    background = Background(
        services,
        bells,
        handlers={name: load_handler(f"{name}_worker") for name in THREADS_OF_QUEUE},
        sweeper=load_handler("sweeper"),
        sweep_seconds=max(1.0, settings.sweep_after_seconds / 2),
    )
    warmup = Warmup(services.embedder) if settings.embedder == "e5" else None
    health = Health(services, version(PACKAGE), background.dead, warmup)
    with ThreadPoolExecutor(REQUEST_THREADS, thread_name_prefix="request") as pool:
        handlers = {**load_routes(), **load_pages(), "health": health}
        protect = partial(guarded, new_id=services.new_id) if settings.sign_in == "open" else _as_it_is
        api = HttpApi(
            routes={name: protect(handler) for name, handler in handlers.items()},
            unknown=protect(endpoint()),
            pool=pool,
            max_body_bytes=settings.max_body_bytes,
            now_ms=services.now_ms,
            new_id=services.new_id,
        )
        url = bound.url()
        try:
            listener = Listener(api, bound.tls_cert, bound.tls_key, ready=lambda: _greet(url, settings, first))
        except OSError as error:  # ssl.SSLError is one
            raise CannotStart(f"--tls-cert and --tls-key can't be used: {error.strerror or error}") from error
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, listener.handle_exit)  # also after uvicorn, while the last job is finished
        if warmup is not None:
            warmup.start()
        background.start()
        try:
            listener.run(sockets=[bound.listening])
        finally:
            background.stop()
            if warmup is not None:
                warmup.join()


def _as_it_is(handler: Handler) -> Handler:
    return handler


def _greet(url: str, settings: Settings, first: NewKey | None) -> None:
    data = f"table {settings.table_name}" if settings.table_name else str(Path(settings.data_dir).resolve())
    sys.stdout.write(
        f"Agent Memory {version(PACKAGE)} on {url}\n"
        f"data: {data}\n"
        f'try:  curl -X POST {url}/CreateMemoryStore -d \'{{"memoryStoreName":"first"}}\'\n'
    )
    if first:
        sys.stdout.write("\n".join(["access key, shown only now:", *client_lines(url, first)]) + "\n")
    sys.stdout.flush()
