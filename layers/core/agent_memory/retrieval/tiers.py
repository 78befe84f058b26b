"""What finds rows by term, metadata or id: parts over consecutive runs of rows, of falling size.

Each part is at least twice as large as the next, so there are at most log2 of the rows, and a row is copied as many
times in its life.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.retrieval.metadata_rows import JoinedMetadata, bytes_held, merged_metadata
from agent_memory.retrieval.postings import Postings, merged

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.metadata_rows import MetadataRows

    Rows = NDArray[np.int32]
    Hashes = NDArray[np.uint64]


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
        return sum(
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

    def followed_by(self, ids: Hashes, postings: Postings, metadata: MetadataRows) -> Tiers:
        """With more rows behind the last; `ids` has two columns."""
        import numpy as np

        order = np.argsort(ids[:, 1], kind="stable").astype(np.int32)
        first = self.parts[-1].first + self.parts[-1].size if self.parts else 0
        parts = [*self.parts, Tier(first, len(ids), postings, metadata, ids[order, 1], order)]
        while len(parts) > 1 and parts[-2].size < 2 * parts[-1].size:
            parts[-2:] = [_joined(*parts[-2:])]
        return Tiers(tuple(parts))


def _joined(one: Tier, other: Tier) -> Tier:
    import numpy as np

    keys = np.concatenate((one.id_keys, other.id_keys))
    rows = np.concatenate((one.id_rows, other.id_rows + np.int32(one.size)))
    order = np.argsort(keys, kind="stable")
    return Tier(
        one.first,
        one.size + other.size,
        merged(one.postings, other.postings, one.size),
        merged_metadata(one.metadata, other.metadata, one.size),
        keys[order],
        rows[order],
    )
