"""GetMemoryTask: one task by the id that AddMemories or a deletion gave; strongly consistent."""

from __future__ import annotations

from typing import Any

from agent_memory import keys
from agent_memory.deletions import SCOPE_WAS_DELETED, Deletion, deletion_key, deletion_of
from agent_memory.errors import InvalidParameter, NotFound
from agent_memory.memory_store import MemoryStore
from agent_memory.memory_task import Task
from agent_memory.records import task_of
from agent_memory.requests.records import GetMemoryTaskRequest
from agent_memory.services import Services
from agent_memory.store_access import read_store
from agent_memory.task_access import find_task
from agent_memory.visibility import visibility


def get_memory_task(request: GetMemoryTaskRequest, services: Services) -> dict[str, Any]:
    """`task`; NotFound without one, InvalidParameter when it lies outside the scope given."""
    store = read_store(services.table, request.instance, request.memory_store_name)
    task = _find(store, request.request_id, services)
    if task is None or not request.caller.may_see(task.scope):
        raise NotFound(f"requestId {request.request_id!r} does not exist in {store.name!r}")
    if request.scope is not None and not request.scope.matches(task.scope):
        raise InvalidParameter("scope", "is not the scope of this task")
    return {"task": task.to_wire(store.name), "memoryStoreName": store.name}


def _find(store: MemoryStore, request_id: str, services: Services) -> Task | Deletion | None:
    item = find_task(store, request_id, services.table)
    if item is not None:
        return _as_seen(task_of(item), store, services)
    found = services.table.get([deletion_key(store.uid, request_id)])
    return next((deletion_of(each) for each in found.values()), None)


def _as_seen(task: Task, store: MemoryStore, services: Services) -> Task | None:
    """Of a deleted scope nothing is seen but that a task in hand will not be done."""
    gone = keys.gone(keys.tenant_partition(store.uid, task.scope.app_id, task.scope.tenant_id))
    if not visibility(store, services.table.get([gone]).get(gone)).hides(task.scope, task.born):
        return task
    if task.status == "completed":
        return None
    return task.model_copy(update={"status": "failed", "last_error": SCOPE_WAS_DELETED})
