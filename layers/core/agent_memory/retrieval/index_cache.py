"""The tenant indexes of a process: loaded on first use, brought up to date by the change log, dropped by size.

Partition of search is (store, application, tenant). An index is as new as the head of the log that the search read, so
a unit whose task is `completed` is found from every process.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent_memory.change_log import SNAPSHOT_EVERY
from agent_memory.retrieval.snapshot_reader import load_snapshot
from agent_memory.retrieval.tenant_index import TenantIndex
from agent_memory.retrieval.unit_records import LogGap, changes, unit_pages
from agent_memory.snapshot_store import NoSnapshots, SnapshotStore
from agent_memory.visibility import Visibility

if TYPE_CHECKING:
    from agent_memory.ports import Embedder, WideTable


@dataclass(slots=True)
class _Slot:
    """One tenant's place: its lock makes a refresh happen once, whoever asks."""

    partition: str
    lock: threading.Lock = field(default_factory=threading.Lock)
    size: int = 0
    index: TenantIndex | None = None
    visible: Visibility | None = None


class IndexCache:
    """Up-to-date indexes by tenant partition, least recently used ones dropped above `max_bytes`. Thread safe."""

    def __init__(
        self, table: WideTable, embedder: Embedder, *, max_bytes: int, snapshots: SnapshotStore | None = None
    ) -> None:
        self._table = table
        self._embedder = embedder
        self._snapshots = snapshots or NoSnapshots()
        self._max_bytes = max_bytes
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
        self._lock = threading.Lock()
        self._total = 0

    def at(self, partition: str, sequence: int, visible: Visibility) -> TenantIndex:
        """The partition's index with every change up to the sequence number (at least), without what is hidden."""
        slot = self._slot(partition)
        with slot.lock:
            index = _still_good(slot, visible)
            if index is None or not self._catch_up(index, partition, sequence, visible):
                index = self._load(partition, sequence, visible)
            slot.index, slot.visible = index, visible
        self._note_size(slot, index.size_bytes)
        return index

    def _slot(self, partition: str) -> _Slot:
        with self._lock:
            slot = self._slots.setdefault(partition, _Slot(partition))
            self._slots.move_to_end(partition)
            return slot

    def _load(self, partition: str, sequence: int, visible: Visibility) -> TenantIndex:
        """From the snapshot and the log behind it; from all records of the tenant where that does not do."""
        index = self._stored(partition, visible) if sequence >= SNAPSHOT_EVERY else None
        if index is None or not self._catch_up(index, partition, sequence, visible):
            model, dim = self._embedder.model, self._embedder.dim
            index = TenantIndex.from_pages(model, dim, unit_pages(self._table, partition, visible))
            index.seq = sequence
        return index

    def _stored(self, partition: str, visible: Visibility) -> TenantIndex | None:
        """The purge of a deletion removes older snapshots before its mark goes, so the marks that there are say all."""
        loaded = load_snapshot(partition, self._table, self._snapshots, self._embedder.model, self._embedder.dim)
        if loaded is None or visible.purged > loaded.snapshot.born[1]:
            return None
        if visible.marks or visible.gone_apps:
            loaded.index.hide(visible)
        return loaded.index

    def _catch_up(self, index: TenantIndex, partition: str, sequence: int, visible: Visibility) -> bool:
        """Apply the changes after the index's own sequence; False when the log no longer holds all of them."""
        try:
            for changed in changes(self._table, partition, (index.seq, sequence), visible):
                index.apply(changed.present, changed.gone)
                index.seq = changed.sequence
        except LogGap:
            return False
        return True

    def _note_size(self, slot: _Slot, size: int) -> None:
        """Keep the sum of all sizes, and drop the least recently used indexes while it is over the limit."""
        with self._lock:
            if self._slots.get(slot.partition) is slot:
                self._total += size - slot.size
                slot.size = size
            while self._total > self._max_bytes and len(self._slots) > 1:
                _, dropped = self._slots.popitem(last=False)
                self._total -= dropped.size


def _still_good(slot: _Slot, visible: Visibility) -> TenantIndex | None:
    """The slot's index without what was hidden since; None where that can't be told from its rows."""
    index, seen = slot.index, slot.visible
    if index is None or seen is None or not visible.hides_more_than(seen):
        return index
    if visible.may_have_forgotten(seen.born):
        return None
    index.hide(visible)
    return index
