"""What becomes of the units of a task, given what is stored: new, added to a known one, in its place, or nothing. Pure.

Order: the record of the same content (`units.settle`), then duplicates, then the judge. A known memory that gives way
is kept, with what took its place and until when it held.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agent_memory.models import MemoryUnit
from agent_memory.ports import Item
from agent_memory.records import is_tombstone, shown, unit_of
from agent_memory.settlement.context import claim_of
from agent_memory.settlement.duplicates import duplicate_of
from agent_memory.settlement.judge_rules import Held, Verdict, judge
from agent_memory.settlement.known import is_by_assistant, may_be_known
from agent_memory.settlement.restated import is_restated
from agent_memory.settlement.units import Settled, settle
from agent_memory.settlement.world import World, gave_way
from agent_memory.text import normalised
from agent_memory.times import parse_rfc3339
from agent_memory.validity import first_ms
from agent_memory.visibility import Visibility

Verdicts = Mapping[str, Verdict]  # by the id of a new unit

RESTATED = "restated"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is written of which units, and under which id each one went on; `dropped` counts those that say nothing."""

    settled: tuple[Settled, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    deleted: frozenset[str] = frozenset()
    merged: int = 0
    superseded: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)


def settle_all(
    units: Sequence[MemoryUnit],
    stored: Mapping[str, Item],
    around: Mapping[str, Sequence[str]],
    verdicts: Verdicts,
    moment: tuple[Visibility, int],
) -> Plan:
    """The plan for units of one scope with distinct ids.

    `stored` has the records by unit id, `around` the ids of those near each unit; `verdicts` go before the judge by
    rules; `moment` is what is hidden, and now.
    """
    world = World(stored, *moment)
    for unit in units:
        _settle(unit, around.get(unit.id, ()), verdicts, world)
    return Plan(
        settled=tuple(world.settled.values()),
        names=world.names,
        deleted=frozenset(world.deleted),
        merged=world.merged,
        superseded=world.superseded,
        dropped=world.dropped,
    )


def known_units(items: Iterable[Item], visible: Visibility) -> list[MemoryUnit]:
    """Those of the records that still count."""
    units = [unit_of(item) for item in items if not is_tombstone(item) and shown(item, visible)]
    return [unit for unit in units if not unit.retired]


def held_of(unit: MemoryUnit) -> Held:
    """The unit as the judge sees it."""
    return Held(
        id=unit.id,
        owner=unit.subject or "",
        attribute=unit.attribute,
        value=unit.value,
        negated=bool(unit.negated),
        state=unit.state,
        kind=unit.kind or "fact",
        text=claim_of(unit),
        said_at_ms=_last_said_ms(unit),
        version=unit.version,
        happened_ms=_happened_ms(unit),
    )


def _last_said_ms(unit: MemoryUnit) -> int:
    """When its newest evidence was said, or came, if that says it is from the future."""
    said = [parse_rfc3339(unit.created_at), *(ref.timestamp_ms for ref in unit.source_turn_refs)]
    return min(max(said), parse_rfc3339(unit.updated_at))


def _happened_ms(unit: MemoryUnit) -> int | None:
    happened = first_ms(unit.effective_at) if unit.time_source == "phrase" else None
    return happened if happened is not None and happened <= parse_rfc3339(unit.created_at) else None


def _settle(unit: MemoryUnit, near: Sequence[str], verdicts: Verdicts, world: World) -> None:
    alone = settle(world.stored.get(unit.id), unit, world.visible, world.now_ms)
    if alone.stays_deleted:
        world.deleted.add(unit.id)
    elif alone.unit is not None and alone.is_new and may_be_known(unit):
        _compare(alone.unit, alone, _known(unit, near, world), verdicts, world)
    elif alone.unit is not None:
        world.merged += not alone.is_new
        world.put(alone.unit, alone)


def _known(unit: MemoryUnit, near: Sequence[str], world: World) -> list[MemoryUnit]:
    """Those near the unit as they will be, and what was settled before it."""
    stored = known_units((world.stored[each] for each in near if each in world.stored), world.visible)
    known = {each.id: each for each in stored if each.id not in world.settled}
    known |= world.current
    known.pop(unit.id, None)
    return list(known.values())


def _compare(unit: MemoryUnit, alone: Settled, known: Sequence[MemoryUnit], verdicts: Verdicts, world: World) -> None:
    if is_by_assistant(unit):
        if is_restated(claim_of(unit), [claim_of(each) for each in known]):
            world.drop(unit, RESTATED)
        else:
            world.put(unit, alone)
        return
    mine = {each.id: each for each in known if normalised(each.subject or "") == normalised(unit.subject or "")}
    same = _same(unit, list(mine.values()))
    if same is not None:
        world.merge(same, unit)
        return
    verdict = verdicts.get(unit.id) or judge(held_of(unit), [held_of(each) for each in mine.values()])
    _judged(unit, alone, mine, verdict, world)


def _same(unit: MemoryUnit, mine: Sequence[MemoryUnit]) -> MemoryUnit | None:
    """The known claim that this one only repeats."""
    alike = [each for each in mine if _may_be_same(each, unit)]
    found = duplicate_of(claim_of(unit), [claim_of(each) for each in alike])
    return None if found is None or found.tells_more else alike[found.index]


def _may_be_same(known: MemoryUnit, unit: MemoryUnit) -> bool:
    """Of one sentence that claims several things none repeats another."""
    if (known.negated, known.state) != (unit.negated, unit.state):
        return False
    return not (known.attribute and unit.attribute) or normalised(known.attribute) == normalised(unit.attribute)


def _judged(unit: MemoryUnit, alone: Settled, mine: Mapping[str, MemoryUnit], verdict: Verdict, world: World) -> None:
    known = mine.get(verdict.same or "")
    if verdict.action == "skip" and known is not None:
        world.merge(known, unit)
        return
    world.put(unit, alone)
    if verdict.action == "late" and known is not None:
        world.put(gave_way(unit, known.id, known.created_at, world.now_ms), alone)
        del world.current[unit.id]
        return
    for old in verdict.retire:
        if old in mine:
            world.retire(mine[old], unit)
