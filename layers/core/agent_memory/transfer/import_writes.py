"""The one transaction that writes what was decided for a batch of lines. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent_memory import keys
from agent_memory.change_log import log_writes
from agent_memory.models import MemoryUnit
from agent_memory.ports import Check, Item, Key, Put, Write
from agent_memory.records import directory_items, unit_item
from agent_memory.transfer.decisions import Decision, Target
from agent_memory.transfer.incoming_lines import HistoryLine


def plan_writes(
    target: Target, decisions: Sequence[Decision], known: Mapping[Key, Item], vectors: Mapping[str, bytes]
) -> list[Write]:
    """Records, directory and change log, on the condition that the store lives and no scope was deleted since.

    Empty where nothing is imported. `vectors` holds the packed vector of each memory by its id.
    """
    imported = [each for each in decisions if each.outcome == "imported"]
    if not imported:
        return []
    view = target.view
    units = [(each.unit, each.expect) for each in imported if each.unit is not None]
    own = {keys.unit(view.partition, unit.id) for unit, _ in units}
    checks = dict.fromkeys(write for each in imported for write in each.writes if isinstance(write, Check))
    writes: list[Write] = [
        Check(keys.alive(view.store.uid), expect=view.store.life),
        Check(keys.gone(view.partition), expect=view.visible.generation),
        *(Put(item) for item in _directory(target, imported, known)),
        *(check for check in checks if check.key not in own),  # a memory's own write has the condition already
        *(write for each in imported for write in each.writes if not isinstance(write, Check)),
        *(Put(unit_item(view.partition, unit, vectors[unit.id]), expect=expect) for unit, expect in units),
    ]
    if units:
        writes.extend(log_writes(view.partition, view.head, puts=[unit.id for unit, _ in units]))
    return writes


def units_without_vector(decisions: Sequence[Decision], vectors: Mapping[str, bytes]) -> list[MemoryUnit]:
    """The memories that must be embedded before they are written."""
    units = [each.unit for each in decisions if each.unit is not None]
    return [unit for unit in units if unit.id not in vectors]


def _directory(target: Target, imported: Sequence[Decision], known: Mapping[Key, Item]) -> list[Item]:
    """Entries of conversations that the store does not have, each once."""
    view, uid = target.view, target.view.store.uid
    scopes = {each.incoming.line.scope for each in imported if not isinstance(each.incoming.line, HistoryLine)}
    items: dict[Key, Item] = {}
    for scope in sorted(scopes, key=lambda each: each.levels):
        if not target.sees(known.get(keys.run_entry(uid, scope)), scope):
            entries = directory_items(uid, scope, view.visible.born, view.visible.entry_version)
            items.update((item.key, item) for item in entries)
    return list(items.values())
