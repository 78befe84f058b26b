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
from agent_memory.memory_store import MemoryStore
from agent_memory.memory_task import NOTHING_TO_STORE, STORED_BY_RULES, Outcome, Task
from agent_memory.ports import Delete, Item, Key
from agent_memory.records import message_of, store_of, task_of
from agent_memory.redaction.finding import redacted
from agent_memory.repeats import Repeats, read_repeats
from agent_memory.scopes import Scope
from agent_memory.settlement.commit import Settler, commit_units
from agent_memory.settlement.judging import model_judge
from agent_memory.settlement.transaction import Ending
from agent_memory.settlement.units import LoggedMessage, units_of
from agent_memory.task_extraction import Asking, Extracted, as_they_are, extracted
from agent_memory.task_lease import claim, fail, hand_back, outbox_of
from agent_memory.visibility import Visibility, visibility

if TYPE_CHECKING:
    from agent_memory.ports import Job, WideTable
    from agent_memory.services import Services

BEGINNINGS = 5
MODEL_CALLS = 6  # of one attempt at most: two batches and the judge, each with one more where an answer is of no use


def extract_memories(job: Job, services: Services) -> None:
    """Bring the job's task to an end; a retryable error means: hand me the job again.

    After `max_attempts` claims that failed, the task ends as failed with the error's code.
    """
    uid = job.payload["uid"]
    item = services.table.get([_task_key(job)]).get(_task_key(job))
    if item is None or task_of(item).ended or _beginning(job, services.table) is None:
        _forget(job, item, services)
        return
    claimed = claim(item, uid, services.table, services.now_ms(), _lease_ms(services))
    try:
        _extract(job, claimed, services)
    except ConditionFailed as error:
        _after_lost_task(job, services, error)
    except AgentMemoryError as error:
        if task_of(claimed).attempts >= services.settings.max_attempts or not error.retryable:
            fail(uid, claimed, error, services.table, services.now_ms())
        else:
            hand_back(uid, claimed, error, services.table, services.now_ms())
        raise


def read_task(uid: str, scope: Scope, request_id: str, table: WideTable) -> Task | None:
    """The task as it is now."""
    found = table.get([keys.task(uid, scope, request_id)])
    return next((task_of(item) for item in found.values()), None)


def _task_key(job: Job) -> Key:
    return keys.task(job.payload["uid"], Scope.model_validate(job.payload["scope"]), job.payload["requestId"])


def _lease_ms(services: Services) -> int:
    """Long enough for all that an attempt may wait for."""
    settings = services.settings
    waits = MODEL_CALLS * settings.llm_timeout_seconds if services.language_model else 0
    return max(settings.lease_seconds, waits) * 1_000


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
        entries = _settle(store, visible, claimed, services)
        if entries is not None:
            log_grew(store, task.scope.levels[:2], entries, services)
            return
    raise ServerBusy("deletions in the same tenant keep overtaking the extraction")


def _settle(store: MemoryStore, visible: Visibility, claimed: Item, services: Services) -> tuple[int, ...] | None:
    """The entries of the change log with what the task's messages say; None where something was deleted meanwhile."""
    task, now = task_of(claimed), services.now_ms()
    asks_model = task.infer and services.language_model is not None
    repeats = read_repeats(task, store.uid, services.table) if asks_model else Repeats()
    messages = [each for each in _messages(store, task, services.table) if each.log_key not in repeats.log_keys]
    found = _extracted(store, task, messages, services)
    units = units_of(task, found.extraction.candidates, messages, services.embedder.model, now)
    before = task.derived_unit_ids if found.path == "llm" else ()
    ended = _ended(task, found, [unit.id for unit in units], repeats.unit_ids, now)
    ending = Ending(store, ended, claimed.version, outbox_of(task), visible, before)
    model = services.language_model if found.path == "llm" else None
    judge = model_judge(model, store.extract_instructions) if model else None
    settler = Settler(services.table, services.indexes, services.packing(store), judge)
    return commit_units(settler, units, ending, now)


def _extracted(store: MemoryStore, task: Task, logged: Sequence[LoggedMessage], services: Services) -> Extracted:
    messages = [each.message for each in logged] if "structured" in store.output_types else []
    if not task.infer:
        return as_they_are(messages)
    model, settings = services.language_model, services.settings
    asking = Asking(model, store.extract_instructions, settings.llm_batch_characters) if model else None
    return extracted(messages, asking, last_try=task.attempts >= settings.max_attempts)


def _ended(task: Task, found: Extracted, made: Sequence[str], known: Sequence[str], now_ms: int) -> Task:
    """The task as it ends if all of the units are written: failed where the model was to be asked and was of no use.

    `made` and `known` are ids of memories: of its new messages, and of those that were sent before.
    """
    failure, unit_ids = found.failure, (*known, *made)
    reason = STORED_BY_RULES if failure and unit_ids else None if unit_ids else NOTHING_TO_STORE
    changes: dict[str, Any] = {
        "status": "failed" if failure else "completed",
        "path": found.path,
        "derived_unit_ids": tuple(dict.fromkeys(unit_ids)),
        "outcome": Outcome(extracted=len(made), refused=dict(found.extraction.refused)),
        "reason": reason,
        "last_error": f"{failure.code}: {redacted(failure.message)}" if failure else None,
        "updated_ms": now_ms,
        "finished_ms": now_ms,
    }
    return task.model_copy(update=changes).having_spent(found.spent)


def _messages(store: MemoryStore, task: Task, table: WideTable) -> list[LoggedMessage]:
    """The task's messages that are there, without the secrets that were stored before the store refused them."""
    partition = keys.run_partition(store.uid, task.scope)
    wanted = [keys.message(partition, log_key) for log_key in task.log_keys]
    found = table.get(wanted)
    messages = [(key.sk, message_of(found[key])) for key in wanted if key in found]
    if store.redaction == "off":
        return [LoggedMessage(*each) for each in messages]
    return [
        LoggedMessage(log_key, message.model_copy(update={"content": redacted(message.content)}))
        for log_key, message in messages
    ]


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
