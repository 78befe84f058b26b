"""AddMemories: messages and task durable in one transaction, then the job queued, then the answer.

Whatever is sent again (same messageId, or without one the same role, speaker and normalised text in the scope) is not
stored again; its task names the units that the first one made.
"""

from __future__ import annotations

from typing import Any

from agent_memory.add_draft import Draft, draft_add
from agent_memory.add_plan import AddPlan, plan_add
from agent_memory.dispatch import dispatch
from agent_memory.errors import AgentMemoryError, ConditionFailed, InvalidParameter, ServerBusy
from agent_memory.memory_store import MemoryStore
from agent_memory.requests.memories import AddMemoriesRequest
from agent_memory.services import Services
from agent_memory.store_access import read_store
from agent_memory.use_cases.extract_memories import extract_memories, read_task

TRIES = 5


def add_memories(request: AddMemoriesRequest, services: Services) -> dict[str, Any]:
    """`requestId` of the task, `status`, `acceptedMessages`, `duplicateMessages`, `scope`; with sync also the counts.

    Raises NotFound for the store, Conflict for a messageId or clientToken that was used with other content,
    InvalidParameter for a secret where the store or the call says block.
    """
    store = read_store(services.table, request.instance, request.memory_store_name)
    _check_store(store, request)
    plan = _store_messages(draft_add(request, store, services.now_ms(), services.new_id()), services)
    waits = request.sync or not request.infer  # what needs no extraction is not worth a queue
    extracted = _extract_now(request, plan, store, services) if waits else {}
    if plan.writes and not extracted:
        dispatch(plan.job, services)
    answer = {
        "requestId": plan.request_id,
        "status": "accepted",
        "acceptedMessages": plan.accepted,
        "duplicateMessages": plan.duplicates,
        "scope": request.scope.to_json(),
        "memoryStoreName": store.name,
    }
    return {**answer, **extracted}


def _check_store(store: MemoryStore, request: AddMemoriesRequest) -> None:
    if store.input_type != "messages":
        raise InvalidParameter("memoryStoreName", "names a store of files, which takes no messages")
    if request.sync and "file" in store.output_types:
        raise InvalidParameter("sync", "must not be true for a store with file output")


def _store_messages(draft: Draft, services: Services) -> AddPlan:
    for _ in range(TRIES):
        known = services.table.get(draft.reads())
        more = draft.more_reads(known)
        plan = plan_add(draft, {**known, **services.table.get(more)} if more else known)
        try:
            if plan.writes:
                services.table.write(plan.writes)
        except ConditionFailed:
            # Another add stored one of the messages, a scope was deleted, or the store is gone: look again.
            store = read_store(services.table, draft.store.instance, draft.store.name)
            draft = draft_add(draft.request, store, services.now_ms(), services.new_id())
            continue
        return plan
    raise ServerBusy("other calls are writing to the same conversation; try again")


def _extract_now(request: AddMemoriesRequest, plan: AddPlan, store: MemoryStore, services: Services) -> dict[str, Any]:
    """Do the job in this call: what came out, or nothing where it has to go on in the background."""
    try:
        extract_memories(plan.job, services)
    except AgentMemoryError as error:
        services.logger.warning("sync extraction failed", extra={"job": plan.job.job_id, "code": error.code})
    task = read_task(store.uid, request.scope, plan.request_id, services.table)
    if task is None or not task.ended:
        return {}
    made = len(task.derived_unit_ids)
    return {"status": task.status, "memcellsCreated": min(made, 1), "unitsCreated": made}
