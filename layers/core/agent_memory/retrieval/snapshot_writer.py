"""Writing the objects of a tenant's next snapshot: from its records, or from the snapshot before and what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from agent_memory.retrieval.block import Block, IndexedUnit, build_block
from agent_memory.retrieval.columns import NEVER
from agent_memory.retrieval.pack import pack_block
from agent_memory.retrieval.snapshot_plan import MOST_ROWS, Held, groups
from agent_memory.retrieval.snapshot_reader import read_blocks
from agent_memory.retrieval.snapshots import Part, Snapshot, pack_alive
from agent_memory.retrieval.tenant_index import TenantIndex
from agent_memory.snapshot_store import SnapshotStore

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agent_memory.models import Born


@dataclass(slots=True)
class SnapshotWriter:
    """Parts as they come; `written` names the objects of this writer, under names that nobody else has."""

    folder: str
    model: str
    dim: int
    store: SnapshotStore
    new_id: Callable[[], str]
    written: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    _ids: list[NDArray[Any]] = field(default_factory=list)
    _alive: list[NDArray[Any]] = field(default_factory=list)

    def write_all(self, pages: Iterable[Sequence[IndexedUnit]]) -> None:
        """Parts of all memories, a bounded number of which is held at once."""
        units = (unit for page in pages for unit in page)
        for some in _batches(units):
            self.add(build_block(some, self.model, self.dim))

    def write_changes(self, held: Sequence[Held], present: Iterable[IndexedUnit], ended_ms: int) -> None:
        """The parts that may stay, and new ones of what is new and of what may not.

        Raises UnreadableBlock where a part that is to be written anew is missing or damaged.
        """
        fresh = [build_block(some, self.model, self.dim) for some in _batches(present)]
        for group in groups([*(each.living for each in held), *(block.size for block in fresh)]):
            old = [held[at] for at in group if at < len(held)]
            new = [fresh[at - len(held)] for at in group if at >= len(held)]
            if len(group) > 1 or not all(each.stays(ended_ms) for each in old):
                self.add(self._joined(old, new, ended_ms))
            elif old:
                self._append(old[0].part, old[0].ids, old[0].alive)
            else:
                self.add(new[0])

    def add(self, block: Block) -> None:
        """A part of the block's rows; nothing for none."""
        import numpy as np

        if block.size:
            data = pack_block(block)
            part = Part(self._write(data), block.size, len(data), int(block.expires_ms.min(initial=NEVER)))
            self._append(part, block.ids, np.ones(block.size, np.bool_))

    def finish(self, seq: int, born: Born) -> Snapshot:
        """The snapshot of all parts, which is complete now; one without parts has no objects."""
        import numpy as np

        if not self.parts:
            return Snapshot(seq, born, (), "")
        alive = self._write(pack_alive(np.concatenate(self._ids), np.concatenate(self._alive)))
        return Snapshot(seq, born, tuple(self.parts), alive)

    def discard(self) -> None:
        """Delete what was written, and begin again."""
        self.store.delete(self.written)
        for each in (self.written, self.parts, self._ids, self._alive):
            each.clear()

    def _append(self, part: Part, ids: NDArray[Any], alive: NDArray[Any]) -> None:
        self.parts.append(part)
        self._ids.append(ids)
        self._alive.append(alive)

    def _write(self, data: bytes) -> str:
        name = f"{self.folder}{self.new_id()}"
        self.written.append(name)  # before it is there: whoever discards must know of it
        self.store.write(name, data)
        return name

    def _joined(self, old: Sequence[Held], new: Sequence[Block], ended_ms: int) -> Block:
        import numpy as np

        read = read_blocks([(each.part, each.ids) for each in old], self.store)
        alive = [each.alive & (block.expires_ms > ended_ms) for block, each in zip(read, old, strict=True)]
        alive += [np.ones(block.size, np.bool_) for block in new]
        index = TenantIndex.from_blocks(self.model, self.dim, [*read, *new], np.concatenate(alive))
        return index.block_from(0)


def _batches(units: Iterable[IndexedUnit]) -> Iterator[list[IndexedUnit]]:
    rest = iter(units)
    while some := list(islice(rest, MOST_ROWS)):
        yield some
