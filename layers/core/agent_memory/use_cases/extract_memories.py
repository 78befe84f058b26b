"""The extraction job: claim the task, read its messages, extract, embed, settle, end the task.

Every step may have run before: the claim is a lease on the task's version, unit ids follow from content, and the task
ends in the transaction that writes its last units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agent_memory import keys
from agent_memory.dispatch import log_grew
from agent_memory.errors import AgentMemoryError, ConditionFailed, ScopeDeleted, ServerBusy
from agent_memory.extraction.candidates import Candidate
from agent_memory.extraction.episodes import extract_episodes
from agent_memory.extraction.verbatim import verbatim
from agent_memory.memory_store import MemoryStore
from agent_memory.models import MemoryUnit, Task
from agent_memory.ports import Delete, Item, Key, Put
from agent_memory.records import message_of, store_of, task_item, task_of
from agent_memory.scopes import Scope
from agent_memory.settlement.commit import Ending, commit_units
from agent_memory.settlement.units import LoggedMessage, units_of
from agent_memory.visibility import Visibility, visibility

if TYPE_CHECKING:
    from agent_memory.ports import Job, WideTable
    from agent_memory.services import Services

NOTHING_TO_STORE = "nothing_to_store"
BEGINNINGS = 5


def extract_memories(job: Job, services: Services) -> None:
    """Bring the job's task to an end; a retryable error means: hand me the job again.

    After `max_attempts` claims that failed, the task ends as failed with the error's code.
    """
    uid = job.payload["uid"]
    item = services.table.get([_task_key(job)]).get(_task_key(job))
    if item is None or task_of(item).ended or _beginning(job, services.table) is None:
        _forget(job, item, services)
        return
    claimed = _claim(item, services, uid)
    try:
        _extract(job, claimed, services)
    except ConditionFailed as error:
        _after_lost_task(job, services, error)
    except AgentMemoryError as error:
        if task_of(claimed).attempts >= services.settings.max_attempts or not error.retryable:
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


def _beginning(job: Job, table: WideTable) -> tuple[MemoryStore, Visibility] | None:
    """The store of the job, and what is hidden; None where it was deleted, even if another one has its name now."""
    scope = Scope.model_validate(job.payload["scope"])
    key = keys.store(job.payload["instance"], job.payload["store"])
    gone = keys.gone(keys.tenant_partition(job.payload["uid"], scope.app_id, scope.tenant_id))
    read = table.get([key, gone])
    if key not in read or store_of(read[key]).uid != job.payload["uid"]:
        return None
    store = store_of(read[key])
    return store, visibility(store, read.get(gone))


def _extract(job: Job, claimed: Item, services: Services) -> None:
    """Extract and settle; from the start again where something of the tenant was deleted in between."""
    task = task_of(claimed)
    for _ in range(BEGINNINGS):
        begun = _beginning(job, services.table)
        if begun is None:
            raise ConditionFailed
        store, visible = begun
        if visible.hides(task.scope, task.born):
            raise ScopeDeleted("the scope was deleted after these messages were added")
        messages = _messages(store.uid, task, services.table)
        now = services.now_ms()
        units = units_of(task, _candidates(store, task, messages), messages, services.embedder.model, now)
        ended = Ending(store, _completed(task, units, now), claimed.version, _outbox(task), visible)
        entries = commit_units(services.table, services.packing(store), units, ended, now)
        if entries is not None:
            log_grew(store, task.scope.levels[:2], entries, services)
            return
    raise ServerBusy("deletions in the same tenant keep overtaking the extraction")


def _completed(task: Task, units: Sequence[MemoryUnit], now_ms: int) -> Task:
    changes: dict[str, Any] = {
        "status": "completed",
        "path": "rules" if task.infer else "verbatim",
        "derived_unit_ids": tuple(unit.id for unit in units),
        "reason": None if units else NOTHING_TO_STORE,
        "last_error": None,
        "updated_ms": now_ms,
        "finished_ms": now_ms,
    }
    return task.model_copy(update=changes)


def _candidates(store: MemoryStore, task: Task, logged: Sequence[LoggedMessage]) -> Sequence[Candidate]:
    if "structured" not in store.output_types:
        return []
    messages = [each.message for each in logged]
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
