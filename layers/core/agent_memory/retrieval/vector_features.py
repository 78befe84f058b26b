"""What the vectors say of the candidates, of the turns around them, and of their sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.retrieval.neighbourhood import AROUND_1, AROUND_2, BEFORE_1, Neighbourhood, summed
from agent_memory.retrieval.scan import cosines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.rows import Rows

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

_WINDOWS = {"near_before": BEFORE_1, "near_1": AROUND_1, "near_2": AROUND_2}


def vector_features(near: NDArray[np.float32] | Floats, around: Neighbourhood) -> dict[str, Floats]:
    """Cosine of the memory, and its mean over windows of turns; `near` has one entry per row of the index."""
    near_around = around.spread(near)
    there = around.there()
    found = {name: summed(near_around, offsets) / summed(there, offsets) for name, offsets in _WINDOWS.items()}
    return {"near": summed(near_around, (0,)), **found}


def without_speaker(
    rows: Rows, candidates: NDArray[np.int64], vector: NDArray[np.float32], by_named: Mask
) -> Floats | None:
    """Cosines with the question after the direction in which the named speaker's memories differ is taken out.

    The name in the question says who speaks; without it more of what is asked is left (compare removing a common
    direction: Mu & Viswanath 2018, arXiv 1702.01417). None where all or none of the candidates are the speaker's.
    """
    import numpy as np

    if by_named.all() or not by_named.any():
        return None
    # whole numbers, whose sums don't depend on the order of the rows
    sides = [rows.vectors[candidates[side]].sum(axis=0, dtype=np.int64) / side.sum() for side in (by_named, ~by_named)]
    direction = sides[0] - sides[1]
    length = float(direction @ direction)
    if not length:
        return None
    rest = vector - direction * (float(vector @ direction) / length)
    return cosines(rows, rest, candidates).astype(np.float64)


def session_best(codes: NDArray[np.int32], values: Floats) -> Floats:
    """The highest value among the candidates of the same session."""
    import numpy as np

    best = np.full(int(codes.max(initial=-1)) + 1, -np.inf)
    np.maximum.at(best, codes, values)
    found: Floats = best[codes]
    return found
