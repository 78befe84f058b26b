"""Putting results that say nearly the same behind others: maximal marginal relevance."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RELEVANCE = 0.7  # the rest is novelty


def diverse_order(scores: NDArray[np.float64], vectors: NDArray[np.int8]) -> list[int]:
    """Places by MMR (Carbonell & Goldstein 1998, SIGIR), the best first.

    Then each time the one with the best mix of its score, relative to the best one's, and of how little it is like
    those before it.
    """
    import numpy as np

    if not len(scores):
        return []
    rows = vectors.astype(np.float32)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    alike = rows @ rows.T
    relevance = scores / max(float(scores.max()), 1e-9)
    order = [int(np.argmax(relevance))]
    likest = alike[order[0]].copy()
    while len(order) < len(scores):
        mixed = RELEVANCE * relevance - (1 - RELEVANCE) * likest
        mixed[order] = -np.inf
        order.append(int(np.argmax(mixed)))
        np.maximum(likest, alike[order[-1]], out=likest)
    return order
