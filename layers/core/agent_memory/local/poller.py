"""What Lambda's event source mapping does on AWS: take jobs from a queue, call the handler, settle the batch."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from agent_memory.errors import ServerBusy, ServiceUnavailable
from agent_memory.local.lambda_context import LocalContext
from agent_memory.local.sqs_events import failed_ids, sqs_event
from agent_memory.ports import Delivery, JobQueue

BATCH_SIZE = 10
IDLE_SECONDS = 1.0  # jobs that another process sends wait at most this long
MAX_RETRY_SECONDS = 60

Handler = Callable[[dict[str, Any], Any], dict[str, Any] | None]

_log = logging.getLogger(__name__)


def retry_delay(attempts: int) -> int:
    """Seconds until a job that failed this many times (at least once) comes again: 1, 2, 4 and so on up to a minute."""
    doublings = min(attempts - 1, MAX_RETRY_SECONDS.bit_length())
    return min(1 << doublings, MAX_RETRY_SECONDS)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many deliveries went to the handler, and how many of them failed there."""

    handled: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Poller:
    """One queue and the handler of its jobs, served by one thread in `run`.

    `wait` sleeps for so many seconds or until woken (`Doorbell.wait`, or `stop.wait`); to end `run` at once, set `stop`
    and wake it. `now` gives Unix seconds.
    """

    queue: JobQueue
    queue_name: str
    handler: Handler
    region: str
    stop: threading.Event
    wait: Callable[[float], bool]
    now: Callable[[], float]
    new_id: Callable[[], str]
    timeout_seconds: float = 60.0
    batch_size: int = BATCH_SIZE

    def run(self) -> None:
        """Serve until `stop` is set; a batch in hand is finished first."""
        while not self.stop.is_set():
            if self.run_once() == 0:
                self.wait(IDLE_SECONDS)

    def run_once(self) -> int:
        """Serve one batch, if there is one, and say how many deliveries it had. Trouble of the queue counts as none."""
        return self._round().handled

    def drain(self, max_rounds: int) -> Tally:
        """Serve batches until none is ready; failed jobs wait for their delay, so they are left."""
        handled = failed = 0
        for _ in range(max_rounds):
            tally = self._round()
            if tally.handled == 0:
                break
            handled += tally.handled
            failed += tally.failed
        return Tally(handled, failed)

    def _round(self) -> Tally:
        batch = self._receive()
        if not batch:
            return Tally()
        failed = self._call(batch)
        for delivery in batch:
            self._settle(delivery, failed=delivery.message_id in failed)
        return Tally(len(batch), len(failed))

    def _receive(self) -> list[Delivery]:
        try:
            return self.queue.receive(self.queue_name, self.batch_size)
        except (ServerBusy, ServiceUnavailable) as error:
            _log.warning("cannot receive from %s: %s", self.queue_name, error.code)
            return []

    def _call(self, batch: Sequence[Delivery]) -> frozenset[str]:
        started = self.now()
        event = sqs_event(batch, region=self.region, received_ms=int(started * 1000))
        context = LocalContext(self.queue_name, self.new_id(), started + self.timeout_seconds, self.now)
        message_ids = [delivery.message_id for delivery in batch]
        try:
            answer = self.handler(event, context)
        except Exception:  # noqa: BLE001 - as on Lambda: a function that raises fails its batch, nothing more
            _log.exception("the handler of %s raised", self.queue_name)
            return frozenset(message_ids)
        return failed_ids(answer, message_ids)

    def _settle(self, delivery: Delivery, *, failed: bool) -> None:
        try:
            if failed:
                self.queue.release(delivery, retry_delay(delivery.attempts))
            else:
                self.queue.acknowledge(delivery)
        except (ServerBusy, ServiceUnavailable) as error:
            # The job stays hidden and comes again after its time-out.
            _log.warning("cannot settle a job of %s: %s", self.queue_name, error.code)
