"""The threads beside the socket: what event source mappings and schedules do on AWS."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent_memory.local.doorbell import Doorbell
from agent_memory.local.lambda_context import LocalContext
from agent_memory.local.poller import Handler, Poller
from agent_memory.services import Services
from agent_memory.times import format_seconds

REGION = "local"
THREADS_OF_QUEUE = {"extraction": 2, "maintenance": 1, "index": 1}
JOBS_AT_ONCE = 2  # so that the last of a batch begins well before its lease ends, and a stop does not take long
SWEEP_TIMEOUT_SECONDS = 60.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Background:
    """Worker threads per queue, and a timer for the sweeper; `handlers` are by queue name.

    The threads of a queue share its bell: whoever hears a ring looks into the queue afterwards, so none is lost.
    """

    services: Services
    bells: Mapping[str, Doorbell]
    handlers: Mapping[str, Handler]
    sweeper: Handler
    sweep_seconds: float
    stopped: threading.Event = field(default_factory=threading.Event)
    threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Start all threads; they are daemons, since a second signal must not wait for them."""
        for name, count in THREADS_OF_QUEUE.items():
            for number in range(1, count + 1):
                self.threads.append(threading.Thread(target=self._poller(name).run, name=f"{name}-{number}"))
        self.threads.append(threading.Thread(target=self._sweep, name="sweeper"))
        for thread in self.threads:
            thread.daemon = True
            thread.start()

    def stop(self) -> None:
        """Take no more jobs, and wait until those in hand are done."""
        self.stopped.set()
        for bell in self.bells.values():
            bell.ring()
        for thread in self.threads:
            thread.join()

    def dead(self) -> list[str]:
        """Names of threads that ended though nobody asked them to."""
        return [] if self.stopped.is_set() else [thread.name for thread in self.threads if not thread.is_alive()]

    def _poller(self, queue_name: str) -> Poller:
        return Poller(
            queue=self.services.queue,
            queue_name=queue_name,
            handler=self.handlers[queue_name],
            region=REGION,
            stop=self.stopped,
            wait=self.bells[queue_name].wait,
            now=time.time,
            new_id=self.services.new_id,
            batch_size=JOBS_AT_ONCE,
        )

    def _sweep(self) -> None:
        while True:
            self._sweep_once()
            if self.stopped.wait(self.sweep_seconds):
                return

    def _sweep_once(self) -> None:
        request_id, started = self.services.new_id(), time.time()
        context = LocalContext("sweeper", request_id, started + SWEEP_TIMEOUT_SECONDS, time.time)
        try:
            self.sweeper(schedule_event(request_id, int(started * 1000)), context)
        except Exception:  # noqa: BLE001 - as on Lambda: the failure is logged, and the schedule goes on
            _log.exception("the sweeper raised")


def schedule_event(event_id: str, now_ms: int) -> dict[str, Any]:
    """An event of EventBridge's schedules (EventBridge user guide, "Events from AWS services")."""
    return {
        "version": "0",
        "id": event_id,
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": "000000000000",
        "time": format_seconds(now_ms),
        "region": REGION,
        "resources": [f"arn:aws:events:{REGION}:000000000000:rule/sweeper"],
        "detail": {},
    }
