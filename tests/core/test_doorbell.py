"""How senders wake the poller of the same process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from agent_memory.local.doorbell import Doorbell, RingingQueue
from agent_memory.local.poller import Poller
from agent_memory.ports import Job

from .poller_bench import EXTRACTION, Bench, fail


@pytest.fixture
def bench() -> Iterator[Bench]:
    """An empty bench."""
    made = Bench()
    yield made
    made.queue.close()


def test_a_ring_before_the_wait_is_not_lost() -> None:
    """A bell that rang ends the next wait at once, and only that one."""
    bell = Doorbell()
    bell.ring()
    assert bell.wait(60)
    assert not bell.wait(0)


def test_a_send_rings_the_bell_of_its_queue(bench: Bench) -> None:
    """The job is in the queue, and only the poller of its queue is woken."""
    bells = {EXTRACTION: Doorbell(), "other": Doorbell()}
    queue = RingingQueue(bench.queue, bells)
    queue.send(Job("purge_store", "0", "g"))
    assert not bells[EXTRACTION].wait(0)
    queue.send(Job("extract", "1", "g"))
    assert bells[EXTRACTION].wait(0)
    assert not bells["other"].wait(0)
    assert bench.poller(queue).run_once() == 1


def test_a_ringing_queue_passes_settlements_on(bench: Bench) -> None:
    """Failed jobs are released and done ones removed through it."""
    bench.send(2)
    bench.answer = fail(0)
    assert bench.poller(RingingQueue(bench.queue, {})).run_once() == 2
    assert bench.queue.depth(EXTRACTION) == 1


def test_a_rung_poller_serves_on_its_own_thread(bench: Bench) -> None:
    """A send wakes an idle thread, and setting `stop` and ringing ends it."""
    bell, served = Doorbell(), threading.Event()
    queue = RingingQueue(bench.queue, {EXTRACTION: bell})

    def handle(_: dict[str, Any], __: Any) -> None:
        served.set()

    poller = Poller(
        queue, EXTRACTION, handle, "eu-west-1", bench.stop, lambda _: bell.wait(60), bench.now, bench.new_id
    )
    thread = threading.Thread(target=poller.run, daemon=True)
    thread.start()
    try:
        queue.send(Job("extract", "1", "g"))
        assert served.wait(30)
    finally:
        bench.stop.set()
        bell.ring()
        thread.join(30)
    assert not thread.is_alive()
    assert bench.queue.depth(EXTRACTION) == 0
