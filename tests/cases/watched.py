"""Ports with an ear: the embedder and the queue of a run, as they are, and what went through them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agent_memory.errors import EmbedderFailed
from agent_memory.ports import Delivery, Embedder, Job, JobQueue


class WatchedEmbedder:
    """Counts its calls, tells of each that embeds memories, and fails as often as it is told to."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.calls = 0
        self.failures = 0
        self.tell: Callable[[], None] = lambda: None

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dim(self) -> int:
        return self._embedder.dim

    def embed(self, texts: Sequence[str], side: Any) -> Any:
        self.calls += 1
        if side == "passage":
            self.tell()
            if self.failures > 0:
                self.failures -= 1
                raise EmbedderFailed("the model is away")
        return self._embedder.embed(texts, side)


class WatchedQueue:
    """Remembers what it handed out, so that it can be handed out again."""

    def __init__(self, queue: JobQueue) -> None:
        self.queue = queue
        self.delivered: list[Delivery] = []

    def send(self, job: Job) -> None:
        self.queue.send(job)

    def receive(self, queue: str, limit: int) -> list[Delivery]:
        found = self.queue.receive(queue, limit)
        self.delivered += found
        return found

    def acknowledge(self, delivery: Delivery) -> None:
        self.queue.acknowledge(delivery)

    def release(self, delivery: Delivery, delay_seconds: int) -> None:
        self.queue.release(delivery, delay_seconds)
