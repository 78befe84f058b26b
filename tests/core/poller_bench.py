"""What the tests of the poller stand on: a queue in memory, a clock, a handler and a queue that fails."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agent_memory.adapters.sqlite_queue import SqliteQueue
from agent_memory.errors import AgentMemoryError
from agent_memory.jobs import decode
from agent_memory.local.poller import Handler, Poller
from agent_memory.ports import Delivery, Job, JobQueue

EXTRACTION = "extraction"
Answer = Callable[[dict[str, Any]], dict[str, Any] | None]


@dataclass
class Bench:
    """A queue in memory, a clock, a handler that notes its events and answers as told; the first wait ends the run."""

    seconds: float = 1_000.0
    answer: Answer = lambda _: None
    events: list[dict[str, Any]] = field(default_factory=list)
    contexts: list[Any] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        ids = map(str, itertools.count())
        self.new_id = ids.__next__
        self.queue = SqliteQueue(":memory:", now=self.now, new_id=self.new_id, visibility_seconds=60, max_attempts=3)

    def now(self) -> float:
        """The time."""
        return self.seconds

    def handle(self, event: dict[str, Any], context: Any) -> dict[str, Any] | None:
        """The Lambda handler."""
        self.events.append(event)
        self.contexts.append(context)
        return self.answer(event)

    def wait(self, seconds: float) -> bool:
        """Idle once, then ask for the end."""
        self.waits.append(seconds)
        self.stop.set()
        return False

    def poller(self, queue: JobQueue | None = None, handler: Handler | None = None) -> Poller:
        """A poller of the extraction queue."""
        return Poller(
            queue=queue or self.queue,
            queue_name=EXTRACTION,
            handler=handler or self.handle,
            region="eu-west-1",
            stop=self.stop,
            wait=self.wait,
            now=self.now,
            new_id=self.new_id,
        )

    def send(self, count: int, group: str = "") -> None:
        """Jobs 0, 1, ..., each in its own group unless one is given."""
        for number in range(count):
            self.queue.send(Job("extract", str(number), group or f"会话-{number}", {"text": "每周三晚上学游泳"}))

    def job_ids(self) -> list[list[str]]:
        """The jobs that the handler got, by event."""
        return [[decode(record["body"]).job_id for record in event["Records"]] for event in self.events]


class TroubledQueue:
    """A queue whose calls raise until its errors are used up; then it passes them on."""

    def __init__(self, queue: JobQueue, **errors: list[AgentMemoryError]) -> None:
        self._queue = queue
        self._errors = errors

    def _trouble(self, call: str) -> None:
        if self._errors.get(call):
            raise self._errors[call].pop()

    def send(self, job: Job) -> None:
        """Pass on."""
        self._queue.send(job)

    def receive(self, queue: str, limit: int) -> list[Delivery]:
        """Raise or pass on."""
        self._trouble("receive")
        return self._queue.receive(queue, limit)

    def acknowledge(self, delivery: Delivery) -> None:
        """Raise or pass on."""
        self._trouble("acknowledge")
        self._queue.acknowledge(delivery)

    def release(self, delivery: Delivery, delay_seconds: int) -> None:
        """Raise or pass on."""
        self._trouble("release")
        self._queue.release(delivery, delay_seconds)


def fail(*positions: int) -> Answer:
    """An answer that reports the records at these positions."""
    return lambda event: {
        "batchItemFailures": [{"itemIdentifier": event["Records"][position]["messageId"]} for position in positions]
    }
