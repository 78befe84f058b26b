"""A part of a tenant's index: columns over its rows and the postings of their texts. It never changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agent_memory.retrieval.metadata_rows import bytes_held, merged_metadata_rows, metadata_rows
from agent_memory.retrieval.postings import Postings, build_postings, merge_postings, term_hash
from agent_memory.retrieval.tokenizer import tokens
from agent_memory.text import normalised

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.metadata_rows import MetadataRows

    Mask = NDArray[np.bool_]
    Rows = NDArray[np.int32]

Levels = tuple[str, str, str, str]
NEVER = 2**62  # milliseconds, for what has no end
_BYTES_PER_ID = 200  # a text of 32 characters, its place in a tuple, its entry in a dict


@dataclass(frozen=True, slots=True)
class IndexedUnit:
    """What the index keeps of a memory unit. `scope` holds app, tenant, agent and run; `vector` one float32 row."""

    id: str
    scope: Levels
    search_text: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    vector: NDArray[np.float32] | None = None
    embedding_model: str | None = None
    created_ms: int = 0
    expires_ms: int | None = None
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """Rows by column. `alive` is False for rows that were deleted or replaced since.

    `vectors` is (rows, dim) of norm 1, zeros where `has_vector` is False; `groups` is equal for rows of one scope and
    one normalised text; `metadata` gives the rows of each metadata key and value.
    """

    ids: tuple[str, ...]
    row_of: Mapping[str, int]
    scopes: tuple[Levels, ...]
    scope_codes: Rows
    metadata: MetadataRows
    metadata_bytes: int
    vectors: NDArray[np.float32]
    has_vector: Mask
    created_ms: NDArray[np.int64]
    expires_ms: NDArray[np.int64]
    groups: NDArray[np.uint64]
    postings: Postings
    alive: Mask

    @property
    def live(self) -> int:
        """Number of rows that are alive."""
        return int(self.alive.sum())

    @property
    def nbytes(self) -> int:
        """Memory held, the Python objects estimated."""
        arrays = (
            self.scope_codes,
            self.vectors,
            self.has_vector,
            self.created_ms,
            self.expires_ms,
            self.groups,
            self.alive,
        )
        texts = _BYTES_PER_ID * (len(self.ids) + 2 * len(self.scopes))
        return sum(array.nbytes for array in arrays) + self.postings.nbytes + self.metadata_bytes + texts

    def without(self, ids: frozenset[str]) -> Segment:
        """The segment with the rows of those ids dead; the same object where it holds none of them."""
        rows = [self.row_of[unit_id] for unit_id in ids if unit_id in self.row_of]
        if not rows:
            return self
        alive = self.alive.copy()
        alive[rows] = False
        return replace(self, alive=alive)


def build_segment(units: Sequence[IndexedUnit], model: str, dim: int) -> Segment:
    """A segment of units with distinct ids. A vector of another model or shape, or without a direction, is left out."""
    import numpy as np

    codes: dict[Levels, int] = {}
    for unit in units:
        codes.setdefault(unit.scope, len(codes))
    vectors = _directions(units, model, dim)
    metadata = metadata_rows(unit.metadata for unit in units)
    return Segment(
        ids=tuple(unit.id for unit in units),
        row_of={unit.id: row for row, unit in enumerate(units)},
        scopes=tuple(codes),
        scope_codes=np.array([codes[unit.scope] for unit in units], np.int32),
        metadata=metadata,
        metadata_bytes=bytes_held(metadata),
        vectors=vectors,
        has_vector=np.asarray(vectors.any(axis=1)),
        created_ms=np.array([unit.created_ms for unit in units], np.int64),
        expires_ms=np.array([NEVER if unit.expires_ms is None else unit.expires_ms for unit in units], np.int64),
        groups=np.array([_group(unit) for unit in units], np.uint64),
        postings=build_postings([tokens(unit.search_text) for unit in units]),
        alive=np.ones(len(units), np.bool_),
    )


def merge_segments(segments: Sequence[Segment]) -> Segment:
    """One segment of the live rows of all, in order."""
    import numpy as np

    keeps = [segment.alive for segment in segments]
    ids = tuple(segment.ids[row] for segment in segments for row in np.flatnonzero(segment.alive))
    scopes, codes = _merged_scopes(segments)
    metadata = merged_metadata_rows([(segment.metadata, segment.alive) for segment in segments])
    return Segment(
        ids=ids,
        row_of={unit_id: row for row, unit_id in enumerate(ids)},
        scopes=scopes,
        scope_codes=codes,
        metadata=metadata,
        metadata_bytes=bytes_held(metadata),
        vectors=np.concatenate([segment.vectors[segment.alive] for segment in segments]),
        has_vector=np.concatenate([segment.has_vector[segment.alive] for segment in segments]),
        created_ms=np.concatenate([segment.created_ms[segment.alive] for segment in segments]),
        expires_ms=np.concatenate([segment.expires_ms[segment.alive] for segment in segments]),
        groups=np.concatenate([segment.groups[segment.alive] for segment in segments]),
        postings=merge_postings([(segment.postings, keep) for segment, keep in zip(segments, keeps, strict=True)]),
        alive=np.ones(len(ids), np.bool_),
    )


def tidied(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Segments of falling size, each at least twice the next, none with more dead rows than live ones.

    So there are at most log2 of the rows, and a row is copied as many times in its life.
    """
    tidy: list[Segment] = []
    for segment in segments:
        live = segment.live
        if live:
            tidy.append(segment if live * 2 >= len(segment.ids) else merge_segments([segment]))
        while len(tidy) > 1 and len(tidy[-2].ids) < 2 * len(tidy[-1].ids):
            tidy[-2:] = [merge_segments(tidy[-2:])]
    return tuple(tidy)


def _directions(units: Sequence[IndexedUnit], model: str, dim: int) -> NDArray[np.float32]:
    """Rows of norm 1, or of zeros where a unit has no usable vector of the model."""
    import numpy as np

    rows = np.zeros((len(units), dim), np.float32)
    for row, unit in enumerate(units):
        if unit.vector is not None and unit.embedding_model == model and np.size(unit.vector) == dim:
            vector = np.asarray(unit.vector, np.float64).ravel()
            norm = float(np.linalg.norm(vector))
            if np.isfinite(norm) and norm > 0:
                rows[row] = vector / norm
    return rows


def _group(unit: IndexedUnit) -> int:
    return term_hash("\0".join((*unit.scope, normalised(unit.search_text))))


def _merged_scopes(segments: Sequence[Segment]) -> tuple[tuple[Levels, ...], Rows]:
    import numpy as np

    codes: dict[Levels, int] = {}
    columns = []
    for segment in segments:
        kept = segment.scope_codes[segment.alive]
        recoded = np.zeros(len(segment.scopes), np.int32)
        for code in np.unique(kept):
            recoded[code] = codes.setdefault(segment.scopes[code], len(codes))
        columns.append(recoded[kept])
    return tuple(codes), np.concatenate(columns)
