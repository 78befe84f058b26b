"""A question to a tenant's memories: filters first, then what words and vectors say, then one order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.retrieval.arms import dense_arm, lexical_arm
from agent_memory.retrieval.filters import EVERYTHING, Selection, scope_mask, selected
from agent_memory.retrieval.fusion import Ranking, fuse, lexical_weight, with_session_affinity
from agent_memory.retrieval.keyset import Order, Place, page, row_names

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.segment import Segment


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A question to the selected units of a tenant. `vector` is of the index's model or None.

    `context` is the (agent, run) whose memories are lifted a little; `after` the place of the last hit of the page
    before.
    """

    text: str
    vector: NDArray[np.float32] | None = None
    selection: Selection = EVERYTHING
    top_k: int = 10
    min_score: float = 0.0
    min_similarity: float = 0.0
    context: tuple[str, str] | None = None
    after: Place | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A found unit. All scores lie in 0 to 1; `similarity` and `lexical` are None where that arm says nothing of it.

    Hits are in the order of `score`, or with a context in that of `ranking.score`.
    """

    id: str
    score: float
    similarity: float | None
    lexical: float | None
    created_ms: int
    ranking: Ranking | None = None

    @property
    def place(self) -> Place:
        """Where the hit stands in the order of its search."""
        return Place(self.score if self.ranking is None else self.ranking.score, self.created_ms, self.id)


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Rows (numbered over all segments) that passed filters and thresholds, with their scores, entry by entry."""

    rows: NDArray[np.int64]
    score: NDArray[np.float64]
    similarity: NDArray[np.float64] | None
    lexical: NDArray[np.float64] | None


def rank_rows(segments: Sequence[Segment], query: SearchQuery) -> list[Hit]:
    """At most `top_k` units that pass the filters and thresholds, best first, no two saying the same in one scope.

    Equal scores: the newer first, then by id.
    """
    candidates = _candidates(segments, query)
    return _ranked(segments, candidates, query) if candidates else []


def _candidates(segments: Sequence[Segment], query: SearchQuery) -> _Candidates | None:
    import numpy as np

    rows = np.flatnonzero(np.concatenate([selected(segment, query.selection) for segment in segments]))
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


def _ranked(segments: Sequence[Segment], found: _Candidates, query: SearchQuery) -> list[Hit]:
    import numpy as np

    name_of = row_names(segments)
    same = _same_session(segments, query)
    order = Order(
        score=found.score if same is None else with_session_affinity(found.score, same[found.rows]),
        created_ms=np.concatenate([segment.created_ms for segment in segments])[found.rows],
        groups=np.concatenate([segment.groups for segment in segments])[found.rows],
        name=lambda entry: name_of(int(found.rows[entry])),
    )
    return [
        Hit(
            id=order.name(entry),
            score=float(found.score[entry]),
            similarity=_value(found.similarity, entry),
            lexical=_value(found.lexical, entry),
            created_ms=int(order.created_ms[entry]),
            ranking=None if same is None else Ranking(float(order.score[entry]), bool(same[found.rows[entry]])),
        )
        for entry in page(order, query.after, query.top_k)
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
