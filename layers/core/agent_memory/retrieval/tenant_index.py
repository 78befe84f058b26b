"""The memories of one tenant in memory: kept up to date entry by entry, searched by words and vectors.

The index is a row of segments that never change; a change makes new ones and puts them in place by one assignment. So
searches need no lock and see one state from start to end; calls of `apply` are the caller's to keep apart.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from agent_memory.retrieval.arms import dense_arm, lexical_arm
from agent_memory.retrieval.filters import metadata_mask, scope_mask
from agent_memory.retrieval.fusion import Ranking, best_rows, fuse, lexical_weight, with_session_affinity
from agent_memory.retrieval.segment import IndexedUnit, Segment, build_segment, tidied
from agent_memory.scopes import ANY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.scope_filter import ScopeFilter

__all__ = ["Hit", "IndexedUnit", "SearchQuery", "TenantIndex"]


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A question to one tenant. `agent` and `run` may be `*`; `metadata` must be equal key by key.

    `context` is the (agent, run) whose memories are lifted a little; `vector` is of the index's model or None. What
    expired by `now_ms` is not found.
    """

    text: str
    vector: NDArray[np.float32] | None = None
    agent: str = ANY
    run: str = ANY
    scope_filter: ScopeFilter | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    top_k: int = 10
    min_score: float = 0.0
    min_similarity: float = 0.0
    context: tuple[str, str] | None = None
    now_ms: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """A found unit. All scores lie in 0 to 1; `similarity` and `lexical` are None where that arm says nothing of it.

    Hits are in the order of `score`, or with a context in that of `ranking.score`.
    """

    id: str
    score: float
    similarity: float | None
    lexical: float | None
    ranking: Ranking | None = None


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
        if not segments or query.top_k <= 0:
            return []
        candidates = _candidates(segments, query)
        return _ranked(segments, candidates, query) if candidates else []


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Rows (numbered over all segments) that passed filters and thresholds, with their scores, place by place."""

    rows: NDArray[np.int64]
    score: NDArray[np.float64]
    similarity: NDArray[np.float64] | None
    lexical: NDArray[np.float64] | None


def _candidates(segments: Sequence[Segment], query: SearchQuery) -> _Candidates | None:
    import numpy as np

    rows = np.flatnonzero(np.concatenate([_allowed(segment, query) for segment in segments]))
    words, vectors = lexical_arm(segments, query.text), dense_arm(segments, query.vector)
    lexical = words.coverage[rows] if words else None
    if lexical is not None and not lexical.any():
        lexical = None
    similarity = None if vectors is None else vectors[rows]
    score = fuse(lexical, similarity, lexical_weight(words.exactness if words else 0))
    if score is None:
        return None
    keep = (score > 0) & (score >= query.min_score)
    if query.min_similarity > 0:
        keep &= False if similarity is None else similarity >= query.min_similarity
    return _Candidates(
        rows[keep],
        score[keep],
        None if similarity is None else similarity[keep],
        None if lexical is None else lexical[keep],
    )


def _allowed(segment: Segment, query: SearchQuery) -> NDArray[np.bool_]:
    inside = scope_mask(segment.scopes, segment.scope_codes, query.agent, query.run, query.scope_filter)
    current = segment.alive & (segment.expires_ms > query.now_ms)
    return current & inside & metadata_mask(segment.pairs, query.metadata, len(segment.ids))


def _ranked(segments: Sequence[Segment], found: _Candidates, query: SearchQuery) -> list[Hit]:
    import numpy as np

    starts = [0, *accumulate(len(segment.ids) for segment in segments)]

    def name(place: int) -> str:
        row = int(found.rows[place])
        at = bisect_right(starts, row) - 1
        return segments[at].ids[row - starts[at]]

    created = np.concatenate([segment.created_ms for segment in segments])[found.rows]
    groups = np.concatenate([segment.groups for segment in segments])[found.rows]
    same = _same_session(segments, query)
    order = found.score if same is None else with_session_affinity(found.score, same[found.rows])
    return [
        Hit(
            id=name(place),
            score=float(found.score[place]),
            similarity=_value(found.similarity, place),
            lexical=_value(found.lexical, place),
            ranking=None if same is None else Ranking(float(order[place]), bool(same[found.rows[place]])),
        )
        for place in best_rows(order, created, groups, name, query.top_k)
    ]


def _same_session(segments: Sequence[Segment], query: SearchQuery) -> NDArray[np.bool_] | None:
    import numpy as np

    if query.context is None:
        return None
    agent, run = query.context
    return np.concatenate([scope_mask(segment.scopes, segment.scope_codes, agent, run) for segment in segments])


def _value(scores: NDArray[np.float64] | None, place: int) -> float | None:
    import numpy as np

    if scores is None or np.isnan(scores[place]):
        return None
    return round(float(scores[place]), 6)
