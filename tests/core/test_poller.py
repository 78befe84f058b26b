"""The local event source mapping: what it calls, what it settles, what it survives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agent_memory.errors import AgentMemoryError, ServerBusy, ServiceUnavailable
from agent_memory.jobs import decode
from agent_memory.local.poller import IDLE_SECONDS, Tally, retry_delay
from agent_memory.ports import Job

from .poller_bench import EXTRACTION, Bench, TroubledQueue, fail


@pytest.fixture
def bench() -> Iterator[Bench]:
    """An empty bench."""
    made = Bench()
    yield made
    made.queue.close()


def explode(_: dict[str, Any]) -> dict[str, Any] | None:
    """A handler with a bug."""
    raise RuntimeError("炸了")


def test_a_batch_is_one_event_and_is_acknowledged(bench: Bench) -> None:
    """Up to ten jobs reach the handler as one event and are done when it returns."""
    bench.send(12)
    assert bench.poller().run_once() == 10
    assert bench.job_ids() == [[str(number) for number in range(10)]]
    assert bench.events[0]["Records"][0]["attributes"]["SentTimestamp"] == "1000000"
    assert bench.queue.depth(EXTRACTION) == 2


def test_nothing_to_do_calls_nobody(bench: Bench) -> None:
    """An empty queue makes no event."""
    assert bench.poller().run_once() == 0
    assert bench.events == []


def test_the_context_has_what_powertools_reads(bench: Bench) -> None:
    """Name, ids and the remaining time are those of this invocation."""
    bench.send(1)
    bench.poller().run_once()
    (context,) = bench.contexts
    assert context.function_name == EXTRACTION
    assert context.aws_request_id
    assert context.memory_limit_in_mb > 0
    assert context.invoked_function_arn.endswith(":function:extraction")
    assert (context.log_group_name, context.log_stream_name) == ("/aws/lambda/extraction", "local")
    assert context.get_remaining_time_in_millis() == 60_000
    bench.seconds += 61
    assert context.get_remaining_time_in_millis() == 0


def test_reported_jobs_come_again_after_a_delay(bench: Bench) -> None:
    """A partial failure repeats only the reported jobs, later."""
    bench.send(3)
    bench.answer = fail(1)
    assert bench.poller().drain(10) == Tally(handled=3, failed=1)
    assert bench.poller().run_once() == 0
    bench.seconds += retry_delay(1)
    bench.answer = lambda _: None
    assert bench.poller().drain(10) == Tally(handled=1, failed=0)
    assert bench.job_ids() == [["0", "1", "2"], ["1"]]
    assert bench.queue.depth(EXTRACTION) == 0


def test_a_raising_handler_fails_the_batch_and_the_poller_goes_on(bench: Bench) -> None:
    """All jobs of the batch are tried again until they are dead letters; the poller never raises."""
    bench.send(2, group="会话")
    bench.answer = explode
    for attempt in range(1, 4):
        assert bench.poller().drain(10) == Tally(handled=2, failed=2)
        bench.seconds += retry_delay(attempt)
    assert bench.poller().drain(10) == Tally()
    assert [decode(dead.body).job_id for dead in bench.queue.dead_letters(EXTRACTION)] == ["0", "1"]


def test_draining_serves_everything_ready(bench: Bench) -> None:
    """Rounds go on until nothing is ready, and not beyond the limit."""
    bench.send(35)
    assert bench.poller().drain(2) == Tally(handled=20, failed=0)
    assert bench.poller().drain(10) == Tally(handled=15, failed=0)


def test_draining_follows_jobs_that_handlers_send(bench: Bench) -> None:
    """A job sent while handling is served in the same drain."""

    def chain(event: dict[str, Any]) -> None:
        number = int(decode(event["Records"][0]["body"]).job_id)
        if number < 3:
            bench.queue.send(Job("extract", str(number + 1), "会话"))

    bench.answer = chain
    bench.send(1)
    assert bench.poller().drain(10) == Tally(handled=4, failed=0)


@pytest.mark.parametrize("error", [ServerBusy("busy"), ServiceUnavailable("away")])
def test_a_queue_in_trouble_is_waited_for(bench: Bench, error: AgentMemoryError) -> None:
    """The run idles and receives again instead of ending."""
    bench.send(1)
    poller = bench.poller(TroubledQueue(bench.queue, receive=[error]))
    poller.run()
    assert (bench.waits, bench.events) == ([IDLE_SECONDS], [])
    assert poller.run_once() == 1


def test_a_job_that_cannot_be_settled_comes_again(bench: Bench) -> None:
    """Trouble with one job does not keep the others from being settled; it is repeated after its time-out."""
    bench.send(3)
    bench.answer = fail(0)
    errors: dict[str, list[AgentMemoryError]] = {"acknowledge": [ServerBusy("")], "release": [ServiceUnavailable("")]}
    assert bench.poller(TroubledQueue(bench.queue, **errors)).run_once() == 3
    assert bench.queue.depth(EXTRACTION) == 2
    bench.seconds += 60
    bench.answer = lambda _: None
    assert bench.poller().drain(10) == Tally(handled=2, failed=0)


def test_a_run_idles_only_when_nothing_is_ready(bench: Bench) -> None:
    """Batches follow each other at once; the bounded wait comes when there is none."""
    bench.send(25)
    bench.poller().run()
    assert [len(batch) for batch in bench.job_ids()] == [10, 10, 5]
    assert bench.waits == [IDLE_SECONDS]


def test_a_stop_finishes_the_batch_in_hand(bench: Bench) -> None:
    """Told to stop while handling, the run settles that batch and takes no other."""
    bench.send(15)
    bench.answer = lambda _: bench.stop.set()
    bench.poller().run()
    assert [len(batch) for batch in bench.job_ids()] == [10]
    assert bench.waits == []
    assert bench.queue.depth(EXTRACTION) == 5


def test_retries_slow_down_to_a_minute() -> None:
    """The delay doubles with each attempt and is bounded, also for absurd counts."""
    assert [retry_delay(attempts) for attempts in range(1, 9)] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert retry_delay(10**9) == 60
