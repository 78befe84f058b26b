"""Maximal marginal relevance, against its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.retrieval.diversity import RELEVANCE, diverse_order

ROWS = st.lists(
    st.tuples(st.integers(0, 1_000), st.tuples(*[st.integers(-127, 127)] * 3)), min_size=1, max_size=12
)  # fmt: skip


def cosine(one: Any, other: Any) -> float:
    one, other = np.array(one, float), np.array(other, float)
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / lengths if lengths else 0.0


def worth(place: int, before: list[int], scores: list[float], vectors: list[Any]) -> float:
    """The formula of Carbonell and Goldstein, for the next one after those before it."""
    relevance = scores[place] / max(*scores, 1e-9)
    return RELEVANCE * relevance - (1 - RELEVANCE) * max(cosine(vectors[place], vectors[other]) for other in before)


@given(ROWS)
def test_each_next_one_is_the_best_by_the_formula(rows: list[tuple[int, Any]]) -> None:
    """All of them, each once, the best first, and at every step none that was better is left."""
    scores, vectors = [score / 1_000 for score, _ in rows], [vector for _, vector in rows]
    order = diverse_order(np.array(scores), np.array(vectors, np.int8))
    assert sorted(order) == list(range(len(rows)))
    assert scores[order[0]] == max(scores)
    for step in range(1, len(order)):
        taken, left = order[:step], order[step:]
        best = max(worth(place, taken, scores, vectors) for place in left)
        assert worth(order[step], taken, scores, vectors) == pytest.approx(best, abs=1e-5)


def test_a_near_copy_goes_behind_something_new() -> None:
    """By hand: 0.7 * 0.9 - 0.3 * 1 is less than 0.7 * 0.6."""
    vectors = np.array([[127, 0], [127, 0], [0, 127]], np.int8)
    assert diverse_order(np.array([1.0, 0.9, 0.6]), vectors) == [0, 2, 1]
    assert diverse_order(np.array([1.0, 0.9, 0.4]), vectors) == [0, 1, 2]


def test_without_vectors_the_order_stays() -> None:
    """Zeros are like nothing; of equal scores the first is first; nothing gives nothing."""
    assert diverse_order(np.array([0.9, 0.8, 0.8, 0.1]), np.zeros((4, 3), np.int8)) == [0, 1, 2, 3]
    assert diverse_order(np.zeros(2), np.zeros((2, 3), np.int8)) == [0, 1]
    assert diverse_order(np.zeros(0), np.zeros((0, 3), np.int8)) == []
