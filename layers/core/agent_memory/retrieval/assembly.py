"""Where a tenant's rows grow: blocks are appended, rows die, links follow. For one writer; readers get `Rows`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from agent_memory.retrieval.block import Block, Levels
from agent_memory.retrieval.columns import RETIRED, TURN, Columns, GrowingColumns, Shelf
from agent_memory.retrieval.links import around, conversation_order, led_past, neighbours
from agent_memory.retrieval.rows import Rows
from agent_memory.retrieval.tiers import Tier, Tiers, kept, tier_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Codes = NDArray[np.int32]

Named = TypeVar("Named")
_BYTES_OF_OBJECTS = 6_500  # of an index of any size: some fifty heads of arrays, what holds them, its place in a cache
_BYTES_PER_SCOPE = 600  # four short texts, their tuple, its entries in a dict and a tuple
_BYTES_PER_SPEAKER = 150


class Assembly:
    """`rows` is the state after the last step; each step makes another and leaves the one before as it was."""

    def __init__(self, dim: int) -> None:
        import numpy as np

        self._columns = GrowingColumns(dim)
        self._scopes: dict[Levels, int] = {}
        self._speakers: dict[str, int] = {}
        none = np.zeros(0, np.int32)
        self.rows = Rows(
            **self._columns.arrays(),
            alive=np.zeros(0, np.bool_),
            current=np.zeros(0, np.bool_),
            before=none,
            after=none,
            scopes=(),
            speakers=(),
            postings=Tiers(),
            scope_lengths=np.zeros(0),
            living=0,
        )

    @property
    def nbytes(self) -> int:
        """Memory held, the Python objects estimated."""
        rows = self.rows
        arrays = self._columns.nbytes + rows.alive.nbytes + rows.current.nbytes + rows.before.nbytes + rows.after.nbytes
        names = _BYTES_PER_SCOPE * len(self._scopes) + _BYTES_PER_SPEAKER * len(self._speakers)
        return _BYTES_OF_OBJECTS + arrays + rows.scope_lengths.nbytes + rows.postings.nbytes + names

    def kill(self, gone: Numbers) -> None:
        """Let the rows die, and lead links past them."""
        import numpy as np

        rows = self.rows
        gone = np.unique(gone[rows.alive[gone]])
        turns = gone[(rows.flags[gone] & TURN) > 0]
        if len(turns):
            before, after = led_past(rows.before, turns), led_past(rows.after, turns)
            rows = replace(rows, before=before, after=after)
        if len(gone):
            alive, current = rows.alive.copy(), rows.current.copy()
            alive[gone] = current[gone] = False
            lengths, count = _said(rows, gone[rows.current[gone]], len(rows.scopes))
            lengths = rows.scope_lengths - lengths
            self.rows = replace(rows, alive=alive, current=current, scope_lengths=lengths, living=rows.living - count)

    def append(self, block: Block) -> None:
        """More rows, which nothing is linked to yet."""
        self.append_all([block])

    def append_all(self, blocks: Iterable[Block], room: int = 0) -> None:
        """The rows of block after block.

        Told how many rows there will be, `room`, it copies each once, and keeps nothing of blocks that are only a part.
        """
        import numpy as np

        first, runs = self.rows.size, self._taken(blocks, room)
        columns, rows = self._columns.arrays(), self.rows
        none = np.full(self._columns.size - first, -1, np.int32)
        current = (columns["flags"][first:] & RETIRED) == 0
        rows = Rows(
            **columns,
            alive=np.append(rows.alive, np.ones(len(none), np.bool_)),
            current=np.append(rows.current, current),
            before=np.append(rows.before, none),
            after=np.append(rows.after, none),
            scopes=_grown(rows.scopes, self._scopes),
            speakers=_grown(rows.speakers, self._speakers),
            postings=rows.postings.followed_by(runs),
            scope_lengths=rows.scope_lengths,
            living=rows.living,
        )
        lengths, count = _said(rows, first + np.flatnonzero(current), len(rows.scopes))
        lengths[: len(rows.scope_lengths)] += rows.scope_lengths
        self.rows = replace(rows, scope_lengths=lengths, living=rows.living + count)

    def _taken(self, blocks: Iterable[Block], room: int) -> list[Tier]:
        """Put the blocks' columns behind those that are there; what else they hold, block by block."""
        runs, shelf = [], Shelf()
        for block in blocks:
            run = tier_of(block, self._columns.size)
            runs.append(run if block.size >= room else kept(run, shelf))
            scope_codes = _coded(self._scopes, block.scopes, block.scope_codes)
            speaker_codes = _coded(self._speakers, block.speakers, block.speaker_codes)
            arrays = {**block.arrays(), "scope_codes": scope_codes, "speaker_codes": speaker_codes}
            self._columns.append(arrays, room)
        return runs

    def link(self, first: int) -> None:
        """Link the rows from `first` on, and those around them anew."""
        import numpy as np

        rows = self.rows
        numbers = around(rows, rows.alive, first)
        before, after = rows.before.copy(), rows.after.copy()
        # At the edge of what was looked at an old row keeps its link to what lies outside.
        for links, found in zip((before, after), neighbours(rows, numbers), strict=True):
            links[numbers] = np.where(found < 0, links[numbers], found)
        self.rows = replace(rows, before=before, after=after)

    def link_all(self) -> None:
        """Link all living rows, whatever their links were."""
        import numpy as np

        rows = self.rows
        numbers = conversation_order(rows, np.flatnonzero(rows.alive))
        before, after = np.full(rows.size, -1, np.int32), np.full(rows.size, -1, np.int32)
        before[numbers], after[numbers] = neighbours(rows, numbers)
        self.rows = replace(rows, before=before, after=after)


def _said(columns: Columns, numbers: Numbers, scopes: int) -> tuple[NDArray[np.float64], int]:
    """The terms of these rows by scope, and how many rows they are."""
    import numpy as np

    lengths = np.bincount(columns.scope_codes[numbers], columns.lengths[numbers], scopes).astype(np.float64)
    return lengths, len(numbers)


def _coded(codes: dict[Named, int], names: tuple[Named, ...], column: Codes) -> Codes:
    """A column of codes of the table `names` in codes of `codes`, which takes up new names; -1 stays."""
    import numpy as np

    ours = np.array([*(codes.setdefault(name, len(codes)) for name in names), -1], np.int32)
    return ours[column]


def _grown(names: tuple[Named, ...], codes: dict[Named, int]) -> tuple[Named, ...]:
    return names if len(names) == len(codes) else tuple(codes)
