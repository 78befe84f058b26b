"""Which parts of a snapshot the next one keeps, and which it writes anew. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.retrieval.block import id_numbers
from agent_memory.retrieval.snapshots import Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.uint64]
    Mask = NDArray[np.bool_]

MOST_ROWS = 32_768  # of a part, some 25 MB: what is held in memory at once, and what one deletion has written anew
MOST_DEAD = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """A part of the snapshot before, with the ids of its rows and which of them count."""

    part: Part
    ids: Ids
    alive: Mask
    unclean: bool = False  # has rows of memories that were deleted

    @property
    def living(self) -> int:
        """Rows that count."""
        return int(self.alive.sum())

    def stays(self, ended_ms: int) -> bool:
        """Whether the object may stay as it is; not where something in it was deleted, or had expired by then."""
        few_dead = self.part.rows - self.living <= MOST_DEAD * self.part.rows
        return few_dead and not self.unclean and self.part.ends_ms > ended_ms


def held_parts(parts: Sequence[Part], ids: Ids, alive: Mask) -> list[Held]:
    """The parts with their shares of the rows."""
    held, first = [], 0
    for part in parts:
        rows = slice(first, first + part.rows)
        held.append(Held(part, ids[rows], alive[rows]))
        first += part.rows
    return held


def without(held: Sequence[Held], changed: Collection[str], deleted: Collection[str]) -> list[Held]:
    """The parts after these memories were changed, some of them deleted: their rows no longer count."""
    changed_ids, deleted_ids = _numbers(changed), _numbers(deleted)
    left = []
    for each in held:
        alive = each.alive & ~_among(each.ids, changed_ids)
        left.append(Held(each.part, each.ids, alive, unclean=bool(_among(each.ids, deleted_ids).any())))
    return left


def groups(sizes: Sequence[int]) -> list[list[int]]:
    """Positions that go into one part: neighbours, so that sizes fall by half and none is above MOST_ROWS.

    A row is written as often as the logarithm of the rows says, and there are about as many small parts.
    """
    made: list[list[int]] = []
    totals: list[int] = []
    for position, size in enumerate(sizes):
        made.append([position])
        totals.append(size)
        while len(made) > 1 and totals[-2] < 2 * totals[-1] and totals[-2] + totals[-1] <= MOST_ROWS:
            made[-2:] = [made[-2] + made[-1]]
            totals[-2:] = [totals[-2] + totals[-1]]
    return made


def _numbers(unit_ids: Collection[str]) -> Ids:
    import numpy as np

    return id_numbers(list(unit_ids)) if unit_ids else np.zeros((0, 2), np.uint64)


def _among(ids: Ids, wanted: Ids) -> Mask:
    """Which of the ids are among the wanted ones: by their second halves, as the first begin with the tenant's hash."""
    import numpy as np

    found = np.isin(ids[:, 1], wanted[:, 1])
    some = np.flatnonzero(found)
    known = set(map(tuple, wanted.tolist()))
    found[some] = [tuple(each) in known for each in ids[some].tolist()]
    return found
