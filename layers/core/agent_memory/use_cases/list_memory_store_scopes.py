"""ListMemoryStoreScopes: the conversations that were written to, each once, through the directory of the store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_memory.directory import runs, tenants
from agent_memory.memory_store import MemoryStore
from agent_memory.paging import seal, unseal
from agent_memory.ports import WideTable
from agent_memory.requests.records import ListMemoryStoreScopesRequest
from agent_memory.retrieval.scope_filter import ScopeFilter, matches, parse, scope_fields
from agent_memory.scopes import Scope, ScopePattern
from agent_memory.services import Services
from agent_memory.store_access import read_store

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
    for read, (place, scope) in enumerate(_walk(store, request.scope, tuple(start), services.table)):
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
    store: MemoryStore, pattern: ScopePattern, start: Position, table: WideTable
) -> Iterator[tuple[Position, Scope | None]]:
    """Every conversation behind `start`, and a None for each tenant passed, so that empty tenants count as read."""
    for tenant in tenants(store, pattern, start[:2], table):
        names = (tenant.app_id, tenant.tenant_id)
        after = start[2] if names == start[:2] else ""
        yield (*names, after), None
        for place, scope in runs(store.uid, tenant, pattern.agent_id, after, table):
            yield (*names, place), scope
