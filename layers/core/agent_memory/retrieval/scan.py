"""How near each row is to a question: an exact scan over the 8-bit vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.retrieval.vectors import int8_query

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.columns import Columns

    Cosines = NDArray[np.float32]
    Bytes = NDArray[np.int8]

_CHUNK = 16_384  # rows that become floats at a time where SimSIMD is missing


def cosines(columns: Columns, query: NDArray[Any] | None, only: NDArray[Any] | None = None) -> Cosines:
    """Cosine of each row, or of the rows numbered in `only` in their order; 0 for a row without a vector.

    All are 0 for an unusable question. `only` costs a copy of its vectors.
    """
    import numpy as np

    vectors = columns.vectors if only is None else columns.vectors[only]
    row = int8_query(query, columns.vectors.shape[1])
    if row is None or not len(vectors):
        return np.zeros(len(vectors), np.float32)
    try:
        return by_simsimd(vectors, row)
    except ImportError:
        return by_numpy(vectors, row)


def by_simsimd(vectors: Bytes, query: Bytes) -> Cosines:
    """The cosines by SimSIMD's kernels; raises ImportError where there is no build for the machine."""
    import numpy as np
    import simsimd

    # Not into an array of ours: with `out` 6.5 gives back a None it does not own, which ends Python 3.11 in time.
    distances = np.asarray(simsimd.cdist(query[None], vectors, "cosine", out_dtype="float32"))
    found: Cosines = np.subtract(1, distances[0])
    return found


def by_numpy(vectors: Bytes, query: Bytes) -> Cosines:
    """The same by NumPy alone, some ten times slower."""
    import numpy as np

    found = np.zeros(len(vectors), np.float32)
    direction = query / np.linalg.norm(query.astype(np.float32))
    for start in range(0, len(vectors), _CHUNK):
        part = vectors[start : start + _CHUNK].astype(np.float32)
        norms = np.sqrt(np.einsum("ij,ij->i", part, part))
        np.divide(part @ direction.astype(np.float32), norms, out=found[start : start + _CHUNK], where=norms > 0)
    return found
