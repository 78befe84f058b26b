"""Rows by metadata key and value: what filters on metadata look at instead of the rows themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
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


def merged_metadata(first: MetadataRows, second: MetadataRows, shift: int) -> MetadataRows:
    """Both in one; the rows of the second are counted from `shift`, which lies behind all rows of the first."""
    import numpy as np

    joined = {key: dict(by_value) for key, by_value in first.items()}
    for key, by_value in second.items():
        ours = joined.setdefault(key, {})
        for value, rows in by_value.items():
            moved = rows + np.int32(shift)
            ours[value] = np.concatenate((ours[value], moved)) if value in ours else moved
    return joined


def renumbered_metadata(parts: Sequence[tuple[MetadataRows, int]], numbers: Rows) -> MetadataRows:
    """Over chosen rows: row r of a part that begins at row f becomes `numbers[f + r]`, negative ones are left out.

    Values that no chosen row has are gone.
    """
    import numpy as np

    found: dict[str, dict[str, list[Rows]]] = defaultdict(lambda: defaultdict(list))
    for rows_of, first in parts:
        for key, by_value in rows_of.items():
            for value, rows in by_value.items():
                moved = numbers[first:][rows]
                if (moved >= 0).any():
                    found[key][value].append(moved[moved >= 0])
    return {
        key: {value: np.sort(np.concatenate(columns)) for value, columns in by_value.items()}
        for key, by_value in found.items()
    }


class JoinedMetadata(Mapping[str, Mapping[str, "Rows"]]):
    """Several parts read as one, each with the row at which it begins. Nothing is joined before it is read."""

    def __init__(self, parts: Sequence[tuple[MetadataRows, int]]) -> None:
        self._parts = parts

    def __getitem__(self, key: str) -> Mapping[str, Rows]:
        having = [(rows_of[key], first) for rows_of, first in self._parts if key in rows_of]
        if not having:
            raise KeyError(key)
        return having[0][0] if len(having) == 1 and having[0][1] == 0 else _JoinedValues(having)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(key for rows_of, _ in self._parts for key in rows_of))

    def __len__(self) -> int:
        return len(list(iter(self)))


class _JoinedValues(Mapping[str, "Rows"]):
    """The rows of one key's values."""

    def __init__(self, parts: Sequence[tuple[Mapping[str, Rows], int]]) -> None:
        self._parts = parts

    def __getitem__(self, value: str) -> Rows:
        import numpy as np

        found = [by_value[value] + np.int32(first) for by_value, first in self._parts if value in by_value]
        if not found:
            raise KeyError(value)
        return np.concatenate(found)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(value for by_value, _ in self._parts for value in by_value))

    def __len__(self) -> int:
        return len(list(iter(self)))


def flattened(rows_of: MetadataRows) -> tuple[list[tuple[str, list[str]]], NDArray[np.uint32], Rows]:
    """Keys with their values in order, where the rows of each value start, and all rows: see `unflattened`."""
    import numpy as np

    pairs = [(key, sorted(rows_of[key])) for key in sorted(rows_of)]
    columns = [rows_of[key][value] for key, values in pairs for value in values]
    starts = np.cumsum([0, *map(len, columns)]).astype(np.uint32)
    return pairs, starts, np.concatenate([np.zeros(0, np.int32), *columns])


def unflattened(pairs: Iterable[tuple[str, list[str]]], starts: NDArray[np.uint32], rows: Rows) -> MetadataRows:
    """The rows by key and value, without a copy of them."""
    spans = pairwise(starts.tolist())
    return {key: {value: rows[slice(*next(spans))] for value in values} for key, values in pairs}


def bytes_held(rows_of: MetadataRows) -> int:
    """Memory held, the Python objects estimated."""
    arrays = [rows.nbytes for by_value in rows_of.values() for rows in by_value.values()]
    return sum(arrays) + _BYTES_PER_VALUE * len(arrays)
