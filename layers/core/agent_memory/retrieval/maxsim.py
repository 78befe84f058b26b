"""Comparing a question with a text token by token ("late interaction": Khattab & Zaharia 2020, arXiv 2004.12832)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.ports import TokenVectors, Vectors


def maxsim(query_tokens: TokenVectors, unit_tokens: Sequence[TokenVectors]) -> NDArray[np.float32]:
    """For each unit, the mean over the query's tokens of their highest cosine with one of the unit's, -1 to 1.

    The paper's sum divided by the number of query tokens, so that scores of different questions compare. 0 where the
    query or the unit has no tokens.
    """
    import numpy as np

    scores = np.zeros(len(unit_tokens), np.float32)
    filled = [number for number, tokens in enumerate(unit_tokens) if len(tokens)]
    if not filled or not len(query_tokens):
        return scores
    starts = np.cumsum([0, *(len(unit_tokens[number]) for number in filled[:-1])])
    cosines = _units(query_tokens) @ _units(np.concatenate([unit_tokens[number] for number in filled])).T
    scores[filled] = np.maximum.reduceat(cosines, starts, axis=1).mean(axis=0)
    return scores


def _units(tokens: TokenVectors) -> Vectors:
    """Rows of norm 1; a row of zeros stays one."""
    import numpy as np

    rows = tokens.astype(np.float32)
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    rows /= np.where(norms > 0, norms, 1)
    return rows
