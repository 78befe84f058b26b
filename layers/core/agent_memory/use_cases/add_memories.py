"""AddMemories: messages and task durable in one transaction, then the job queued, then the answer.

Whatever is sent again (same messageId, or without one the same role, speaker and normalised text in the scope) is not
stored again; its task names the units that the first one made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agent_memory import keys
from agent_memory.dispatch import dispatch
from agent_memory.errors import AgentMemoryError, ConditionFailed, Conflict, InvalidParameter, ServerBusy
from agent_memory.incoming import Incoming, incoming_messages
from agent_memory.models import MemoryStore, Task
from agent_memory.ports import Check, Item, Job, Key, Put, Write
from agent_memory.records import directory_items, message_item, outbox_item, task_item
from agent_memory.requests.memories import AddMemoriesRequest
from agent_memory.scopes import Scope
from agent_memory.services import Services
from agent_memory.store_access import read_store
from agent_memory.times import FIRST_MS
from agent_memory.use_cases.extract_memories import extract_memories, read_task

TRIES = 5


@dataclass(frozen=True, slots=True)
class Draft:
    """One AddMemories before it is known which of its messages are new."""

    store: MemoryStore
    scope: Scope
    metadata: dict[str, str]
    incoming: list[Incoming]
    accepted: int
    request_id: str
    now_ms: int


@dataclass(frozen=True, slots=True)
class AddPlan:
    """What one AddMemories writes, and the job that follows."""

    task: Task
    job: Job
    writes: list[Write]
    duplicates: int


def add_memories(request: AddMemoriesRequest, services: Services) -> dict[str, Any]:
    """`requestId` of the task, `status`, `acceptedMessages`, `duplicateMessages`, `scope`; with sync also the counts.

    Raises NotFound for the store, Conflict for a messageId that was stored with other content.
    """
    store = read_store(services.table, request.instance, request.memory_store_name)
    _check_store(store, request)
    plan = _store_messages(_draft(request, store, services.now_ms(), services.new_id()), services)
    dispatch(plan.job, services)
    answer = {
        "requestId": plan.task.request_id,
        "status": "accepted",
        "acceptedMessages": plan.task.accepted_messages,
        "duplicateMessages": plan.duplicates,
        "scope": request.scope.to_json(),
        "memoryStoreName": store.name,
    }
    return {**answer, **_extract_now(plan, store, services)} if request.sync else answer


def _check_store(store: MemoryStore, request: AddMemoriesRequest) -> None:
    if store.input_type != "messages":
        raise InvalidParameter("memoryStoreName", "names a store of files, which takes no messages")
    if request.sync and "file" in store.output_types:
        raise InvalidParameter("sync", "must not be true for a store with file output")


def _draft(request: AddMemoriesRequest, store: MemoryStore, now_ms: int, random_hex: str) -> Draft:
    return Draft(
        store=store,
        scope=request.scope,
        metadata=request.metadata,
        incoming=incoming_messages(request, now_ms),
        accepted=len(request.messages or []) + bool(request.text),
        request_id=_request_id(request.scope, now_ms, random_hex),
        now_ms=now_ms,
    )


def _store_messages(draft: Draft, services: Services) -> AddPlan:
    partition = keys.run_partition(draft.store.uid, draft.scope)
    wanted = [keys.message_id(partition, each.id_hash) for each in draft.incoming]
    wanted.append(keys.run_entry(draft.store.uid, draft.scope))
    for _ in range(TRIES):
        plan = _plan(draft, services.table.get(wanted))
        try:
            services.table.write(plan.writes)
        except ConditionFailed:
            # Another add stored one of the messages meanwhile, or the store is gone: look again.
            read_store(services.table, draft.store.instance, draft.store.name)
            continue
        return plan
    raise ServerBusy("other calls are writing to the same conversation; try again")


def _request_id(scope: Scope, now_ms: int, random_hex: str) -> str:
    """32 hex digits: the tenant's hash, the time (so that ids of a tenant sort by it), randomness."""
    return f"{keys.tenant_hash(scope.app_id, scope.tenant_id)}{now_ms:012x}{random_hex[:8]}"


def _plan(draft: Draft, known: dict[Key, Item]) -> AddPlan:
    partition = keys.run_partition(draft.store.uid, draft.scope)
    writes: list[Write] = [Check(keys.alive(draft.store.uid), expect=1)]
    log_keys: list[str] = []
    for each in draft.incoming:
        stored = known.get(keys.message_id(partition, each.id_hash))
        if stored is None:
            log_key = _log_key(each, draft)
            mark = {"at": log_key, "content": each.content_hash}
            writes.append(Put(Item(keys.message_id(partition, each.id_hash), mark), expect=0))
            writes.append(Put(message_item(partition, log_key, each.message)))
            log_keys.append(log_key)
        elif each.contradicts(stored.body["content"]):
            raise Conflict(f"messages[{each.position}].messageId is stored with other content")
        else:
            log_keys.append(stored.body["at"])
    fresh = (len(writes) - 1) // 2
    if keys.run_entry(draft.store.uid, draft.scope) not in known:
        writes.extend(Put(item) for item in directory_items(draft.store.uid, draft.scope))
    task = _task(draft, log_keys)
    job = _job(draft)
    writes.extend([Put(task_item(draft.store.uid, task, version=1), expect=0), Put(outbox_item(job, draft.now_ms))])
    return AddPlan(task, job, writes, task.accepted_messages - fresh)


def _log_key(incoming: Incoming, draft: Draft) -> str:
    """When it was said, then when it came; the messages of one call stay together and in their order."""
    said = keys.message_time(incoming.message.timestamp_ms)
    came = f"{draft.now_ms - FIRST_MS:015d}{draft.request_id[-8:]}{incoming.position:02d}"
    return f"{said}/{came}/{incoming.id_hash}"


def _task(draft: Draft, log_keys: list[str]) -> Task:
    return Task(
        request_id=draft.request_id,
        scope=draft.scope,
        status="queued",
        accepted_messages=draft.accepted,
        log_keys=tuple(log_keys),
        metadata=draft.metadata,
        created_ms=draft.now_ms,
        updated_ms=draft.now_ms,
    )


def _job(draft: Draft) -> Job:
    payload = {
        "uid": draft.store.uid,
        "instance": draft.store.instance,
        "store": draft.store.name,
        "scope": draft.scope.to_json(),
        "requestId": draft.request_id,
        "queuedMs": draft.now_ms,
    }
    group = keys.run_partition(draft.store.uid, draft.scope)
    return Job(kind="extract", job_id=draft.request_id, group=group, payload=payload)


def _extract_now(plan: AddPlan, store: MemoryStore, services: Services) -> dict[str, Any]:
    """Do the job in this call; where that fails the queued one goes on, and the task tells."""
    try:
        extract_memories(plan.job, 1, services)
    except AgentMemoryError as error:
        services.logger.warning("sync extraction failed", extra={"job": plan.job.job_id, "code": error.code})
    task = read_task(store.uid, plan.task.scope, plan.task.request_id, services.table)
    if task is None or not task.ended:
        return {"status": "accepted"}
    made = len(task.derived_unit_ids)
    return {"status": task.status, "memcellsCreated": min(made, 1), "unitsCreated": made}
