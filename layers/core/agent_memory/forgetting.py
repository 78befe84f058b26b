"""What becomes of a memory when messages that it comes from are deleted. Pure."""

from __future__ import annotations

from collections.abc import Collection

from agent_memory.models import MemoryUnit
from agent_memory.ports import Item
from agent_memory.records import is_tombstone, unit_of
from agent_memory.scopes import Scope
from agent_memory.times import format_ms


def points_at(item: Item, scope: Scope, log_keys: Collection[str]) -> bool:
    """Whether the record is a memory of the conversation that names one of the messages as its source."""
    if is_tombstone(item) or Scope.model_validate(item.body["scope"]) != scope:
        return False
    return any(ref["log_key"] in log_keys for ref in item.body["source_turn_refs"])


def without_sources(item: Item, log_keys: Collection[str], now_ms: int) -> MemoryUnit:
    """The memory without its references to the messages; `seen_count` is 0 when no reference is left.

    References are kept to the first and the latest hundred or so messages only. A memory that lost all of those counts
    as without sources: whoever deletes its messages must not find their text in it.
    """
    unit = unit_of(item)
    kept = tuple(ref for ref in unit.source_turn_refs if ref.log_key not in log_keys)
    lost = len(unit.source_turn_refs) - len(kept)
    changes = {
        "source_turn_refs": kept,
        "seen_count": max(unit.seen_count - lost, len(kept)) if kept else 0,
        "updated_at": format_ms(now_ms),
        "version": unit.version + 1,
    }
    return unit.model_copy(update=changes)
