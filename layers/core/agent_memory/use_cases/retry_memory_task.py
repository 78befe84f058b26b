"""RetryMemoryTask: a task that ended without success is done again, from the messages that it stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agent_memory import keys
from agent_memory.dispatch import dispatch
from agent_memory.errors import ConditionFailed, Conflict, InvalidParameter, NotFound, ServerBusy
from agent_memory.memory_store import MemoryStore
from agent_memory.memory_task import Task
from agent_memory.ports import Check, Item, Job, Put
from agent_memory.records import outbox_item, task_item, task_of
from agent_memory.requests.listings import RetryMemoryTaskRequest
from agent_memory.services import Services
from agent_memory.store_access import read_store
from agent_memory.task_access import find_task
from agent_memory.visibility import visibility

TRIES = 5
RETRIED = ("failed", "needs_reconcile")


def retry_memory_task(request: RetryMemoryTaskRequest, services: Services) -> dict[str, Any]:
    """`task`, queued again; NotFound without one, Conflict for one that is done or still to be done.

    Units that an earlier attempt wrote are found again and not doubled.
    """
    for _ in range(TRIES):
        store = read_store(services.table, request.instance, request.memory_store_name)
        item = _found(request, store, services)
        try:
            task, job = _queue_again(item, store, services)
        except ConditionFailed:
            continue  # a worker, another retry or a delete was faster: look again
        # A queue drops a job id that it saw in the last minutes; this send is meant.
        dispatch(replace(job, job_id=f"{job.job_id}~retry{item.version}"), services)
        return {"task": task.to_wire(store.name), "memoryStoreName": store.name}
    raise ServerBusy("the task is being changed by others; try again")


def _found(request: RetryMemoryTaskRequest, store: MemoryStore, services: Services) -> Item:
    item = find_task(store, request.request_id, services.table)
    if item is None or not request.caller.may_see(task_of(item).scope):
        raise _missing(request.request_id, store)
    task = task_of(item)
    if request.scope is not None and not request.scope.matches(task.scope):
        raise InvalidParameter("scope", "is not the scope of this task")
    return item


def _queue_again(item: Item, store: MemoryStore, services: Services) -> tuple[Task, Job]:
    """Task, outbox entry and job as after an add; raises ConditionFailed when one of them moved."""
    task, now = task_of(item), services.now_ms()
    gone_key = keys.gone(item.key.pk)
    gone = services.table.get([gone_key]).get(gone_key)
    if visibility(store, gone).hides(task.scope, task.born):
        raise _missing(task.request_id, store)
    if task.status not in RETRIED:
        raise Conflict(f"the task is {task.status}; only a task that is {' or '.join(RETRIED)} is done again")
    fresh = {"status": "queued", "attempts": 0, "lease_until_ms": 0, "last_error": None, "reason": None}
    queued = task.model_copy(update={**fresh, "updated_ms": now, "finished_ms": None})
    job = _job(task, store)
    noted = outbox_item(job, task.created_ms)
    services.table.write(
        [
            Check(keys.alive(store.uid), expect=store.life),
            Check(gone_key, expect=gone.version if gone else 0),
            Put(task_item(store.uid, queued, item.version + 1), expect=item.version),
            Put(replace(noted, body={**noted.body, "sentMs": now})),
        ]
    )
    return queued, job


def _job(task: Task, store: MemoryStore) -> Job:
    payload = {
        "uid": store.uid,
        "instance": store.instance,
        "store": store.name,
        "scope": task.scope.to_json(),
        "requestId": task.request_id,
        "queuedMs": task.created_ms,
    }
    group = keys.run_partition(store.uid, task.scope)
    return Job(kind="extract", job_id=task.request_id, group=group, payload=payload)


def _missing(request_id: str, store: MemoryStore) -> NotFound:
    return NotFound(f"requestId {request_id!r} does not exist in {store.name!r}")
