"""Texts in parts and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.adapters.embedding_parts import parts_of, pooled, split

WORDS = st.text(alphabet=st.sampled_from("ab ,.。！虾é🎉\n"), max_size=200)


@given(WORDS, st.integers(4, 40))
def test_parts_are_the_text_again_and_fit(text: str, size: int) -> None:
    """Nothing is lost, doubled or too long."""
    parts = split(text, size)
    assert "".join(parts) == text
    assert max(len(part.encode()) for part in parts) <= size


def test_cuts_fall_where_a_sentence_or_word_ends() -> None:
    """Chinese sentence ends count as well."""
    assert split("我对虾过敏。每周三晚上学游泳！", 27) == ["我对虾过敏。", "每周三晚上学游泳！"]
    assert split("one two three four", 9) == ["one two ", "three ", "four"]


def test_pooling_weighs_the_parts() -> None:
    """A long part counts more than a short one, and every row has norm 1."""
    vectors = np.array([[1, 0], [0, 1], [0, 2]], np.float32)
    found = pooled(vectors, owners=[0, 0, 1], weights=[3, 4, 7], count=2)
    np.testing.assert_allclose(found, [[0.6, 0.8], [0, 1]], atol=1e-6)


@pytest.mark.parametrize("text", ["", "  \n\t"])
def test_a_blank_text_is_sent_as_something(text: str) -> None:
    """Services refuse empty input, and the row must stay in its place."""
    parts = parts_of(["虾", text], 100)
    assert (parts.texts, parts.owners, parts.count) == (("虾", "."), (0, 1), 2)
