"""Handing a job to the queue after its outbox entry is durable, and asking for what no harm comes from losing."""

from __future__ import annotations

from collections.abc import Iterable

from agent_memory.change_log import SNAPSHOT_EVERY
from agent_memory.errors import ServerBusy, ServiceUnavailable
from agent_memory.memory_store import MemoryStore
from agent_memory.ports import Job
from agent_memory.services import Services


def dispatch(job: Job, services: Services) -> None:
    """Queue the job; if the queue does not answer, the sweeper will find the job in the outbox."""
    try:
        services.queue.send(job)
    except (ServerBusy, ServiceUnavailable) as error:
        services.logger.warning("job waits for the sweeper", extra={"job": job.job_id, "code": error.code})


def log_grew(store: MemoryStore, tenant: tuple[str, str], sequences: Iterable[int], services: Services) -> None:
    """Have the index of (application, tenant) stored anew where one of these log entries is due for it."""
    if any(sequence % SNAPSHOT_EVERY == 0 for sequence in sequences):
        ask_for_snapshot(store, tenant, services)


def ask_for_snapshot(store: MemoryStore, tenant: tuple[str, str], services: Services) -> None:
    """Queue the job that stores the tenant's index; where the queue does not answer, a later write asks again."""
    names = {"uid": store.uid, "instance": store.instance, "store": store.name}
    job = Job(
        kind="snapshot",
        job_id=f"snapshot-{services.new_id()}",
        group=f"index/{store.uid}/{'/'.join(tenant)}",
        payload={**names, "appId": tenant[0], "tenantId": tenant[1]},
    )
    try:
        services.queue.send(job)
    except (ServerBusy, ServiceUnavailable) as error:
        services.logger.info("no snapshot for now", extra={"job": job.job_id, "code": error.code})
