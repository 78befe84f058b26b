"""The thread that writes the audit of the embedded server, a moment behind the calls."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from agent_memory.audit import AuditLog

EVERY_SECONDS = 0.25  # what a killed server loses of its audit at most


@contextmanager
def flushed(audit: AuditLog, every_seconds: float = EVERY_SECONDS) -> Iterator[None]:
    """Inside the block the audit is flushed all the time, and once more when the block is left."""
    stopped = threading.Event()

    def run() -> None:
        while not stopped.wait(every_seconds):
            audit.flush()

    thread = threading.Thread(target=run, name="audit", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()
        audit.flush()
