"""Reading the store that a request names, and where a tenant of it stands; what does not exist is NotFound."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass

from agent_memory import keys
from agent_memory.errors import NotFound
from agent_memory.memory_store import MemoryStore
from agent_memory.ports import Item, WideTable
from agent_memory.records import store_of
from agent_memory.visibility import Visibility, visibility

UidHints = MutableMapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class TenantView:
    """A tenant of a store at the moment of reading: its partition, the head of its change log, what is hidden."""

    store: MemoryStore
    partition: str
    head: int
    visible: Visibility


def read_store_item(table: WideTable, instance: str, name: str) -> Item:
    """The store's record with its version."""
    key = keys.store(instance, name)
    found = table.get([key])
    if key not in found:
        raise missing_store(name)
    return found[key]


def read_store(table: WideTable, instance: str, name: str) -> MemoryStore:
    """The store, one read."""
    return store_of(read_store_item(table, instance, name))


def read_tenant(table: WideTable, store: tuple[str, str], tenant: tuple[str, str], hints: UidHints) -> TenantView:
    """The tenant (application, tenant) of the store (instance, name).

    One read where the store's uid is remembered in `hints`, which are guesses: the record read with the rest decides.
    """
    uid = hints.get(store)
    if uid is None:
        uid = hints[store] = read_store(table, *store).uid
    partition = keys.tenant_partition(uid, *tenant)
    key, head, gone = keys.store(*store), keys.head(partition), keys.gone(partition)
    read = table.get([key, head, gone])
    if key not in read:
        hints.pop(store, None)
        raise missing_store(store[1])
    found = store_of(read[key])
    if found.uid != uid:  # deleted and made again since
        hints[store] = found.uid
        return read_tenant(table, store, tenant, hints)
    return TenantView(found, partition, read[head].version if head in read else 0, visibility(found, read.get(gone)))


def read_tenant_of(
    uid: str, store: tuple[str, str], tenant: tuple[str, str], table: WideTable, hints: UidHints
) -> TenantView | None:
    """The same for a job of the store `uid`; None where it was deleted, even if another one has its name now."""
    try:
        view = read_tenant(table, store, tenant, hints)
    except NotFound:
        return None
    return view if view.store.uid == uid else None


def missing_store(name: str) -> NotFound:
    """The error for a store that is not there."""
    return NotFound(f"memoryStoreName {name!r} does not exist")
