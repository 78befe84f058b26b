"""The rows of a segment by metadata key and value: what filters on metadata look at instead of the rows themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]
    Rows = NDArray[np.int32]
    MetadataRows = Mapping[str, Mapping[str, Rows]]

_BYTES_PER_VALUE = 300  # a short text, an array's head, their places in a dict


def metadata_rows(metadata: Iterable[Mapping[str, str]]) -> MetadataRows:
    """The rows that have each value of each key, ascending; the metadata come row by row."""
    import numpy as np

    found: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row, pairs in enumerate(metadata):
        for key, value in pairs.items():
            found[key][value].append(row)
    return {
        key: {value: np.array(rows, np.int32) for value, rows in by_value.items()} for key, by_value in found.items()
    }


def merged_metadata_rows(parts: Sequence[tuple[MetadataRows, Mask]]) -> MetadataRows:
    """Over the kept rows of all parts, renumbered in order; values that no kept row has are gone."""
    import numpy as np

    found: dict[str, dict[str, list[Rows]]] = defaultdict(lambda: defaultdict(list))
    first = 0
    for rows_of, keep in parts:
        renumbered = (first + np.cumsum(keep) - 1).astype(np.int32)
        for key, by_value in rows_of.items():
            for value, rows in by_value.items():
                kept = rows[keep[rows]]
                if len(kept):
                    found[key][value].append(renumbered[kept])
        first += int(keep.sum())
    return {
        key: {value: np.concatenate(columns) for value, columns in by_value.items()} for key, by_value in found.items()
    }


def bytes_held(rows_of: MetadataRows) -> int:
    """Memory held, the Python objects estimated."""
    arrays = [rows.nbytes for by_value in rows_of.values() for rows in by_value.values()]
    return sum(arrays) + _BYTES_PER_VALUE * len(arrays)
