"""ListMemoryStoreRequests: the calls of a store, newest first, each with the state of the task that it began."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import Any

from agent_memory.memory_store import MemoryStore
from agent_memory.models import LEVELS
from agent_memory.paging import seal, unseal
from agent_memory.ports import Item, WideTable
from agent_memory.requests.listings import ListMemoryStoreRequestsRequest
from agent_memory.scopes import ANY
from agent_memory.services import Services
from agent_memory.store_access import read_store
from agent_memory.task_access import TaskName, visible_tasks
from agent_memory.timeline import SECONDS_PER_DAY, listed, newest
from agent_memory.timeline_keys import calls_partition, moments, timelines
from agent_memory.times import FIRST_MS

MAX_LAST_ERROR = 300

Record = dict[str, Any]


def list_memory_store_requests(request: ListMemoryStoreRequestsRequest, services: Services) -> dict[str, Any]:
    """`requests` newest first, `scope`, `nextToken`; the caller's own earlier calls are among them.

    `ingestStatus` and `lastError` are those of the task now. The record of a call outlives the scope that it named.
    """
    services.audit.flush()
    store = read_store(services.table, request.instance, request.memory_store_name)
    asked = (request.operation, request.min_timestamp, request.max_timestamp)
    binding = ("ListMemoryStoreRequests", store.uid, request.scope.levels, *asked)
    token = request.next_token
    after = unseal(token, binding, services.paging_key)["after"] if token else None
    kept_from = services.now_ms() - services.settings.audit_days * SECONDS_PER_DAY * 1_000
    low = max(kept_from + 1, FIRST_MS if request.min_timestamp is None else request.min_timestamp)
    bounds = moments(low, request.max_timestamp)
    entries = newest(services.table, _partitions(store, request), bounds, after, request.limit)
    page = listed(entries, partial(_shown, request=request, store=store, table=services.table), request.limit)
    more = {"nextToken": seal({"after": page.after}, binding, services.paging_key)} if page.after else {}
    return {"requests": page.found, "scope": request.scope.to_json(), "memoryStoreName": store.name, **more}


def _partitions(store: MemoryStore, request: ListMemoryStoreRequestsRequest) -> list[str]:
    app, tenant = request.scope.levels[:2]
    return timelines("calls", store.uid) if ANY in (app, tenant) else [calls_partition(store.uid, app, tenant)]


def _shown(
    items: list[Item], request: ListMemoryStoreRequestsRequest, store: MemoryStore, table: WideTable
) -> list[Record | None]:
    records = [dict(item.body) if _is_asked_for(item.body, request) else None for item in items]
    begun = {id(record): name for record in records if record and (name := _task_begun(record))}
    tasks = visible_tasks(store, set(begun.values()), table) if begun else {}
    for record in records:
        task = tasks.get(record["requestId"]) if record and id(record) in begun else None
        if record and task:
            record["ingestStatus"] = task.status
            record.update({"lastError": task.last_error[:MAX_LAST_ERROR]} if task.last_error else {})
    return records


def _is_asked_for(record: Any, request: ListMemoryStoreRequestsRequest) -> bool:
    levels = [record["scope"].get(name, ANY) for name in LEVELS]
    inside = all(mine in (ANY, theirs) for mine, theirs in zip(request.scope.levels, levels, strict=True))
    return inside and request.operation in (None, record["operation"])


def _task_begun(record: Record) -> TaskName | None:
    """The task of an add that was served; its id is the one that the caller got."""
    if record["operation"] != "AddMemories" or record["responseStatus"] != HTTPStatus.OK:
        return None
    return (record["scope"]["appId"], record["scope"]["tenantId"], record["requestId"])
