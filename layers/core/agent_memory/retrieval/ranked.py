"""Ranked candidates: what passes the thresholds, one page of it, and its hits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.retrieval.diversity import diverse_order
from agent_memory.retrieval.filters import scope_mask
from agent_memory.retrieval.fusion import Ranking, with_session_affinity
from agent_memory.retrieval.hits import Hit, SearchQuery
from agent_memory.retrieval.keyset import Order, page

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.rows import Rows

    Numbers = NDArray[np.int64]
    Scores = NDArray[np.float64]

SHOWN_DIGITS = 6  # a threshold taken from an answer must let the same answer pass


@dataclass(frozen=True, slots=True)
class Ranked:
    """Candidates with their scores, entry by entry; `similarity` is NaN without a vector, `parts` explains an entry."""

    rows: Numbers
    score: Scores
    similarity: Scores | None
    lexical: Scores | None
    parts: Callable[[int], Mapping[str, float]]

    def kept(self, keep: NDArray[np.bool_]) -> Ranked:
        """Those of the mask."""
        import numpy as np

        places = np.flatnonzero(keep)
        return Ranked(
            self.rows[places],
            self.score[places],
            None if self.similarity is None else self.similarity[places],
            None if self.lexical is None else self.lexical[places],
            lambda entry: self.parts(int(places[entry])),
        )


def passing(found: Ranked, query: SearchQuery) -> Ranked:
    """Those that reach the thresholds; without a vector nothing has a similarity."""
    import numpy as np

    keep = found.score >= query.min_score
    if query.min_similarity > 0:
        similarity = found.similarity if found.similarity is not None else np.full(len(keep), np.nan)
        keep &= np.nan_to_num(similarity, nan=-1.0) >= query.min_similarity
    return found.kept(keep)


def page_of(rows: Rows, found: Ranked, query: SearchQuery) -> list[tuple[int, Hit]]:
    """The row and the hit of each entry of the page; of those that say the same, in whatever scopes, the best alone."""
    same = _same_session(rows, query)
    order = Order(
        score=found.score if same is None else with_session_affinity(found.score, same[found.rows]),
        created_ms=rows.created_ms[found.rows],
        groups=rows.groups[found.rows],
        name=lambda entry: rows.id_of(int(found.rows[entry])),
    )
    entries = page(order, query.after, query.top_k)
    chosen = found.rows[entries].tolist()
    columns = zip(
        entries,
        chosen,
        found.score[entries].tolist(),
        shown(found.similarity, entries),
        shown(found.lexical, entries),
        order.created_ms[entries].tolist(),
        strict=True,
    )
    return [
        (
            row,
            Hit(
                id=rows.id_of(row),
                score=score,
                similarity=similarity,
                lexical=lexical,
                created_ms=created_ms,
                ranking=None if same is None else Ranking(float(order.score[entry]), bool(same[row])),
                parts=found.parts(entry) if query.explain else {},
            ),
        )
        for entry, row, score, similarity, lexical, created_ms in columns
    ]


def spread(rows: Rows, hits: list[tuple[int, Hit]], top_k: int) -> list[Hit]:
    """The hits in diverse order; one at place `top_k` stays last, since pages go on from it."""
    import numpy as np

    free, last = hits[: top_k - 1], hits[top_k - 1 :]
    scores = np.array([hit.place.score for _, hit in free])
    order = diverse_order(scores, rows.vectors[[row for row, _ in free]])
    return [free[place][1] for place in order] + [hit for _, hit in last]


def _same_session(rows: Rows, query: SearchQuery) -> NDArray[np.bool_] | None:
    if query.context is None:
        return None
    agent, run = query.context
    return scope_mask(rows.scopes, rows.scope_codes, agent, run)


def shown(scores: Scores | None, entries: Sequence[int]) -> list[float | None]:
    """The scores of the entries as answers show them; None where there is none."""
    if scores is None:
        return [None] * len(entries)
    return [None if score != score else round(score, SHOWN_DIGITS) for score in scores[entries].tolist()]  # noqa: PLR0124 - NaN
