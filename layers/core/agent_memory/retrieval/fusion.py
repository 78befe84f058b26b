"""From the arms' scores to one score and one order. Pure arithmetic over arrays that stand row by row.

Scores are absolute, not rescaled per query: 1 means that a unit says all that was asked, so thresholds keep
their sense.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.arms import Words

    Scores = NDArray[np.float64]

LEXICAL_WEIGHT = 0.4  # recall is level from 0.35 to 0.45, in English and Chinese alike
SESSION_WEIGHT = 0.1
_DIGITS = 6  # of a score that count: below that, two ways of adding up the same numbers differ


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a search with a context did to a hit: its place follows `score`, which the same session lifts."""

    score: float
    same_session: bool
    session_weight: float = SESSION_WEIGHT


def lexical_weight(exactness: float) -> float:
    """Weight of the lexical arm beside the dense one, given the share of identifiers in what the query asks for.

    A query of nothing but identifiers is decided by the words alone: an embedding knows nothing of order numbers. The
    root is taken because one identifier among several words still says which thing is meant.
    """
    return float(LEXICAL_WEIGHT + (1 - LEXICAL_WEIGHT) * exactness**0.5)


def fuse(lexical: Scores | None, similarity: Scores | None, weight: float) -> Scores | None:
    """The weighted mean of the arms that speak; None where neither does.

    An arm is None when it says nothing on this query, and `similarity` is NaN for a unit without a vector: then the
    other arm counts alone.
    """
    import numpy as np

    if lexical is None or similarity is None:
        alone = similarity if lexical is None else lexical
        return None if alone is None else _rounded(np.nan_to_num(alone))
    both = weight * lexical + (1 - weight) * similarity
    return _rounded(np.where(np.isnan(similarity), lexical, both))


def first_look(words: Words | None, near: NDArray[np.float32] | None, size: int) -> NDArray[np.float32]:
    """The same over all rows of an index, in single precision: good enough to pick candidates by."""
    import numpy as np

    if words is None or near is None:
        alone = near if words is None else words.coverage
        return np.zeros(size, np.float32) if alone is None else alone
    weight = np.float32(lexical_weight(words.exactness))
    look = np.maximum(near, 0)
    look *= 1 - weight
    look += weight * words.coverage
    return look


def with_session_affinity(score: Scores, same_session: NDArray[np.bool_]) -> Scores:
    """Scores for ranking: the same session lifts a middling score most, 0 and 1 not at all, and none above 1."""
    return _rounded(score + SESSION_WEIGHT * score * (1 - score) * same_session)


def best_rows(
    ranking: Scores, created: NDArray[np.int64], groups: NDArray[np.uint64], name: Callable[[int], str], top_k: int
) -> list[int]:
    """The best `top_k` places, best first, ties to the newer and then by name; one place per group."""
    import numpy as np

    size, top_k = len(ranking), min(top_k, len(ranking))
    if top_k == 0:
        return []
    wide = 2 * top_k
    while True:
        wide = min(wide, size)
        bound = np.partition(ranking, size - wide)[size - wide]
        places = _in_order(np.flatnonzero(ranking >= bound), ranking, created, name)
        best_of_group: dict[int, int] = {}
        for group, place in zip(groups[places].tolist(), places, strict=True):
            best_of_group.setdefault(group, place)
        if len(best_of_group) >= top_k or wide == size:
            return list(best_of_group.values())[:top_k]
        wide *= 4


def _in_order(
    places: NDArray[np.int64], ranking: Scores, created: NDArray[np.int64], name: Callable[[int], str]
) -> list[int]:
    """By ranking, then the newer; names are made for ties only."""
    import numpy as np

    ordered = places[np.lexsort((-created[places], -ranking[places]))]
    same = (np.diff(ranking[ordered]) == 0) & (np.diff(created[ordered]) == 0)
    found: list[int] = ordered.tolist()
    for start, end in _runs(same.tolist()):
        found[start:end] = sorted(found[start:end], key=name)
    return found


def _runs(same: list[bool]) -> Iterator[tuple[int, int]]:
    """Start and end of each run of entries of which each is the same as the next."""
    start = None
    for place, equal in enumerate([*same, False]):
        if equal and start is None:
            start = place
        elif not equal and start is not None:
            yield start, place + 1
            start = None


def _rounded(scores: Scores) -> Scores:
    import numpy as np

    return np.asarray(np.round(scores, _DIGITS), np.float64)
