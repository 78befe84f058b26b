"""How a send wakes the poller of the same process, so that a job starts without waiting for the next poll."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from agent_memory.jobs import QUEUE_OF_KIND
from agent_memory.ports import Delivery, Job, JobQueue


class Doorbell:
    """Rung by senders and at shutdown, waited on by the pollers of one queue. A ring before the wait is not lost."""

    def __init__(self) -> None:
        self._rung = threading.Event()

    def ring(self) -> None:
        """End the current wait, or the next one if nobody is waiting."""
        self._rung.set()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; whether it rang."""
        rung = self._rung.wait(seconds)
        self._rung.clear()
        return rung


class RingingQueue:
    """A queue that rings the bell of a job's queue after each send; everything else goes through."""

    def __init__(self, queue: JobQueue, bells: Mapping[str, Doorbell]) -> None:
        self._queue = queue
        self._bells = bells

    def send(self, job: Job) -> None:
        """Send, then ring."""
        self._queue.send(job)
        bell = self._bells.get(QUEUE_OF_KIND[job.kind])
        if bell is not None:
            bell.ring()

    def receive(self, queue: str, limit: int) -> list[Delivery]:
        """As the queue inside."""
        return self._queue.receive(queue, limit)

    def acknowledge(self, delivery: Delivery) -> None:
        """As the queue inside."""
        self._queue.acknowledge(delivery)

    def release(self, delivery: Delivery, delay_seconds: int) -> None:
        """As the queue inside."""
        self._queue.release(delivery, delay_seconds)
