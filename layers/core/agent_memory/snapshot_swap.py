"""Putting another snapshot of a tenant, or none, in the place of the one that is named.

The objects that lie there are listed first, the record changes by a condition on its version, then what it does not
name is deleted. Whoever wrote one of those objects had read the record before, so its own change will fail: nothing
that a record will ever name is deleted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_memory import keys
from agent_memory.change_log import SNAPSHOT_EVERY
from agent_memory.errors import ConditionFailed, ServerBusy
from agent_memory.ports import Check, Item, Put, WideTable
from agent_memory.retrieval.snapshots import tenant_folder
from agent_memory.snapshot_store import SnapshotStore

TRIES = 8


@dataclass(frozen=True, slots=True)
class Before:
    """What there was: the record, if any, and the names of all objects of the tenant."""

    partition: str
    item: Item | None
    names: tuple[str, ...]

    @property
    def seq(self) -> int:
        """How far the named snapshot goes, 0 where none is."""
        return int(self.item.body.get("seq", 0)) if self.item else 0


@dataclass(frozen=True, slots=True)
class SnapshotPlace:
    """Where one tenant's record and objects lie."""

    partition: str
    table: WideTable
    store: SnapshotStore

    def look(self) -> Before:
        """The record, then the objects."""
        key = keys.snapshot(self.partition)
        item = self.table.get([key]).get(key)
        return Before(self.partition, item, tuple(self.store.names(tenant_folder(self.partition))))

    def swap(self, before: Before, body: Mapping[str, Any], kept: Collection[str], checks: Sequence[Check]) -> None:
        """Let the record have the body, and delete what was there but for the objects `kept`.

        Raises ConditionFailed where the record has changed, or a check fails: then it is as it was.
        """
        version = before.item.version if before.item else 0
        renewed = Item(keys.snapshot(self.partition), body, version + 1)
        self.table.write([Put(renewed, expect=version), *checks])
        self.store.delete(name for name in before.names if name not in kept)

    def clear(self) -> bool:
        """Delete all objects of the tenant; whether there may have been a snapshot.

        One that somebody is writing at this moment comes to nothing. Raises ServerBusy when others kept winning.
        """
        alive, head = keys.alive(self.partition.partition("/")[0]), keys.head(self.partition)
        for _ in range(TRIES):
            read = self.table.get([alive, head])
            if alive not in read or head not in read or read[head].version < SNAPSHOT_EVERY:
                return False  # what belongs to a deleted store goes with it; short logs have no snapshot
            try:
                self.swap(self.look(), {}, (), [Check(alive, expect=read[alive].version)])
            except ConditionFailed:
                continue
            return True
        raise ServerBusy("others are storing the index of the same tenant")
