"""`agent-memory serve`: a socket around the Lambda handlers, their queues and their schedule, in one process."""

from __future__ import annotations

import ipaddress
import os
import signal
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from agent_memory.http import endpoint
from agent_memory.local.background import THREADS_OF_QUEUE, Background
from agent_memory.local.doorbell import Doorbell
from agent_memory.local.embedded import CannotStart, embedded_settings, opened
from agent_memory.local.functions import load_handler, load_routes
from agent_memory.local.health import Health, Warmup
from agent_memory.local.http_api import HttpApi
from agent_memory.services import Services, use_services
from agent_memory.settings import Settings

PACKAGE = "agent-memory"
REQUEST_THREADS = 16
USAGE_ERROR = 2


@dataclass(frozen=True, slots=True)
class Options:
    """The command line of `serve`; None leaves it to the environment."""

    host: str
    port: int
    data_dir: str | None = None
    log_level: str | None = None


def serve(options: Options) -> None:
    """Serve until SIGTERM or SIGINT, then finish what is in hand. Raises CannotStart."""
    address = loopback_address(options.host)
    settings = embedded_settings(options.data_dir, options.log_level)
    with listening_socket(address, options.port) as listening:
        bells = {name: Doorbell() for name in THREADS_OF_QUEUE}
        with opened(settings, bells) as services:
            use_services(services)
            _serve(services, bells, listening)


def loopback_address(host: str) -> str:
    """The IP address to bind; anything that other machines could reach is refused."""
    if host == "localhost":
        return "127.0.0.1"
    try:
        if ipaddress.ip_address(host).is_loopback:
            return host
    except ValueError:
        pass
    message = f"--host {host} is not a loopback address: without API keys the server listens on 127.0.0.1 or ::1 only"
    raise CannotStart(message, USAGE_ERROR)


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


def _serve(services: Services, bells: dict[str, Doorbell], listening: socket.socket) -> None:
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
        api = HttpApi(
            routes={**load_routes(), "health": health},
            unknown=endpoint(),
            pool=pool,
            max_body_bytes=settings.max_body_bytes,
            now_ms=services.now_ms,
            new_id=services.new_id,
        )
        name = listening.getsockname()
        listener = Listener(api, ready=lambda: _greet(name, settings))
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, listener.handle_exit)  # also after uvicorn, while the last job is finished
        if warmup is not None:
            warmup.start()
        background.start()
        try:
            listener.run(sockets=[listening])
        finally:
            background.stop()
            if warmup is not None:
                warmup.join()


def _greet(name: tuple[str, int], settings: Settings) -> None:
    host, port = name[:2]
    url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    data = f"table {settings.table_name}" if settings.table_name else str(Path(settings.data_dir).resolve())
    sys.stdout.write(
        f"Agent Memory {version(PACKAGE)} on {url}\n"
        f"data: {data}\n"
        f'try:  curl -X POST {url}/CreateMemoryStore -d \'{{"memoryStoreName":"first"}}\'\n'
    )
    sys.stdout.flush()
