"""ListMemoryStoreScopes: the conversations that were written to, each once, through the directory of the store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_memory import keys
from agent_memory.paging import seal, unseal
from agent_memory.ports import WideTable
from agent_memory.requests.records import ListMemoryStoreScopesRequest
from agent_memory.retrieval.scope_filter import ScopeFilter, matches, parse, scope_fields
from agent_memory.scopes import ANY, Scope, ScopePattern
from agent_memory.services import Services
from agent_memory.store_access import read_store

PAGE = 200
BUDGET = 2_000  # directory entries that one call reads; a page may come back short and still carry a token

Position = tuple[str, str, str]  # app, tenant, and `{agent}/{run}` as it stands in the key


def list_memory_store_scopes(request: ListMemoryStoreScopesRequest, services: Services) -> dict[str, Any]:
    """`scopes` in key order, no scope twice over all pages; omitted levels of the request mean any."""
    store = read_store(services.table, request.instance, request.memory_store_name)
    wanted = parse(request.filter) if request.filter is not None else None
    binding = ("ListMemoryStoreScopes", store.uid, request.scope.levels, request.filter)
    token = request.next_token
    start = unseal(token, binding, services.paging_key)["after"] if token else ("", "", "")
    found: list[dict[str, Any]] = []
    position: Position | None = None
    for read, (place, scope) in enumerate(_walk(store.uid, request.scope, tuple(start), services.table)):
        if position is not None and (len(found) == request.limit or read >= BUDGET):
            more = {"nextToken": seal({"after": position}, binding, services.paging_key)}
            break
        position = place
        if scope is not None and _is_wanted(scope, request.scope, wanted):
            found.append(scope.to_json())
    else:
        more = {}
    return {"scopes": found, "scope": request.scope.to_json(), "memoryStoreName": store.name, **more}


def _is_wanted(scope: Scope, pattern: ScopePattern, wanted: ScopeFilter | None) -> bool:
    return pattern.matches(scope) and (wanted is None or matches(wanted, scope_fields(scope.levels)))


def _walk(
    uid: str, pattern: ScopePattern, start: Position, table: WideTable
) -> Iterator[tuple[Position, Scope | None]]:
    """Every conversation behind `start`, and a None for each tenant passed, so that empty tenants count as read."""
    for app in _names(table, keys.app_entry(uid, "").pk, pattern.app_id, start[0]):
        first_tenant = start[1] if app == start[0] else ""
        for tenant in _names(table, keys.tenant_entry(uid, app, "").pk, pattern.tenant_id, first_tenant):
            after = start[2] if (app, tenant) == start[:2] else ""
            yield (app, tenant, after), None
            for sk, scope in _runs(uid, (app, tenant, pattern.agent_id), after, table):
                yield (app, tenant, sk), scope


def _names(table: WideTable, pk: str, level: str, first: str) -> Iterator[str]:
    """The directory's names from `first` on, or the one name that the pattern gives."""
    if level != ANY:
        yield level
        return
    low: str = keys.encode_level(first)
    after: str | None = None
    while True:
        page = table.query(pk, low, keys.LAST, limit=PAGE, after=after)
        yield from (keys.decode_level(item.key.sk) for item in page.items)
        if not page.more:
            return
        after = page.items[-1].key.sk


def _runs(uid: str, levels: tuple[str, str, str], after: str, table: WideTable) -> Iterator[tuple[str, Scope]]:
    app, tenant, agent = levels
    pk = keys.run_entry(uid, Scope(app_id=app, tenant_id=tenant)).pk
    first, end = keys.prefix_range("" if agent == ANY else f"{keys.encode_level(agent)}/")
    last: str | None = after or None
    while True:
        page = table.query(pk, first, end, limit=PAGE, after=last)
        for item in page.items:
            yield item.key.sk, Scope.model_validate(item.body)
        if not page.more:
            return
        last = page.items[-1].key.sk
