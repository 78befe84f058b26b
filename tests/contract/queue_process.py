"""A process of its own for the tests of the queue file: `send FILE` or `consume FILE`, one line of output per job."""

from __future__ import annotations

import itertools
import os
import sys

from agent_memory.adapters.sqlite_queue import SqliteQueue
from agent_memory.ports import Job

MAX_JOBS = 100_000  # a process that nobody stops ends by itself


def open_queue(path: str) -> SqliteQueue:
    """The queue file under a clock that stands still, so that nothing ever times out."""
    ids = (f"{os.getpid()}-{number}" for number in itertools.count())
    return SqliteQueue(path, now=lambda: 1_000.0, new_id=ids.__next__, visibility_seconds=60, max_attempts=3)


def send(path: str) -> None:
    """Send until killed; each id is told after its job is durable."""
    queue = open_queue(path)
    for number in range(MAX_JOBS):
        queue.send(Job("extract", f"任务-{number}", group=f"会话-{number % 7}"))
        tell(f"任务-{number}")


def consume(path: str) -> None:
    """Take and acknowledge until the queue is empty, beginning when a line comes in."""
    queue = open_queue(path)
    tell("ready")
    sys.stdin.readline()
    for _ in range(MAX_JOBS):
        if queue.depth("extraction") == 0:
            return
        for delivery in queue.receive("extraction", 3):
            tell(f"{delivery.group} {delivery.message_id} {delivery.attempts}")
            queue.acknowledge(delivery)


def tell(line: str) -> None:
    """Let the test know at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    {"send": send, "consume": consume}[sys.argv[1]](sys.argv[2])
