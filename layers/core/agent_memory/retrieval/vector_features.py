"""What the vectors say of the candidates, of the turns around them, and of their sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.retrieval.neighbourhood import AROUND_1, AROUND_2, BEFORE_1, Neighbourhood, summed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.rows import Rows

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

_WINDOWS = {"near_before": BEFORE_1, "near_1": AROUND_1, "near_2": AROUND_2}


def vector_features(near: NDArray[np.float32] | Floats, around: Neighbourhood) -> dict[str, Floats]:
    """Cosine of the memory, and its mean over windows of turns; `near` has one entry per row of the index."""
    cosines = around.spread(near)
    there = around.there()
    found = {name: summed(cosines, offsets) / summed(there, offsets) for name, offsets in _WINDOWS.items()}
    return {"near": summed(cosines, (0,)), **found}


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
    vectors = rows.vectors[candidates].astype(np.float64)
    vectors /= np.maximum(np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None], 1e-6)
    weights = np.where(by_named, 1 / by_named.sum(), -1 / (~by_named).sum())
    direction = weights @ vectors
    length = float(direction @ direction)
    if length < 1e-6:  # noqa: PLR2004 - nothing sets the speaker apart
        return None
    rest = vector - direction * (float(vector @ direction) / length)
    cosines: Floats = vectors @ (rest / max(float(np.linalg.norm(rest)), 1e-6))
    return cosines


def session_best(codes: NDArray[np.int32], values: Floats) -> Floats:
    """The highest value among the candidates of the same session."""
    import numpy as np

    _, session = np.unique(codes, return_inverse=True)
    best = np.full(int(session.max(initial=-1)) + 1, -np.inf)
    np.maximum.at(best, session, values)
    found: Floats = best[session]
    return found
