"""Vectors as they lie in a record, with and without those of tokens."""

from __future__ import annotations

import numpy as np
import pytest

from agent_memory.packed_vectors import (
    MOST_TOKENS,
    Tokens,
    pack_vector,
    unpack_tokens,
    unpack_vector,
    without_tokens,
)
from agent_memory.retrieval.token_rank import token_scores

ROW = np.array([0.5, -0.25, 0.125, 1.0], np.float32)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_both_come_back(count: int) -> None:
    """The vector is the same with tokens behind it, and they are what was stored."""
    tokens = np.arange(count * 4, dtype=np.int8).reshape(count, 4)
    packed = pack_vector(ROW, Tokens("m", tokens))
    vector, found = unpack_vector(packed), unpack_tokens(packed, "m")
    assert vector is not None
    assert vector.tolist() == ROW.tolist()
    assert found is not None
    assert found.tolist() == tokens.tolist()
    assert without_tokens(packed) == pack_vector(ROW)


def test_a_vector_alone_has_no_tokens() -> None:
    """Nor has an empty record; no tokens are as none."""
    assert unpack_tokens(pack_vector(ROW), "m") is None
    assert unpack_tokens(b"", "m") is None
    assert unpack_vector(b"") is None
    assert pack_vector(ROW, Tokens("m", np.zeros((0, 4), np.int8))) == pack_vector(ROW)


def test_a_long_text_keeps_its_first_tokens() -> None:
    """So that a record stays below its limit."""
    found = unpack_tokens(pack_vector(ROW, Tokens("m", np.ones((MOST_TOKENS + 9, 64), np.int8))), "m")
    assert found is not None
    assert found.shape == (MOST_TOKENS, 64)


def test_tokens_move_scores_and_stay_within_bounds() -> None:
    """The nearer ones rise, others fall, one without tokens stays; 0 and 1 are never passed."""
    question = np.array([[127, 0], [0, 127]], np.int8)
    near, far = np.array([[127, 0], [0, 127]], np.int8), np.array([[-127, 0]], np.int8)
    moved = token_scores([0.5, 0.5, 0.5], question, [near, far, None])
    assert moved[0] > 0.5 > moved[1]
    assert moved[2] == 0.5
    assert all(0 <= score <= 1 for score in token_scores([0.0, 1.0], question, [near, far], 20.0))


def test_tokens_of_another_model_change_nothing() -> None:
    """Other dimensions can't be compared, nor can equal ones of another model."""
    question = np.array([[127, 0]], np.int8)
    assert token_scores([0.3, 0.2], question, [np.ones((2, 4), np.int8), None]) == [0.3, 0.2]
    packed = pack_vector(ROW, Tokens("old", np.ones((2, 2), np.int8)))
    assert unpack_tokens(packed, "new") is None
    assert unpack_tokens(packed, "old") is not None
    assert token_scores([0.3], np.zeros((0, 2), np.int8), [np.ones((2, 2), np.int8)]) == [0.3]
