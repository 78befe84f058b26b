"""Comparing a question with a text token by token ("late interaction": Khattab & Zaharia 2020, arXiv 2004.12832)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.ports import TokenVectors, Vectors

_NO_LEAD = 1e-12


def maxsim(query_tokens: TokenVectors, unit_tokens: Sequence[TokenVectors]) -> NDArray[np.float32]:
    """For each unit, the mean over the query's tokens of their highest cosine with one of the unit's, -1 to 1.

    The paper's sum divided by the number of query tokens, so that scores of different questions compare. 0 where the
    query or the unit has no tokens.
    """
    import numpy as np

    if not len(query_tokens):
        return np.zeros(len(unit_tokens), np.float32)
    found: NDArray[np.float32] = _nearest(query_tokens, unit_tokens).mean(axis=0)
    return found


def telling_maxsim(query_tokens: TokenVectors, unit_tokens: Sequence[TokenVectors]) -> NDArray[np.float32]:
    """The same, but each of the query's tokens counts by how far the best of these units stands out for it.

    What all units have, such as a speaker's name or a full stop, tells none of them from the others. The square of the
    lead of the best over the mean is its weight; 0 for all where none leads.
    """
    import numpy as np

    if not len(query_tokens) or not len(unit_tokens):
        return np.zeros(len(unit_tokens), np.float32)
    nearest = _nearest(query_tokens, unit_tokens)
    weights = (nearest.max(axis=1) - nearest.mean(axis=1)) ** 2
    found: NDArray[np.float32] = weights @ nearest / max(float(weights.sum()), _NO_LEAD)
    return found


def _nearest(query_tokens: TokenVectors, unit_tokens: Sequence[TokenVectors]) -> NDArray[np.float32]:
    """(tokens of the query, units): the highest cosine with a token of the unit, 0 for a unit without any."""
    import numpy as np

    nearest = np.zeros((len(query_tokens), len(unit_tokens)), np.float32)
    filled = [number for number, tokens in enumerate(unit_tokens) if len(tokens)]
    if not filled:
        return nearest
    starts = np.cumsum([0, *(len(unit_tokens[number]) for number in filled[:-1])])
    cosines = _cosines(query_tokens, np.concatenate([unit_tokens[number] for number in filled]))
    nearest[:, filled] = np.maximum.reduceat(cosines, starts, axis=1)
    return nearest


def _cosines(some: TokenVectors, others: TokenVectors) -> Vectors:
    """Of each with each; one thread of SimSIMD, since those of BLAS wait for each other when the machine is busy."""
    import numpy as np

    try:
        import simsimd
    except ImportError:
        return by_numpy(some, others)
    found: Vectors = np.subtract(1, np.asarray(simsimd.cdist(some, others, "cosine", out_dtype="float32")))
    return found


def by_numpy(some: TokenVectors, others: TokenVectors) -> Vectors:
    """The same where there is no build of SimSIMD for the machine."""
    found: Vectors = _units(some) @ _units(others).T
    return found


def _units(tokens: TokenVectors) -> Vectors:
    """Rows of norm 1; a row of zeros stays one."""
    import numpy as np

    rows = tokens.astype(np.float32)
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    rows /= np.where(norms > 0, norms, 1)
    return rows
