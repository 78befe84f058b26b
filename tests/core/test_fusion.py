"""One score from two arms, and the order that follows from it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from agent_memory.retrieval.arms import Words
from agent_memory.retrieval.fusion import (
    LEXICAL_WEIGHT,
    best_rows,
    first_look,
    fuse,
    lexical_weight,
    with_session_affinity,
)

UNIT = st.floats(0, 1, width=32)


def test_both_arms_are_averaged_by_weight():
    """Where both speak the weights add up to one."""
    fused = fuse(np.array([1.0, 0.0]), np.array([0.0, 1.0]), 0.4)
    assert fused.tolist() == [0.4, 0.6]


def test_a_silent_arm_does_not_lower_the_other():
    """An arm that says nothing on the query leaves the other's scores as they are; two of them leave none."""
    scores = np.array([0.2, 0.9])
    assert fuse(None, scores, 0.4).tolist() == scores.tolist()
    assert fuse(scores, None, 0.4).tolist() == scores.tolist()
    assert fuse(None, None, 0.4) is None


def test_a_unit_without_vector_counts_by_its_words():
    """NaN is no similarity of zero; with no words either the unit scores zero."""
    assert fuse(np.array([0.5]), np.array([np.nan]), 0.4).tolist() == [0.5]
    assert fuse(None, np.array([np.nan, 0.3]), 0.4).tolist() == [0.0, 0.3]


@given(arrays(np.float64, 5, elements=UNIT), arrays(np.float64, 5, elements=UNIT), UNIT)
def test_scores_stay_between_the_arms(lexical, similarity, exactness):
    """A fused score never leaves the range of its parts, hence never 0 to 1."""
    fused = fuse(lexical, similarity, lexical_weight(exactness))
    assert (fused <= np.maximum(lexical, similarity) + 1e-6).all()
    assert (fused >= np.minimum(lexical, similarity) - 1e-6).all()


def said(coverage, exactness=0.0):
    return Words(np.array(coverage, np.float32), (), 1.0, exactness, 1.0)


@given(arrays(np.float32, 4, elements=UNIT), arrays(np.float32, 4, elements=st.floats(-1, 1, width=32)), UNIT)
def test_the_first_look_is_the_fused_score_of_all_rows(coverage, near, exactness):
    """To single precision; a cosine below 0 counts as 0, and the arms are left as they are."""
    before = near.copy()
    look = first_look(said(coverage, exactness), near, 4)
    expected = fuse(coverage.astype(float), np.maximum(near, 0).astype(float), lexical_weight(exactness))
    assert look.dtype == np.float32
    assert np.allclose(look, expected, atol=3e-6)
    assert (near == before).all()


def test_the_first_look_with_one_arm_or_none():
    """Words alone, cosines alone, nothing."""
    assert first_look(said([0.5, 0.25]), None, 2).tolist() == [0.5, 0.25]
    assert first_look(None, np.array([0.5, -0.5], np.float32), 2).tolist() == [0.5, -0.5]
    assert first_look(None, None, 3).tolist() == [0, 0, 0]


def test_identifiers_give_the_word_arm_the_say():
    """From the usual weight up to all of it as the query becomes an identifier."""
    assert lexical_weight(0) == LEXICAL_WEIGHT
    assert LEXICAL_WEIGHT < lexical_weight(0.2) < lexical_weight(0.5) < lexical_weight(1)
    assert lexical_weight(1) == 1


@given(arrays(np.float64, 6, elements=UNIT))
def test_session_affinity_is_soft(score):
    """The same session lifts a score by at most a tenth of it, never above 1, and keeps the order among its own."""
    lifted = with_session_affinity(score, np.ones(6, bool))
    assert (lifted >= score - 1e-6).all()
    assert (lifted <= np.minimum(1, score * 1.1) + 1e-6).all()
    order = np.argsort(score)
    assert (np.diff(lifted[order]) >= -1e-6).all()


def test_other_sessions_are_untouched():
    """Without affinity ranking and score are the same."""
    assert with_session_affinity(np.array([0.5, 0.5]), np.array([True, False])).tolist() == [0.525, 0.5]


def chosen(ranking, created=None, groups=None, names="abcdefgh", top_k=10):
    size = len(ranking)
    created = np.zeros(size, np.int64) if created is None else np.array(created)
    groups = np.arange(size, dtype=np.uint64) if groups is None else np.array(groups, np.uint64)
    return best_rows(np.array(ranking, float), created, groups, names.__getitem__, top_k)


def test_order_of_ties():
    """Equal scores: the newer first, then by name."""
    assert chosen([0.5, 0.9, 0.5, 0.5], created=[1, 0, 2, 1], names="daca") == [1, 2, 3, 0]


def test_one_place_per_group_and_still_enough():
    """Copies fall to their best place, and the search goes on until enough different ones are found."""
    assert chosen([0.9] * 50 + [0.1, 0.2], groups=[7] * 50 + [8, 9], names="x" * 52, top_k=3) == [0, 51, 50]


def test_fewer_rows_than_asked_for():
    """What is there is given; nothing of nothing."""
    assert chosen([0.1, 0.2]) == [1, 0]
    assert chosen([]) == []
    assert chosen([0.1], top_k=0) == []


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 9)), max_size=40), st.integers(0, 12)
)  # fmt: skip
def test_selection_equals_a_full_sort(rows, top_k):
    """Taking only the upper part of the scores changes nothing."""
    names = [f"{place:02d}" for place in range(len(rows))]
    order = sorted(range(len(rows)), key=lambda place: (-rows[place][0], -rows[place][1], names[place]))
    expected: dict[int, int] = {}
    for place in order:
        expected.setdefault(rows[place][2], place)
    found = chosen(*([list(column) for column in zip(*rows, strict=True)] or [[], [], []]), names, top_k)
    assert found == list(expected.values())[:top_k]
