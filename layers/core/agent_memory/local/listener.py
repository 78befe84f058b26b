"""uvicorn on one bound socket. The only module that imports it, and imported only where a server starts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import uvicorn

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from types import FrameType

KEEP_ALIVE_SECONDS = 75  # longer than clients keep an idle connection, so that none is closed under a request
GRACE_SECONDS = 30  # for requests in hand when the server is told to stop


class Listener(uvicorn.Server):
    """Serves an ASGI application until a signal; `ready` is called once it accepts connections."""

    def __init__(self, app: Any, tls_cert: str | None, tls_key: str | None, ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http="h11",
                ws="none",
                lifespan="off",
                loop="asyncio",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=GRACE_SECONDS,
                ssl_certfile=tls_cert,
                ssl_keyfile=tls_key,
            )
        )
        self.config.load()  # reads the certificate, so that a bad one is told before anything starts
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections."""
        await super().startup(sockets)
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the shape of a signal handler
        """The first signal ends the server in good order, a second one the process at once."""
        if self.should_exit:
            os._exit(128 + sig)
        self.should_exit = True
