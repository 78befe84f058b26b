"""GET /health of the embedded server: whether it can do its work, and how far the embedding model is loaded."""

from __future__ import annotations

import logging
from threading import Thread
from typing import TYPE_CHECKING, Any

from agent_memory import keys
from agent_memory.errors import AgentMemoryError, EmbedderFailed
from agent_memory.http import response

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_memory.ports import Embedder
    from agent_memory.services import Services

_log = logging.getLogger(__name__)


class Warmup(Thread):
    """Loads the packaged model before the first search needs it; `state` is loading, ready or failed.

    To be joined before the process ends: the libraries of the model abort when it ends around them.
    """

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(name="warm-up", daemon=True)
        self._embedder = embedder
        self.state = "loading"

    def run(self) -> None:
        """Embed one text."""
        try:
            self._embedder.embed(["warm up"], "query")
        except EmbedderFailed as error:
            _log.warning("the embedding model can't be loaded: %s", error.message)
            self.state = "failed"
        else:
            self.state = "ready"


class Health:
    """Handler of the path: 200 with `status` ok, or 503 with `unavailable` and the reason."""

    def __init__(self, services: Services, version: str, dead: Callable[[], list[str]], warmup: Warmup | None) -> None:
        self._services = services
        self._version = version
        self._dead = dead
        self._warmup = warmup

    def __call__(self, event: dict[str, Any], context: object) -> dict[str, Any]:  # noqa: ARG002 - the shape of a handler
        """Answer GET and HEAD."""
        request_id = event["requestContext"]["requestId"]
        if event["requestContext"]["http"]["method"] not in ("GET", "HEAD"):
            refused = {"code": "METHOD_NOT_ALLOWED", "message": "health is called with GET", "requestId": request_id}
            return response(405, refused, request_id)
        trouble = self._trouble()
        state = {"status": "unavailable", "reason": trouble} if trouble else {"status": "ok"}
        about = {"version": self._version, "embedder": self._warmup.state if self._warmup else "remote"}
        return response(503 if trouble else 200, {**state, **about}, request_id)

    def _trouble(self) -> str:
        dead = self._dead()
        if dead:
            return f"stopped working: {', '.join(dead)}"
        if self._warmup is not None and self._warmup.state == "failed":
            return "the embedding model can't be loaded"
        try:
            self._services.table.get([keys.PAGING_KEY])
        except AgentMemoryError as error:
            return f"the table does not answer: {error.message}"
        return ""
