"""What finds rows by term, metadata or id: parts over consecutive runs of rows, of falling size.

Each part is at least twice as large as the next, so there are at most log2 of the rows, and a row is copied as many
times in its life.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent_memory.retrieval.metadata_rows import JoinedMetadata, bytes_held, merged_metadata
from agent_memory.retrieval.postings import Postings, merged

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.block import Block
    from agent_memory.retrieval.columns import Shelf
    from agent_memory.retrieval.metadata_rows import MetadataRows

    Rows = NDArray[np.int32]
    Hashes = NDArray[np.uint64]


_BYTES_PER_TIER = 1_000  # six heads of arrays, and what holds them


@dataclass(frozen=True, slots=True, eq=False)
class Tier:
    """`size` rows from `first` on; the rows in `postings`, `metadata` and `id_rows` are counted from there.

    `id_keys` are the low halves of the ids, ascending: the high halves start with the tenant's hash.
    """

    first: int
    size: int
    postings: Postings
    metadata: MetadataRows
    id_keys: Hashes
    id_rows: Rows


@dataclass(frozen=True, slots=True, eq=False)
class Tiers:
    """All rows of an index. `find` and `candidates` give dead rows too."""

    parts: tuple[Tier, ...] = ()

    @property
    def metadata(self) -> MetadataRows:
        """The rows by metadata key and value."""
        return JoinedMetadata([(part.metadata, part.first) for part in self.parts])

    @property
    def nbytes(self) -> int:
        """Memory held, the Python objects estimated."""
        return _BYTES_PER_TIER * len(self.parts) + sum(
            part.postings.nbytes + part.id_keys.nbytes + part.id_rows.nbytes + bytes_held(part.metadata)
            for part in self.parts
        )

    def find(self, term: int) -> tuple[Rows, NDArray[np.float32]]:
        """The rows that hold the term, ascending, and how often each does."""
        import numpy as np

        found = [
            (rows + np.int32(part.first), counts) for part in self.parts for rows, counts in [part.postings.find(term)]
        ]
        if not found:
            return np.zeros(0, np.int32), np.zeros(0, np.float32)
        rows, counts = (np.concatenate(column) for column in zip(*found, strict=True))
        return rows, counts.astype(np.float32)

    def candidates(self, keys: Hashes) -> Rows:
        """The rows of which the id ends in one of the keys."""
        import numpy as np

        found = [np.zeros(0, np.int32)]
        for part in self.parts:
            low = np.searchsorted(part.id_keys, keys, "left")
            ends = np.searchsorted(part.id_keys, keys, "right")
            for step in range(int((ends - low).max(initial=0))):
                at = low[low + step < ends] + step
                found.append(part.id_rows[at] + np.int32(part.first))
        return np.concatenate(found)

    def followed_by(self, runs: Sequence[Tier]) -> Tiers:
        """With more rows behind the last; the same as one run after the other, but each row is copied once."""
        groups = [[part] for part in self.parts]
        sizes = [part.size for part in self.parts]
        for run in runs:
            groups.append([run])
            sizes.append(run.size)
            while len(sizes) > 1 and sizes[-2] < 2 * sizes[-1]:
                groups[-2:] = [groups[-2] + groups[-1]]
                sizes[-2:] = [sizes[-2] + sizes[-1]]
        return Tiers(tuple(map(_joined, groups)))


def tier_of(block: Block, first: int) -> Tier:
    """The block's rows from `first` on."""
    import numpy as np

    keys = block.ids[:, 1]
    order = np.argsort(keys, kind="stable").astype(np.int32)
    return Tier(first, block.size, block.postings, block.metadata, keys[order], order)


def kept(tier: Tier, shelf: Shelf) -> Tier:
    """The same in other memory, so that what its block was read from can go."""
    postings = tier.postings
    arrays = (postings.terms, postings.starts, postings.rows, postings.counts)
    moved = Postings(*(shelf.put(array) for array in arrays))
    return replace(tier, postings=moved, metadata=merged_metadata({}, tier.metadata, 0))


def _joined(parts: Sequence[Tier]) -> Tier:
    import numpy as np

    if len(parts) == 1:
        return parts[0]
    first = parts[0].first
    keys = np.concatenate([part.id_keys for part in parts])
    rows = np.concatenate([part.id_rows + np.int32(part.first - first) for part in parts])
    order = np.argsort(keys, kind="stable")
    return Tier(
        first,
        len(keys),
        merged([(part.postings, part.first - first) for part in parts]),
        _joined_metadata([(part.metadata, part.first - first) for part in parts]),
        keys[order],
        rows[order],
    )


def _joined_metadata(parts: Sequence[tuple[MetadataRows, int]]) -> MetadataRows:
    """By halves, so that no row is copied more often than the logarithm of the parts says."""
    if len(parts) == 1:
        return parts[0][0]
    left, right = parts[: len(parts) // 2], parts[len(parts) // 2 :]
    begins = right[0][1]
    later = _joined_metadata([(rows_of, first - begins) for rows_of, first in right])
    return merged_metadata(_joined_metadata(left), later, begins)
