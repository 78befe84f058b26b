"""What the queue file adds to the contract: time under an injected clock, restarts, threads."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from agent_memory.adapters.sqlite_queue import SqliteQueue
from agent_memory.errors import ServiceUnavailable
from agent_memory.jobs import decode
from agent_memory.ports import Delivery, Job

EXTRACTION = "extraction"
VISIBILITY = 60


class Clock:
    """Unix seconds that move when told."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        """The time."""
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    """The clock of the queue under test."""
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of the queue under test."""
    return tmp_path / "jobs.sqlite3"


@pytest.fixture
def queue(clock: Clock, path: Path) -> Iterator[SqliteQueue]:
    """An empty queue."""
    opened = open_queue(path, clock)
    yield opened
    opened.close()


def open_queue(path: Path, clock: Clock) -> SqliteQueue:
    """A queue on the file, as a process after a restart would open it."""
    ids = (f"{id(path)}-{number}" for number in itertools.count())
    return SqliteQueue(path, now=clock, new_id=ids.__next__, visibility_seconds=VISIBILITY, max_attempts=2)


def receive_one(queue: SqliteQueue) -> Delivery:
    """The only delivery of a receive."""
    (delivery,) = queue.receive(EXTRACTION, 1)
    return delivery


def test_a_job_comes_again_after_the_time_out(queue: SqliteQueue, clock: Clock) -> None:
    """Neither acknowledged nor released, a job is hidden for the visibility time and not longer."""
    queue.send(Job("extract", "1", "g"))
    receive_one(queue)
    clock.seconds += VISIBILITY - 1
    assert queue.receive(EXTRACTION, 1) == []
    clock.seconds += 1
    assert receive_one(queue).attempts == 2


def test_a_late_settlement_is_ignored(queue: SqliteQueue, clock: Clock) -> None:
    """After the time-out an old receipt neither removes nor hides the job, whoever has it now."""
    queue.send(Job("extract", "1", "g"))
    late = receive_one(queue)
    clock.seconds += VISIBILITY
    queue.acknowledge(late)
    queue.release(late, 500)
    current = receive_one(queue)
    queue.acknowledge(late)
    queue.release(late, 0)
    assert queue.depth(EXTRACTION) == 1
    assert queue.receive(EXTRACTION, 1) == []
    queue.acknowledge(current)
    assert queue.depth(EXTRACTION) == 0


@pytest.mark.parametrize(("delay", "hidden"), [(1, 1), (50, 50), (500, 500), (10**9, 43_200)])
def test_a_release_hides_for_its_delay(queue: SqliteQueue, clock: Clock, delay: int, hidden: int) -> None:
    """The delay counts from the release, whatever the visibility time, and is cut at twelve hours."""
    queue.send(Job("extract", "1", "g"))
    queue.release(receive_one(queue), delay)
    clock.seconds += hidden - 1
    assert queue.receive(EXTRACTION, 1) == []
    clock.seconds += 1
    assert receive_one(queue).attempts == 2


def test_a_negative_delay_is_none(queue: SqliteQueue) -> None:
    """A delay below zero makes the job visible at once."""
    queue.send(Job("extract", "1", "g"))
    queue.release(receive_one(queue), -3)
    assert receive_one(queue).attempts == 2


def test_a_repeat_counts_after_five_minutes(queue: SqliteQueue, clock: Clock) -> None:
    """The window begins at the first send, and a dropped repeat does not prolong it."""
    queue.send(Job("extract", "任务", "g"))
    queue.acknowledge(receive_one(queue))
    clock.seconds += 299
    queue.send(Job("extract", "任务", "g"))
    assert queue.depth(EXTRACTION) == 0
    clock.seconds += 1
    queue.send(Job("extract", "任务", "g"))
    assert queue.depth(EXTRACTION) == 1


def test_a_time_out_on_the_last_attempt_is_a_dead_letter(queue: SqliteQueue, clock: Clock) -> None:
    """A consumer that dies each time uses the attempts up too; the dead letter keeps body, group and attempts."""
    queue.send(Job("extract", "1", "会话", {"text": "我对虾过敏"}))
    first = receive_one(queue)
    for _ in range(2):
        clock.seconds += VISIBILITY
        queue.receive(EXTRACTION, 1)
    (dead,) = queue.dead_letters(EXTRACTION)
    assert (dead.message_id, dead.group, dead.attempts) == (first.message_id, first.group, 2)
    assert decode(dead.body).payload == {"text": "我对虾过敏"}
    assert queue.depth(EXTRACTION) == 0
    assert queue.dead_letters("maintenance") == []


def test_a_restart_keeps_everything(queue: SqliteQueue, clock: Clock, path: Path) -> None:
    """Waiting jobs, jobs in flight and the window of repeats are in the file."""
    queue.send(Job("extract", "1", "a"))
    queue.send(Job("extract", "2", "b"))
    receive_one(queue)
    queue.close()
    again = open_queue(path, clock)
    again.send(Job("extract", "2", "b"))
    assert [decode(one.body).job_id for one in again.receive(EXTRACTION, 10)] == ["2"]
    clock.seconds += VISIBILITY
    assert [decode(one.body).job_id for one in again.receive(EXTRACTION, 10)] == ["1", "2"]
    again.close()


def test_a_closed_queue_is_unavailable(queue: SqliteQueue) -> None:
    """After `close` a call raises the named error, not one of SQLite."""
    queue.close()
    with pytest.raises(ServiceUnavailable):
        queue.send(Job("extract", "1", "g"))


def test_a_file_that_is_no_queue_is_unavailable(path: Path, clock: Clock) -> None:
    """A damaged file raises the named error."""
    path.write_bytes(b"not a database, for certain" * 100)
    with pytest.raises(ServiceUnavailable):
        open_queue(path, clock)


def test_threads_share_a_queue(queue: SqliteQueue) -> None:
    """Senders on several threads lose nothing."""

    def send_some(name: str) -> None:
        for number in range(10):
            queue.send(Job("extract", f"{name}-{number}", name))

    threads = [Thread(target=send_some, args=(name,)) for name in "甲乙丙丁"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert queue.depth(EXTRACTION) == 40
