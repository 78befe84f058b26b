"""The memories of one tenant in memory: kept up to date entry by entry, searched by words and vectors, listed.

The index is a row of segments that never change; a change makes new ones and puts them in place by one assignment. So
searches need no lock and see one state from start to end; calls of `apply` are the caller's to keep apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent_memory.retrieval.listing import Listed, list_rows
from agent_memory.retrieval.ranking import Hit, SearchQuery, rank_rows
from agent_memory.retrieval.segment import IndexedUnit, Segment, build_segment, tidied

if TYPE_CHECKING:
    from agent_memory.retrieval.filters import Selection

__all__ = ["Hit", "IndexedUnit", "Listed", "SearchQuery", "TenantIndex"]


class TenantIndex:
    """`seq` is the last entry of the change log that went in; the caller sets it. Vectors are of `model` and `dim`."""

    def __init__(self, model: str, dim: int) -> None:
        self.model = model
        self.dim = dim
        self.seq = 0
        self._segments: tuple[Segment, ...] = ()

    def __len__(self) -> int:
        """Number of units that a search may find."""
        return sum(segment.live for segment in self._segments)

    @property
    def size_bytes(self) -> int:
        """Memory held, estimated."""
        return sum(segment.nbytes for segment in self._segments)

    def apply(self, puts: Sequence[IndexedUnit], deletes: Sequence[str]) -> None:
        """Take out `deletes`, then put in `puts` (the last of an id counts); a retired unit is taken out.

        Not to be called twice at once. Searches that began before see none of it, later ones all.
        """
        newest = {unit.id: unit for unit in puts}
        gone = frozenset(deletes) | newest.keys()
        segments = [segment.without(gone) for segment in self._segments]
        arriving = [unit for unit in newest.values() if not unit.retired]
        if arriving:
            segments.append(build_segment(arriving, self.model, self.dim))
        self._segments = tidied(segments)

    def search(self, query: SearchQuery) -> list[Hit]:
        """At most `top_k` units that pass the filters and thresholds, best first, no two saying the same in one scope.

        Equal scores: the newer first, then by id.
        """
        segments = self._segments
        return rank_rows(segments, query) if segments and query.top_k > 0 else []

    def listing(self, selection: Selection, after: Listed | None, limit: int) -> list[Listed]:
        """At most `limit` of the selected units behind `after`, newest first, ties by id; equal texts are all there."""
        segments = self._segments
        return list_rows(segments, selection, after, limit) if segments and limit > 0 else []
