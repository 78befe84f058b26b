"""ListMemories: newest first within a tenant, tenant by tenant, from the index, then the authoritative records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from agent_memory import keys
from agent_memory.answer_size import fitting
from agent_memory.directory import AT_ONCE, Tenant, tenants
from agent_memory.memory_store import MemoryStore
from agent_memory.paging import seal, unseal
from agent_memory.ports import WideTable
from agent_memory.records import shown, unit_of
from agent_memory.requests.units import ListMemoriesRequest
from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.tenant_index import Listed
from agent_memory.scopes import ANY, ScopePattern
from agent_memory.services import Services
from agent_memory.store_access import read_store
from agent_memory.unit_selection import is_meant_still, selection_of

BUDGET = 10_000  # units whose indexes one call goes through; a page may come back short and still carry a token
TENANT_COST = 20  # of those, for looking at a tenant at all


@dataclass(frozen=True, slots=True)
class Row:
    """A unit to show, and where it lies."""

    tenant: Tenant
    listed: Listed

    @property
    def position(self) -> list[Any]:
        """What a token holds to go on behind it."""
        return [self.tenant.app_id, self.tenant.tenant_id, self.listed.created_ms, self.listed.id]


def list_memories(request: ListMemoriesRequest, services: Services) -> dict[str, Any]:
    """`memories`, `scope` with its defaults; tokens hold a unit's place in the order, so that none comes twice."""
    selection = selection_of(request, request.scope, services.now_ms())
    store = read_store(services.table, request.instance, request.memory_store_name)
    bound = request.model_dump(mode="json", exclude={"limit", "next_token"})
    binding = ("ListMemories", store.uid, bound)
    token = request.next_token
    start = unseal(token, binding, services.paging_key)["after"] if token else ["", ""]
    rows, position = _page(request, start, selection, store, services)
    current = _current(rows, selection, store, services.table)
    memories = [unit for _, unit in current]
    fit = fitting(memories)
    if fit < len(memories):
        position = current[fit - 1][0].position
    answer = {"memories": memories[:fit], "scope": request.scope.to_json()}
    if position is not None:
        answer["nextToken"] = seal({"after": position}, binding, services.paging_key)
    return {**answer, "memoryStoreName": store.name}


def _page(
    request: ListMemoriesRequest, start: list[Any], selection: Selection, store: MemoryStore, services: Services
) -> tuple[list[Row], list[Any] | None]:
    """The rows of a page, and where the next one goes on if there may be one."""
    rows: list[Row] = []
    spent = 0
    for tenant, head in _heads(store, request.scope, (start[0], start[1]), services.table):
        names = [tenant.app_id, tenant.tenant_id]
        if spent > BUDGET:
            return rows, names
        spent += TENANT_COST
        if head:
            partition = keys.tenant_partition(store.uid, *names)
            index = services.indexes.at(partition, head, tenant.visible)
            spent += len(index)
            after = Listed(*start[2:]) if start[:2] == names and len(start) > len(names) else None
            rows += [Row(tenant, each) for each in index.listing(selection, after, request.limit - len(rows) + 1)]
        if len(rows) > request.limit:
            return rows[: request.limit], rows[request.limit - 1].position
    return rows, None


def _heads(
    store: MemoryStore, pattern: ScopePattern, start: tuple[str, str], table: WideTable
) -> Iterator[tuple[Tenant, int]]:
    """Each tenant with the last number of its change log, 0 where nothing was written."""
    found = tenants(store, pattern, start, table)
    while batch := list(islice(found, AT_ONCE if ANY in pattern.levels[:2] else 1)):
        wanted = [keys.head(keys.tenant_partition(store.uid, each.app_id, each.tenant_id)) for each in batch]
        read = table.get(wanted)
        for tenant, key in zip(batch, wanted, strict=True):
            yield tenant, read[key].version if key in read else 0


def _current(
    rows: Sequence[Row], selection: Selection, store: MemoryStore, table: WideTable
) -> list[tuple[Row, dict[str, Any]]]:
    """The rows with their units as the table has them; one that is gone or not meant any more is left out."""
    wanted = {
        keys.unit(keys.tenant_partition(store.uid, row.tenant.app_id, row.tenant.tenant_id), row.listed.id): row
        for row in rows
    }
    read = table.get(wanted)
    live = [(row, read[key]) for key, row in wanted.items() if key in read and shown(read[key], row.tenant.visible)]
    units = [(row, unit_of(item)) for row, item in live]
    return [(row, unit.to_wire()) for row, unit in units if is_meant_still(unit, selection)]
