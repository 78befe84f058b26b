"""DeleteMemoryStore: gone for every reader at once, its data removed in the background."""

from __future__ import annotations

from typing import Any

from agent_memory import keys
from agent_memory.dispatch import dispatch
from agent_memory.errors import ConditionFailed, Conflict
from agent_memory.ports import Delete, Job, Put
from agent_memory.records import outbox_item, store_of
from agent_memory.requests.stores import StoreRequest
from agent_memory.services import Services
from agent_memory.store_access import read_store_item

TRIES = 5


def delete_memory_store(request: StoreRequest, services: Services) -> dict[str, Any]:
    """`deleted` and the name; NotFound when there is no such store.

    Without its life record no job can write below the store any more, and nothing reads by the name.
    """
    for _ in range(TRIES):
        item = read_store_item(services.table, request.instance, request.memory_store_name)
        store, now = store_of(item), services.now_ms()
        job = purge_job(store.uid, now)
        try:
            services.table.write(
                [
                    Delete(item.key, expect=item.version),
                    Delete(keys.alive(store.uid), expect=store.life),
                    Put(outbox_item(job, now)),
                ]
            )
        except ConditionFailed:
            continue
        dispatch(job, services)
        return {"deleted": True, "memoryStoreName": request.memory_store_name}
    raise Conflict(f"memoryStoreName {request.memory_store_name!r} is being changed by others")


def purge_job(uid: str, queued_ms: int) -> Job:
    """The job that removes what lies under a deleted store."""
    return Job(
        kind="purge_store", job_id=f"purge-{uid}", group=f"purge/{uid}", payload={"uid": uid, "queuedMs": queued_ms}
    )
