"""DeleteScope: everything of a scope is out of sight at once, and removed in the background."""

from __future__ import annotations

from typing import Any

from agent_memory import keys
from agent_memory.deletions import Deletion, deletion_item, deletion_job, new_deletion
from agent_memory.dispatch import dispatch
from agent_memory.errors import ConditionFailed, ServerBusy
from agent_memory.memory_store import MemoryStore
from agent_memory.models import Born
from agent_memory.ports import Check, Item, Put, WideTable, Write
from agent_memory.records import outbox_item, store_item, store_of
from agent_memory.requests.deletion import DeleteScopeRequest
from agent_memory.scopes import ANY, Scope, ScopePattern
from agent_memory.services import Services
from agent_memory.store_access import read_store_item
from agent_memory.visibility import MAX_MARKS, marked, visibility

TRIES = 8


def delete_scope(request: DeleteScopeRequest, services: Services) -> dict[str, Any]:
    """`requestId` for GetMemoryTask, `status` accepted, `scope`; also for a scope of which there is nothing.

    Raises ServerBusy while too many deletions of the tenant wait to be carried out.
    """
    scope = ScopePattern.model_validate(request.scope.to_json())
    for _ in range(TRIES):
        now = services.now_ms()
        item = read_store_item(services.table, request.instance, request.memory_store_name)
        deletion = new_deletion("delete_scope", scope, now, services.new_id())
        try:
            _carry_out(deletion, item, services)
        except ConditionFailed:
            continue
        return {
            "requestId": deletion.request_id,
            "status": "accepted",
            "scope": scope.to_json(),
            "memoryStoreName": request.memory_store_name,
        }
    raise ServerBusy("others are writing to the same scope; try again")


def _carry_out(deletion: Deletion, item: Item, services: Services) -> None:
    """Hide the scope and queue its purge; where nothing is there, there is nothing to do."""
    store, table, now = store_of(item), services.table, deletion.created_ms
    if not _holds_anything(store.uid, deletion.scope, table):
        done = deletion.completed(now)
        table.write([Check(keys.alive(store.uid), expect=store.life), Put(deletion_item(store.uid, done))])
        return
    hiding, born = _hide_app(item, deletion) if deletion.scope.tenant_id == ANY else _hide(store, deletion, table)
    job = deletion_job("purge_scope", store, deletion, born=born)
    table.write([*hiding, Put(deletion_item(store.uid, deletion), expect=0), Put(outbox_item(job, now))])
    dispatch(job, services)


def _holds_anything(uid: str, scope: ScopePattern, table: WideTable) -> bool:
    """Whether the directory leads to something of the scope. Entries go last, so without one nothing is left."""
    app, tenant, agent, run = scope.levels
    if tenant == ANY:
        return bool(table.get([keys.app_entry(uid, app)]))
    if agent == ANY:
        return bool(table.get([keys.tenant_entry(uid, app, tenant)]))
    if run != ANY:
        return bool(table.get([keys.run_entry(uid, Scope(app_id=app, tenant_id=tenant, agent_id=agent, run_id=run))]))
    pk = keys.run_entry(uid, Scope(app_id=app, tenant_id=tenant)).pk
    return bool(table.query(pk, *keys.prefix_range(f"{keys.encode_level(agent)}/"), limit=1).items)


def _hide(store: MemoryStore, deletion: Deletion, table: WideTable) -> tuple[list[Write], Born]:
    """A mark in the tenant, and what is born after it."""
    app, tenant, agent, run = deletion.scope.levels
    key = keys.gone(keys.tenant_partition(store.uid, app, tenant))
    visible = visibility(store, table.get([key]).get(key))
    body, generation = marked(visible, agent, run), visible.generation + 1
    _check_number(len(body["marks"]))
    return [
        Check(keys.alive(store.uid), expect=store.life),
        Put(Item(key, body, generation), expect=visible.generation),
    ], (store.life, generation)


def _hide_app(item: Item, deletion: Deletion) -> tuple[list[Write], Born]:
    """The same for all tenants of an application, in the store's own record."""
    store = store_of(item)
    life = store.life + 1
    gone_apps = {**store.gone_apps, deletion.scope.app_id: life}
    _check_number(len(gone_apps))
    changed = store.model_copy(update={"life": life, "gone_apps": gone_apps})
    return [
        Put(store_item(changed, item.version + 1), expect=item.version),
        Put(Item(keys.alive(store.uid), {}, life), expect=store.life),
    ], (life, 0)


def _check_number(marks: int) -> None:
    if marks > MAX_MARKS:
        raise ServerBusy(f"{MAX_MARKS} deletions are still being carried out; try again later")
