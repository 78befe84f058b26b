"""The extraction job: claim the task, read its messages, extract, embed, settle, end the task.

Every step may have run before: the claim is a lease on the task's version, unit ids follow from content, and the task
ends in the transaction that writes its last units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agent_memory import keys
from agent_memory.errors import AgentMemoryError, ConditionFailed, ServerBusy
from agent_memory.extraction.candidates import Candidate
from agent_memory.extraction.episodes import extract_episodes
from agent_memory.extraction.verbatim import verbatim
from agent_memory.memory_store import MemoryStore
from agent_memory.models import Message, Task
from agent_memory.ports import Delete, Item, Key, Put
from agent_memory.records import message_of, task_item, task_of
from agent_memory.scopes import Scope
from agent_memory.settlement.commit import Ending, commit_units
from agent_memory.settlement.units import LoggedMessage, units_of
from agent_memory.store_access import read_store

if TYPE_CHECKING:
    from agent_memory.ports import Job, WideTable
    from agent_memory.services import Services

NOTHING_TO_STORE = "nothing_to_store"


def extract_memories(job: Job, attempt: int, services: Services) -> None:
    """Bring the job's task to an end; a retryable error means: hand me the job again.

    `attempt` counts the hand-overs by the queue; on the last one the task ends as failed with the error's code.
    """
    uid = job.payload["uid"]
    item = services.table.get([_task_key(job)]).get(_task_key(job))
    if item is None or task_of(item).ended:
        _forget(job, item, services)
        return
    claimed = _claim(item, services, uid)
    try:
        _extract(job, claimed, services)
    except ConditionFailed as error:
        _after_lost_task(job, services, error)
    except AgentMemoryError as error:
        if attempt >= services.settings.max_attempts or not error.retryable:
            _fail(uid, claimed, error, services)
        else:
            _hand_back(uid, claimed, error, services)
        raise


def read_task(uid: str, scope: Scope, request_id: str, table: WideTable) -> Task | None:
    """The task as it is now."""
    found = table.get([keys.task(uid, scope, request_id)])
    return next((task_of(item) for item in found.values()), None)


def _task_key(job: Job) -> Key:
    return keys.task(job.payload["uid"], Scope.model_validate(job.payload["scope"]), job.payload["requestId"])


def _outbox(task: Task) -> Key:
    return keys.outbox(task.request_id, task.created_ms)


def _claim(item: Item, services: Services, uid: str) -> Item:
    task, now = task_of(item), services.now_ms()
    if task.status == "running" and task.lease_until_ms > now:
        raise ServerBusy("another worker holds the task")
    changes: dict[str, Any] = {
        "status": "running",
        "attempts": task.attempts + 1,
        "lease_until_ms": now + services.settings.lease_seconds * 1_000,
        "updated_ms": now,
    }
    claimed = task_item(uid, task.model_copy(update=changes), item.version + 1)
    try:
        services.table.write([Put(claimed, expect=item.version)])
    except ConditionFailed as error:
        raise ServerBusy("another worker took the task") from error
    return claimed


def _extract(job: Job, claimed: Item, services: Services) -> None:
    task, uid = task_of(claimed), job.payload["uid"]
    store = read_store(services.table, job.payload["instance"], job.payload["store"])
    messages = _messages(uid, task, services.table)
    candidates = _candidates(store, task, [each.message for each in messages])
    now = services.now_ms()
    units = units_of(task, candidates, messages, services.embedder.model, now)
    changes: dict[str, Any] = {
        "status": "completed",
        "path": "rules" if task.infer else "verbatim",
        "derived_unit_ids": tuple(unit.id for unit in units),
        "reason": None if units else NOTHING_TO_STORE,
        "last_error": None,
        "updated_ms": now,
        "finished_ms": now,
    }
    ended = Ending(store, task.model_copy(update=changes), claimed.version, _outbox(task))
    commit_units(services.table, services.embedder, units, ended, now)


def _candidates(store: MemoryStore, task: Task, messages: Sequence[Message]) -> Sequence[Candidate]:
    if "structured" not in store.output_types:
        return []
    return extract_episodes(messages) if task.infer else verbatim(messages)


def _messages(uid: str, task: Task, table: WideTable) -> list[LoggedMessage]:
    partition = keys.run_partition(uid, task.scope)
    wanted = [keys.message(partition, log_key) for log_key in task.log_keys]
    found = table.get(wanted)
    return [LoggedMessage(key.sk, message_of(found[key])) for key in wanted if key in found]


def _fail(uid: str, claimed: Item, error: AgentMemoryError, services: Services) -> None:
    now = services.now_ms()
    failed = {
        "status": "failed",
        "last_error": f"{error.code}: {error.message}",
        "updated_ms": now,
        "finished_ms": now,
    }
    task = task_of(claimed).model_copy(update=failed)
    services.table.write(
        [Put(task_item(uid, task, claimed.version + 1), expect=claimed.version), Delete(_outbox(task))]
    )


def _hand_back(uid: str, claimed: Item, error: AgentMemoryError, services: Services) -> None:
    """Give the lease up, so that the next hand-over need not wait for it."""
    changes = {"lease_until_ms": 0, "last_error": f"{error.code}: {error.message}", "updated_ms": services.now_ms()}
    task = task_of(claimed).model_copy(update=changes)
    services.table.write([Put(task_item(uid, task, claimed.version + 1), expect=claimed.version)])


def _after_lost_task(job: Job, services: Services, error: ConditionFailed) -> None:
    """Someone else went on with the task, or its store was deleted: then there is nothing left to do here."""
    item = services.table.get([_task_key(job)]).get(_task_key(job))
    alive = keys.alive(job.payload["uid"])
    if item is not None and not task_of(item).ended and alive in services.table.get([alive]):
        raise ServerBusy("another worker took the task") from error
    _forget(job, item, services)


def _forget(job: Job, item: Item | None, services: Services) -> None:
    """The job is done or its store is gone: the sweeper need not look for it."""
    queued_ms = task_of(item).created_ms if item else int(job.payload["queuedMs"])
    services.table.write([Delete(keys.outbox(job.payload["requestId"], queued_ms))])
