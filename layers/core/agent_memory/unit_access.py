"""Finding one memory by its id: whatever a caller may not see does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agent_memory import keys
from agent_memory.directory import tenants_of_id
from agent_memory.errors import NotFound
from agent_memory.memory_store import MemoryStore
from agent_memory.models import MemoryUnit
from agent_memory.ports import Check, Item, WideTable, Write
from agent_memory.records import shown, unit_of
from agent_memory.requests.units import MemoryRequest
from agent_memory.store_access import read_store
from agent_memory.times import parse_rfc3339
from agent_memory.visibility import Visibility, visibility


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
    """The memory that the request names; NotFound for one that is deleted, expired, or not the caller's."""
    store = read_store(table, request.instance, request.memory_store_name)
    partitions = [keys.tenant_partition(store.uid, *tenant) for tenant in _tenants(store, request, table)]
    for found in _stored(store, partitions, request.memory_id, table):
        if _is_meant(found.unit, request, now_ms):
            return found
    raise NotFound(f"memoryId {request.memory_id!r} does not exist in {store.name!r}")


def _is_meant(unit: MemoryUnit, request: MemoryRequest, now_ms: int) -> bool:
    if unit.expires_at is not None and parse_rfc3339(unit.expires_at) <= now_ms:
        return False
    asked_for = request.scope is None or request.scope.levels == unit.scope.levels
    return asked_for and request.caller.may_see(unit.scope)


def _tenants(store: MemoryStore, request: MemoryRequest, table: WideTable) -> list[tuple[str, str]]:
    """Tenants whose ids start as this one does: that of the scope, where one is given."""
    if request.scope is None:
        return tenants_of_id(store.uid, request.memory_id, table)
    named = request.scope.levels[:2]
    return [named] if keys.tenant_hash(*named) == request.memory_id[: keys.TENANT_HASH] else []


def _stored(store: MemoryStore, partitions: list[str], unit_id: str, table: WideTable) -> Iterable[FoundUnit]:
    wanted = [(keys.unit(each, unit_id), keys.head(each), keys.gone(each)) for each in partitions]
    read = table.get([key for of_one in wanted for key in of_one])
    for partition, (unit, head, gone) in zip(partitions, wanted, strict=True):
        visible = visibility(store, read.get(gone))
        if unit in read and shown(read[unit], visible):
            item = read[unit]
            versions = {"head": _version(read.get(head)), "gone": _version(read.get(gone))}
            yield FoundUnit(store, partition, item, unit_of(item), visible=visible, **versions)


def _version(item: Item | None) -> int:
    return item.version if item else 0
