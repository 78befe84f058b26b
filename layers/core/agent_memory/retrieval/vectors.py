"""Embeddings as rows of 8-bit numbers: a quarter of the memory, and cosines that differ in the third digit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

LARGEST = 127


def int8_rows(vectors: Sequence[NDArray[Any] | None], dim: int) -> NDArray[np.int8]:
    """One row per vector, scaled so that its largest component is 127; zeros for one that is unusable.

    Unusable is None, another length, a component that is no finite number, and a vector without a direction.
    """
    import numpy as np

    rows = np.zeros((len(vectors), dim), np.int8)
    usable = [row for row, vector in enumerate(vectors) if vector is not None and np.size(vector) == dim]
    if not usable or not dim:
        return rows
    floats = np.array([np.ravel(vectors[row]) for row in usable], np.float32)  # type: ignore[arg-type]
    with np.errstate(invalid="ignore", over="ignore"):
        largest = np.abs(floats).max(axis=1)
        good = np.isfinite(largest) & (largest > 0)
        scaled = floats[good] / largest[good, None] * np.float32(LARGEST)
    rows[np.array(usable)[good]] = np.rint(scaled).astype(np.int8)
    return rows


def int8_query(vector: NDArray[Any] | None, dim: int) -> NDArray[np.int8] | None:
    """The question's vector in the same form; None where it is unusable."""
    row = int8_rows([vector], dim)[0]
    return row if row.any() else None
