"""The memories of one tenant in memory: kept up to date entry by entry, searched by words and vectors, listed.

A change puts other `Rows` in place by one assignment, and never touches those that were there. So searches need no
lock and see one state from start to end; calls that change the index are the caller's to keep apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from agent_memory.retrieval.assembly import Assembly
from agent_memory.retrieval.block import Block, IndexedUnit, build_block
from agent_memory.retrieval.hidden import hidden_rows
from agent_memory.retrieval.hits import Hit, SearchQuery
from agent_memory.retrieval.listing import Listed, list_rows
from agent_memory.retrieval.ranking import rank_rows
from agent_memory.retrieval.rows import Rows, living_block

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.filters import Selection
    from agent_memory.visibility import Visibility

__all__ = ["Hit", "IndexedUnit", "Listed", "SearchQuery", "TenantIndex"]


class TenantIndex:
    """`seq` is the last entry of the change log that went in; the caller sets it. Vectors are of `model` and `dim`.

    `compactions` counts how often rows were numbered anew.
    """

    def __init__(self, model: str, dim: int) -> None:
        self.model = model
        self.dim = dim
        self.seq = 0
        self.compactions = 0
        self._assembly = Assembly(dim)
        self._rows = self._assembly.rows

    @classmethod
    def from_blocks(
        cls, model: str, dim: int, blocks: Iterable[Block], alive: NDArray[np.bool_] | None = None
    ) -> TenantIndex:
        """The index of blocks with the same model and dim: row n is the nth of all their rows.

        `alive` has an entry for each, None for all alive. Of one id at most one row may be alive. Raises ValueError for
        a block of another model or dim.
        """
        index = cls(model, dim)
        index._assembly.append_all(_of_model(blocks, model, dim), 0 if alive is None else len(alive))
        if alive is not None:
            index._assembly.kill((~alive).nonzero()[0])
        index._assembly.link_all()
        index._publish()
        return index

    @classmethod
    def from_pages(cls, model: str, dim: int, pages: Iterable[Sequence[IndexedUnit]]) -> TenantIndex:
        """The same as `apply` of page after page, in a time that does not grow with the square of the rows."""
        index = cls(model, dim)
        for page in pages:
            index._exchange(page, [])
        index._assembly.link_all()
        index._publish()
        return index

    def __len__(self) -> int:
        """Number of units that are alive and not retired."""
        return self._rows.living

    @property
    def size_bytes(self) -> int:
        """Memory held, the Python objects estimated."""
        return self._assembly.nbytes

    @property
    def rows(self) -> Rows:
        """What there is now; it stays as it is, whatever happens to the index."""
        return self._rows

    def apply(self, puts: Sequence[IndexedUnit], deletes: Sequence[str]) -> None:
        """Take out `deletes`, then put in `puts`, retired ones too; the last of an id counts.

        Not to be called twice at once. Searches that began before see none of it, later ones all.
        """
        first = self._exchange(puts, deletes)
        if first < self._assembly.rows.size:
            self._assembly.link(first)
        self._publish()

    def hide(self, visible: Visibility) -> None:
        """Take out what is hidden. Not to be called while `apply` is."""
        self._assembly.kill(hidden_rows(self._rows, visible))
        self._publish()

    def block_from(self, first_row: int) -> Block:
        """The living rows from that one on as a block, in conversation order: numbers differ where some are dead."""
        return living_block(self._rows, first_row, self.model, self.dim)

    def search(self, query: SearchQuery) -> list[Hit]:
        """At most `top_k` units that pass the filters and thresholds, best first, no two saying the same.

        Equal scores: the newer first, then by id.
        """
        rows = self._rows
        return rank_rows(rows, query) if rows.size and query.top_k > 0 else []

    def listing(self, selection: Selection, after: Listed | None, limit: int) -> list[Listed]:
        """At most `limit` of the selected units behind `after`, newest first, ties by id; equal texts are all there."""
        rows = self._rows
        return list_rows(rows, selection, after, limit) if rows.size and limit > 0 else []

    def _exchange(self, puts: Sequence[IndexedUnit], deletes: Sequence[str]) -> int:
        """Old rows out and new rows in, without links; the number of the first new one."""
        newest = {unit.id: unit for unit in puts}
        rows = self._assembly.rows
        block = build_block(list(newest.values()), self.model, self.dim) if newest else None
        self._assembly.kill(rows.rows_of({*deletes, *newest}))
        if block is not None:
            self._assembly.append(block)
        return rows.size

    def _publish(self) -> None:
        """Show the new state, after a compaction where more rows are dead than alive."""
        rows = self._assembly.rows
        if 2 * int(rows.alive.sum()) < rows.size:
            self._assembly = Assembly(self.dim)
            self._assembly.append(living_block(rows, 0, self.model, self.dim))
            self._assembly.link_all()
            self.compactions += 1
        self._rows = self._assembly.rows


def _of_model(blocks: Iterable[Block], model: str, dim: int) -> Iterator[Block]:
    for block in blocks:
        if (block.model, block.dim) != (model, dim):
            raise ValueError("must be a block of the same model")
        yield block
