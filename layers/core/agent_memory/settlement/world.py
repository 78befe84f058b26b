"""The memories of a settlement as they will be: stored ones, changed by the units that were settled so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from agent_memory.models import MemoryUnit
from agent_memory.ports import Item
from agent_memory.settlement.context import rest_of
from agent_memory.settlement.units import Settled, merged
from agent_memory.times import format_ms, parse_rfc3339
from agent_memory.visibility import Visibility

MOST_SUPERSEDED = 50  # that a memory names; those before them stay retired if it goes


@dataclass(slots=True)
class World:
    """`stored` are the records by id. `settled` is what is to be written, `current` those of it that are not history.

    `names` says under which id a new unit goes on, `deleted` which ones do not; `dropped` counts those by reason.
    """

    stored: Mapping[str, Item]
    visible: Visibility
    now_ms: int
    settled: dict[str, Settled] = field(default_factory=dict)
    current: dict[str, MemoryUnit] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    dropped: Counter[str] = field(default_factory=Counter)
    merged: int = 0
    superseded: int = 0

    def put(self, unit: MemoryUnit, before: Settled) -> None:
        """The unit is to be written; versions count from what is stored, however often it changes here."""
        unit = unit.model_copy(update={"version": before.expect + 1})
        self.settled[unit.id] = Settled(unit, before.expect, before.vector)
        self.current[unit.id] = unit

    def merge(self, kept: MemoryUnit, met: MemoryUnit) -> None:
        """`met` only adds evidence to `kept`."""
        self.names[met.id] = kept.id
        unit = merged(kept, met, self.now_ms)
        if unit is not kept:
            self.merged += 1
            self.put(unit, self._before(kept.id))
            self._keep_rest(met)

    def retire(self, old: MemoryUnit, new: MemoryUnit) -> None:
        """`new` takes the place of `old`."""
        self.superseded += 1
        taken = self.current[new.id]
        known = {"supersedes": (*taken.supersedes, old.id)[-MOST_SUPERSEDED:]}
        self.put(taken.model_copy(update=known), self.settled[new.id])
        self.put(gave_way(old, new.id, new.created_at, self.now_ms), self._before(old.id))
        del self.current[old.id]
        self._keep_rest(old)

    def drop(self, unit: MemoryUnit, reason: str) -> None:
        """The unit is not stored."""
        self.deleted.add(unit.id)
        self.dropped[reason] += 1

    def _keep_rest(self, unit: MemoryUnit) -> None:
        """What was said around a claim that does not stand by itself any more."""
        rest = rest_of(unit)
        if rest is not None:
            self.put(rest.model_copy(update={"born": self.visible.born}), Settled(None))

    def _before(self, unit_id: str) -> Settled:
        if unit_id in self.settled:
            return self.settled[unit_id]
        item = self.stored[unit_id]
        return Settled(None, item.version, item.blob)


def gave_way(old: MemoryUnit, new_id: str, said_at: str, now_ms: int) -> MemoryUnit:
    """`old` as history: it held until the one in its place was said."""
    until = max(parse_rfc3339(old.created_at), parse_rfc3339(said_at))
    changes = {"superseded_by": new_id, "valid_to": format_ms(until), "retired_at": format_ms(now_ms)}
    return old.model_copy(update={**changes, "updated_at": format_ms(now_ms), "version": old.version + 1})
