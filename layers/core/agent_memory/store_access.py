"""Reading the store that a request names; what does not exist, or not any more, is NotFound."""

from __future__ import annotations

from agent_memory import keys
from agent_memory.errors import NotFound
from agent_memory.models import MemoryStore
from agent_memory.ports import Item, WideTable
from agent_memory.records import store_of


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


def missing_store(name: str) -> NotFound:
    """The error for a store that is not there."""
    return NotFound(f"memoryStoreName {name!r} does not exist")
