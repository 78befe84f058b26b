"""ListMemoryTasks: the tasks of a scope, newest first, each as it is now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from agent_memory import keys
from agent_memory.memory_store import MemoryStore
from agent_memory.memory_task import Task
from agent_memory.paging import seal, unseal
from agent_memory.ports import Item, WideTable
from agent_memory.records import task_of
from agent_memory.requests.listings import ListMemoryTasksRequest
from agent_memory.scopes import ANY
from agent_memory.services import Services
from agent_memory.store_access import read_store
from agent_memory.task_access import visible_tasks
from agent_memory.timeline import listed, newest
from agent_memory.timeline_keys import moments, task_range, timelines
from agent_memory.visibility import visibility

Tasks = list[Task | None]  # one per entry, None for one that is not to be seen


def list_memory_tasks(request: ListMemoryTasksRequest, services: Services) -> dict[str, Any]:
    """`tasks` newest first by `createdAt`, `scope`, `nextToken`; what was deleted with its scope is not among them."""
    table = services.table
    store = read_store(table, request.instance, request.memory_store_name)
    asked = (request.status, request.min_timestamp, request.max_timestamp)
    binding = ("ListMemoryTasks", store.uid, request.scope.levels, *asked)
    token = request.next_token
    after = unseal(token, binding, services.paging_key)["after"] if token else None
    everywhere = ANY in request.scope.levels[:2]
    entries, read = (_of_store if everywhere else _of_tenant)(request, store, after, table)

    def wanted(items: list[Item]) -> list[dict[str, Any] | None]:
        return [task.to_wire(store.name) if task and _is_wanted(task, request) else None for task in read(items)]

    page = listed(entries, wanted, request.limit)
    more = {"nextToken": seal({"after": page.after}, binding, services.paging_key)} if page.after else {}
    return {"tasks": page.found, "scope": request.scope.to_json(), "memoryStoreName": store.name, **more}


def _is_wanted(task: Task, request: ListMemoryTasksRequest) -> bool:
    return request.scope.matches(task.scope) and request.status in (None, task.status)


def _of_tenant(
    request: ListMemoryTasksRequest, store: MemoryStore, after: str | None, table: WideTable
) -> tuple[Iterator[Item], Callable[[list[Item]], Tasks]]:
    """The tenant's own task records, whose ids grow with time."""
    app, tenant = request.scope.levels[:2]
    partition = keys.tenant_partition(store.uid, app, tenant)
    gone = keys.gone(partition)
    visible = visibility(store, table.get([gone]).get(gone))
    bounds = task_range(app, tenant, request.min_timestamp, request.max_timestamp)

    def read(items: list[Item]) -> Tasks:
        tasks = [task_of(item) for item in items]
        return [None if visible.hides(task.scope, task.born) else task for task in tasks]

    return newest(table, [partition], bounds, after, request.limit), read


def _of_store(
    request: ListMemoryTasksRequest, store: MemoryStore, after: str | None, table: WideTable
) -> tuple[Iterator[Item], Callable[[list[Item]], Tasks]]:
    """The entries of the store's timeline, and the records behind those that the scope reaches."""
    bounds = moments(request.min_timestamp, request.max_timestamp)
    app = request.scope.app_id

    def read(items: list[Item]) -> Tasks:
        names = [(*_tenant(item), item.key.sk.partition("/")[2]) for item in items]
        tasks = visible_tasks(store, [name for name in names if app in (ANY, name[0])], table)
        return [tasks.get(name[2]) for name in names]

    return newest(table, timelines("tasks", store.uid), bounds, after, request.limit), read


def _tenant(entry: Item) -> tuple[str, str]:
    return entry.body["scope"]["appId"], entry.body["scope"]["tenantId"]
