"""What the vectors say of memories, of the turns around them, and of their sessions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.retrieval.neighbourhood import neighbourhood
from agent_memory.retrieval.vector_features import session_best, vector_features, without_speaker
from tests.core.little_index import NOW, numbers, rows_of, talk, unit, vector


def test_means_over_windows_of_turns() -> None:
    """Over the turns that are there, the memory among them; one without a vector counts as 0."""
    rows = rows_of(talk("0", "1", "2", "3"))
    near = np.zeros(rows.size, np.float32)
    near[numbers(rows, "abcd")] = [0.8, 0.4, 0.0, -0.2]
    features = vector_features(near, neighbourhood(rows, numbers(rows, "abcd"), NOW))
    expected = {
        "near": [0.8, 0.4, 0.0, -0.2],
        "near_before": [0.8, 0.6, 0.2, -0.1],
        "near_1": [0.6, 0.4, 0.2 / 3, -0.1],
        "near_2": [0.4, 0.25, 0.25, 0.2 / 3],
    }
    assert set(features) == set(expected)
    for name, values in expected.items():
        assert features[name] == pytest.approx(values, abs=1e-6)


def speakers() -> Any:
    """Two who differ in the third component: what Anna says, and what Bob says."""
    return rows_of(
        [
            unit("a", "x", vector(1, 0, 1), speaker="Anna"),
            unit("b", "x", vector(0, 1, 1), speaker="Anna"),
            unit("c", "x", vector(1, 0, 0), speaker="Bob"),
            unit("d", "x", vector(0, 1, 0), speaker="Bob"),
        ]
    )


def test_the_direction_of_a_speaker_is_taken_out() -> None:
    """A question that consists of it and of a matter is left with the matter."""
    rows = speakers()
    candidates = numbers(rows, "abcd")
    by_anna = np.array([True, True, False, False])
    found = without_speaker(rows, candidates, vector(0.2, 0, 1), by_anna)
    assert found is not None
    assert found.dtype == np.float64
    half = 0.5**0.5
    assert found == pytest.approx([half, 0, 1, 0], abs=0.02)


def test_without_two_sides_there_is_no_direction() -> None:
    """All by one, none by one, or both sides alike."""
    rows = speakers()
    question = vector(1, 0, 0)
    for mask in ([True] * 4, [False] * 4):
        assert without_speaker(rows, numbers(rows, "abcd"), question, np.array(mask)) is None
    alike = rows_of([unit("a", "x", vector(1, 0, 0)), unit("b", "y", vector(2, 0, 0))])
    assert without_speaker(alike, numbers(alike, "ab"), question, np.array([True, False])) is None


def test_the_order_of_the_rows_changes_no_digit() -> None:
    """The direction is made of sums of whole numbers."""
    random = np.random.default_rng(5)
    units = [unit(f"{place:03}", "x", random.standard_normal(48).astype(np.float32)) for place in range(300)]
    rows = rows_of(units, dim=48)
    mask = random.random(300) < 0.4
    question = random.standard_normal(48).astype(np.float32)
    order = random.permutation(300)
    plain = without_speaker(rows, np.arange(300), question, mask)
    mixed = without_speaker(rows, order, question, mask[order])
    assert plain is not None
    assert mixed is not None
    assert mixed.tolist() == plain[order].tolist()


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(-1, 1)), max_size=20))
def test_the_best_of_each_session(entries: list[tuple[int, float]]) -> None:
    """As by looking through all of them."""
    codes = np.array([code for code, _ in entries], np.int32)
    values = np.array([value for _, value in entries], np.float64)
    expected = [max(value for other, value in entries if other == code) for code, _ in entries]
    assert session_best(codes, values).tolist() == expected
