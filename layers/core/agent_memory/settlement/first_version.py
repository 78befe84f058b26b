"""What rules made of messages while the language model failed, once the model has read them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agent_memory.models import MemoryUnit
from agent_memory.ports import Item
from agent_memory.records import unit_of
from agent_memory.settlement.settle import Plan, known_units
from agent_memory.settlement.units import Settled
from agent_memory.settlement.world import gave_way
from agent_memory.slots import slot_of
from agent_memory.superseded import held_again
from agent_memory.visibility import Visibility


def first_version(
    plan: Plan, before: Iterable[Item], made: Sequence[str], log_keys: Sequence[str], visible: Visibility
) -> list[tuple[MemoryUnit, Item]]:
    """The memories that an earlier attempt made of the same messages alone, and this one did not make again."""
    written = {each.unit.id for each in plan.settled if each.unit} | {*made}
    return [
        (unit, item)
        for item in before
        for unit in known_units([item], visible)
        if unit.id not in written and {ref.log_key for ref in unit.source_turn_refs} <= {*log_keys}
    ]


def without_first_version(
    plan: Plan, stale: Sequence[tuple[MemoryUnit, Item]], under: Iterable[Item], made: Sequence[str], now_ms: int
) -> Plan:
    """The plan, in which `stale` memories give way to those `made`: the model had failed, and rules stood in for it.

    What these had retired (`under`) holds again, unless a new memory is of the same slot.
    """
    if not stale or not made:
        return plan
    new = [each.unit for each in plan.settled if each.unit and each.unit.attribute]
    changed = [
        Settled(gave_way(unit, made[0], unit.created_at, now_ms), item.version, item.blob) for unit, item in stale
    ]
    for item in under:
        old = unit_of(item)
        slot = slot_of(old.subject, old.attribute)
        heir = next((unit.id for unit in new if slot and slot_of(unit.subject, unit.attribute) == slot), None)
        kept = old.model_copy(update={"superseded_by": heir, "version": old.version + 1})
        changed.append(Settled(kept if heir else held_again(old, now_ms), item.version, item.blob))
    return replace(plan, settled=(*plan.settled, *changed), superseded=plan.superseded + len(stale))
