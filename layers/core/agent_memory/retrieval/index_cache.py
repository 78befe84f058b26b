"""The tenant indexes of a process: loaded on first use, brought up to date by the change log, dropped by size.

Partition of search is (store, application, tenant). An index is as new as the head of the log that the search read, so
a unit whose task is `completed` is found from every process.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent_memory import keys
from agent_memory.records import shown, unit_of, unpack_vector
from agent_memory.retrieval.tenant_index import IndexedUnit, TenantIndex
from agent_memory.times import parse_rfc3339
from agent_memory.visibility import Visibility

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.ports import Embedder, Item, WideTable

PAGE = 1_000


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

    def __init__(self, table: WideTable, embedder: Embedder, *, max_bytes: int) -> None:
        self._table = table
        self._embedder = embedder
        self._max_bytes = max_bytes
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
        self._lock = threading.Lock()
        self._total = 0

    def at(self, partition: str, sequence: int, visible: Visibility) -> TenantIndex:
        """The partition's index with every change up to the sequence number (at least), without what is hidden."""
        slot = self._slot(partition)
        with slot.lock:
            index = None if slot.visible is None or visible.hides_more_than(slot.visible) else slot.index
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
        index = TenantIndex(model=self._embedder.model, dim=self._embedder.dim)
        for items in self._unit_pages(partition):
            index.apply([indexed(item) for item in items if shown(item, visible)], [])
        index.seq = sequence
        return index

    def _unit_pages(self, partition: str) -> Iterator[tuple[Item, ...]]:
        first, last = keys.prefix_range("unit/")
        after: str | None = None
        while True:
            page = self._table.query(partition, first, last, limit=PAGE, after=after)
            yield page.items
            if not page.more:
                return
            after = page.items[-1].key.sk

    def _catch_up(self, index: TenantIndex, partition: str, sequence: int, visible: Visibility) -> bool:
        """Apply the changes after the index's own sequence; False when the log no longer holds all of them."""
        while index.seq < sequence:
            first, last = keys.change(partition, index.seq + 1).sk, keys.change(partition, sequence).sk
            page = self._table.query(partition, first, last, limit=PAGE)
            expected = [keys.change(partition, index.seq + 1 + step).sk for step in range(len(page.items))]
            if not page.items or [item.key.sk for item in page.items] != expected:
                return False
            changed = {unit_id for item in page.items for unit_id in (*item.body["puts"], *item.body["deletes"])}
            found = self._table.get([keys.unit(partition, unit_id) for unit_id in changed])
            present = [indexed(item) for item in found.values() if shown(item, visible)]
            index.apply(present, sorted(changed - {unit.id for unit in present}))
            index.seq += len(page.items)
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


def indexed(item: Item) -> IndexedUnit:
    """What the index keeps of a unit's record."""
    unit = unit_of(item)
    return IndexedUnit(
        id=unit.id,
        scope=unit.scope.levels,
        search_text=unit.search_text,
        metadata=unit.metadata,
        vector=unpack_vector(item.blob),
        embedding_model=unit.embedding_model or "",
        created_ms=parse_rfc3339(unit.created_at),
        expires_ms=None if unit.expires_at is None else parse_rfc3339(unit.expires_at),
        retired=unit.retired,
    )
