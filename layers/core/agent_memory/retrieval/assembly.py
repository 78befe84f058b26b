"""Where a tenant's rows grow: blocks are appended, rows die, links follow. For one writer; readers get `Rows`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from agent_memory.retrieval.block import Block, Levels
from agent_memory.retrieval.columns import RETIRED, TURN, Columns, GrowingColumns
from agent_memory.retrieval.links import around, conversation_order, led_past, neighbours
from agent_memory.retrieval.rows import Rows
from agent_memory.retrieval.tiers import Tiers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Codes = NDArray[np.int32]

Named = TypeVar("Named")
_BYTES_PER_NAME = 600  # of a scope: four short texts, their tuple, its entry in a dict


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
        arrays = self._columns.nbytes + rows.alive.nbytes + rows.before.nbytes + rows.after.nbytes
        return arrays + rows.postings.nbytes + _BYTES_PER_NAME * (len(self._scopes) + len(self._speakers))

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
            alive = rows.alive.copy()
            alive[gone] = False
            lengths, count = _said(rows, gone, len(rows.scopes))
            self.rows = replace(
                rows, alive=alive, scope_lengths=rows.scope_lengths - lengths, living=rows.living - count
            )

    def append(self, block: Block) -> None:
        """More rows, which nothing is linked to yet."""
        import numpy as np

        rows, none = self.rows, np.full(block.size, -1, np.int32)
        scope_codes = _coded(self._scopes, block.scopes, block.scope_codes)
        speaker_codes = _coded(self._speakers, block.speakers, block.speaker_codes)
        self._columns.append({**block.arrays(), "scope_codes": scope_codes, "speaker_codes": speaker_codes})
        scopes = _grown(rows.scopes, self._scopes)
        lengths, count = _said(replace(block, scope_codes=scope_codes), np.arange(block.size), len(scopes))
        lengths[: len(rows.scopes)] += rows.scope_lengths
        self.rows = Rows(
            **self._columns.arrays(),
            alive=np.append(rows.alive, np.ones(block.size, np.bool_)),
            before=np.append(rows.before, none),
            after=np.append(rows.after, none),
            scopes=scopes,
            speakers=_grown(rows.speakers, self._speakers),
            postings=rows.postings.followed_by(block.ids, block.postings, block.metadata),
            scope_lengths=lengths,
            living=rows.living + count,
        )

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
    """Of those rows that are not retired: the terms by scope, and how many rows they are."""
    import numpy as np

    numbers = numbers[(columns.flags[numbers] & RETIRED) == 0]
    lengths = np.bincount(columns.scope_codes[numbers], columns.lengths[numbers], scopes).astype(np.float64)
    return lengths, len(numbers)


def _coded(codes: dict[Named, int], names: tuple[Named, ...], column: Codes) -> Codes:
    """A column of codes of the table `names` in codes of `codes`, which takes up new names; -1 stays."""
    import numpy as np

    ours = np.array([*(codes.setdefault(name, len(codes)) for name in names), -1], np.int32)
    return ours[column]


def _grown(names: tuple[Named, ...], codes: dict[Named, int]) -> tuple[Named, ...]:
    return names if len(names) == len(codes) else tuple(codes)
