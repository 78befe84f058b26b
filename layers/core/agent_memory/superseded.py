"""The memories that gave way to one: when that one goes, they hold again."""

from __future__ import annotations

from agent_memory import keys
from agent_memory.models import MemoryUnit
from agent_memory.ports import Item, WideTable
from agent_memory.records import is_tombstone, shown, unit_of
from agent_memory.times import format_ms
from agent_memory.visibility import Visibility


def read_superseded(unit: MemoryUnit, partition: str, table: WideTable, visible: Visibility) -> list[Item]:
    """Records of what the unit took the place of; none for one that gave way itself."""
    if unit.retired or not unit.supersedes:
        return []
    found = table.get([keys.unit(partition, each) for each in unit.supersedes])
    there = [item for item in found.values() if not is_tombstone(item) and shown(item, visible)]
    return [item for item in there if unit_of(item).superseded_by == unit.id]


def held_again(old: MemoryUnit, now_ms: int) -> MemoryUnit:
    """The next version of a memory after what took its place is gone."""
    gone = {"superseded_by": None, "valid_to": None, "retired_at": None}
    return old.model_copy(update={**gone, "updated_at": format_ms(now_ms), "version": old.version + 1})
