"""The sweeper: finds jobs that are long due and not done, and queues them again.

It closes the gap between "durable" and "queued" (a crash, a queue that did not answer, a dead letter). A job that does
not end after SENDS_BEFORE_RECONCILE sends has its task marked `needs_reconcile` for a person.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agent_memory import keys
from agent_memory.dispatch import dispatch
from agent_memory.errors import ConditionFailed
from agent_memory.jobs import decode
from agent_memory.ports import Delete, Item, Job, Put, Write
from agent_memory.records import task_item, task_of
from agent_memory.scopes import Scope
from agent_memory.times import FIRST_MS

if TYPE_CHECKING:
    from agent_memory.services import Services

PER_SHARD = 200
SENDS_BEFORE_RECONCILE = 8


def sweep_outbox(services: Services) -> int:
    """Number of jobs queued again. Two sweepers at once do not both send one."""
    return sum(_sweep_shard(shard, services) for shard in range(keys.OUTBOX_SHARDS))


def is_due(body: dict[str, Any], now_ms: int, patience_ms: int) -> bool:
    """Whether the job was last sent longer ago than the patience, which doubles with each send."""
    return bool(body["sentMs"] + patience_ms * 2 ** (body["sends"] - 1) <= now_ms)


def _sweep_shard(shard: int, services: Services) -> int:
    now = services.now_ms()
    patience = services.settings.sweep_after_seconds * 1_000
    oldest = f"{now - patience - FIRST_MS:015d}"
    page = services.table.query(keys.outbox_partition(shard), "", oldest + keys.LAST, limit=PER_SHARD)
    due = [item for item in page.items if is_due(dict(item.body), now, patience)]
    return sum(_send_again(item, now, services) for item in due)


def _send_again(item: Item, now: int, services: Services) -> int:
    job, sends = decode(item.body["job"]), item.body["sends"] + 1
    if job.kind == "extract" and sends > SENDS_BEFORE_RECONCILE:
        _give_up(item, job, now, services)
        return 0
    noted = Item(item.key, {**item.body, "sentMs": now, "sends": sends}, item.version + 1)
    try:
        services.table.write([Put(noted, expect=item.version)])
    except ConditionFailed:
        return 0  # done meanwhile, or sent by another sweeper
    # A queue drops a job id that it saw in the last minutes; this send is meant.
    dispatch(replace(job, job_id=f"{job.job_id.partition('~')[0]}~{sends}"), services)
    return 1


def _give_up(item: Item, job: Job, now: int, services: Services) -> None:
    key = keys.task(job.payload["uid"], Scope.model_validate(job.payload["scope"]), job.payload["requestId"])
    stored = services.table.get([key]).get(key)
    writes: list[Write] = [Delete(item.key, expect=item.version)]
    if stored is not None and not task_of(stored).ended:
        task = task_of(stored).model_copy(update={"status": "needs_reconcile", "updated_ms": now, "finished_ms": now})
        writes.append(Put(task_item(job.payload["uid"], task, stored.version + 1), expect=stored.version))
    try:
        services.table.write(writes)
    except ConditionFailed:
        services.logger.info("task moved while it was given up", extra={"job": job.job_id})
