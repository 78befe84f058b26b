"""Finding one memory by its id: whatever a caller may not see does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agent_memory import keys
from agent_memory.errors import NotFound
from agent_memory.models import MemoryStore, MemoryUnit
from agent_memory.ports import Check, Item, WideTable, Write
from agent_memory.records import unit_of
from agent_memory.requests.units import MemoryRequest
from agent_memory.retrieval.index_cache import shown
from agent_memory.store_access import read_store
from agent_memory.times import parse_rfc3339
from agent_memory.visibility import Visibility, visibility

SAME_HASH = 10  # tenants that may share a 48-bit hash; two is already unlikely


@dataclass(frozen=True, slots=True)
class FoundUnit:
    """A memory as it was read, with what a write that follows must find unchanged."""

    store: MemoryStore
    partition: str
    item: Item
    unit: MemoryUnit
    head: int
    gone: int
    visible: Visibility

    def guards(self) -> list[Write]:
        """Conditions of every write: the store is there, and nothing was deleted by scope since the reading."""
        return [
            Check(keys.alive(self.store.uid), expect=self.store.life),
            Check(keys.gone(self.partition), expect=self.gone),
        ]


def find_unit(request: MemoryRequest, table: WideTable, now_ms: int) -> FoundUnit:
    """The memory that the request names; NotFound for one that is deleted, expired, or of another scope."""
    store = read_store(table, request.instance, request.memory_store_name)
    partitions = [keys.tenant_partition(store.uid, *tenant) for tenant in _tenants(store, request, table)]
    for found in _stored(store, partitions, request.memory_id, table):
        if _is_meant(found.unit, request, now_ms):
            return found
    raise NotFound(f"memoryId {request.memory_id!r} does not exist in {store.name!r}")


def _is_meant(unit: MemoryUnit, request: MemoryRequest, now_ms: int) -> bool:
    if unit.expires_at is not None and parse_rfc3339(unit.expires_at) <= now_ms:
        return False
    return request.scope is None or request.scope.levels == unit.scope.levels


def _tenants(store: MemoryStore, request: MemoryRequest, table: WideTable) -> list[tuple[str, str]]:
    """Tenants whose ids start as this one does: that of the scope, where one is given."""
    hashed = request.memory_id[: keys.TENANT_HASH]
    if request.scope is not None:
        named = request.scope.levels[:2]
        return [named] if keys.tenant_hash(*named) == hashed else []
    located = keys.tenant_by_hash(store.uid, keys.encode_level(hashed))
    items = table.query(located.pk, "", keys.LAST, limit=SAME_HASH).items
    return [(item.body["appId"], item.body["tenantId"]) for item in items]


def _stored(store: MemoryStore, partitions: list[str], unit_id: str, table: WideTable) -> Iterable[FoundUnit]:
    wanted = [(keys.unit(each, unit_id), keys.head(each), keys.gone(each)) for each in partitions]
    read = table.get([key for of_one in wanted for key in of_one])
    for partition, (unit, head, gone) in zip(partitions, wanted, strict=True):
        visible = visibility(store, read.get(gone))
        if unit in read and shown(read[unit], visible):
            versions = [read[key].version if key in read else 0 for key in (head, gone)]
            yield FoundUnit(store, partition, read[unit], unit_of(read[unit]), *versions, visible)
