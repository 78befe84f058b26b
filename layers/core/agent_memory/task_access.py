"""Finding tasks: one by its id alone, or many of which the tenants are known."""

from __future__ import annotations

from collections.abc import Collection

from agent_memory import keys
from agent_memory.directory import tenants_of_id
from agent_memory.memory_store import MemoryStore
from agent_memory.memory_task import Task
from agent_memory.ports import Item, WideTable
from agent_memory.records import task_of
from agent_memory.scopes import Scope
from agent_memory.visibility import visibility

TaskName = tuple[str, str, str]  # application, tenant, request id


def find_task(store: MemoryStore, request_id: str, table: WideTable) -> Item | None:
    """The record of the task, whether or not its scope was deleted since."""
    tenants = tenants_of_id(store.uid, request_id, table)
    scopes = [Scope(app_id=app, tenant_id=tenant) for app, tenant in tenants]
    return next(iter(table.get([keys.task(store.uid, scope, request_id) for scope in scopes]).values()), None)


def visible_tasks(store: MemoryStore, names: Collection[TaskName], table: WideTable) -> dict[str, Task]:
    """By request id those of the tasks that exist and were not deleted with their scope; one read."""
    scopes = {name: Scope(app_id=name[0], tenant_id=name[1]) for name in names}
    wanted = [keys.task(store.uid, scope, name[2]) for name, scope in scopes.items()]
    read = table.get([*wanted, *(keys.gone(key.pk) for key in wanted)])
    tasks = [(key.pk, task_of(read[key])) for key in wanted if key in read]
    return {
        task.request_id: task
        for pk, task in tasks
        if not visibility(store, read.get(keys.gone(pk))).hides(task.scope, task.born)
    }
