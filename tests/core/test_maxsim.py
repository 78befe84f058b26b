"""MaxSim: the mean over a question's tokens of their best match in each text."""

from __future__ import annotations

import numpy as np
import pytest

from agent_memory.retrieval.maxsim import by_numpy, maxsim, telling_maxsim


def rows(*directions: tuple[int, ...]) -> np.ndarray:
    """Token vectors."""
    return np.array(directions, np.int8).reshape(len(directions), 2)


def test_each_token_counts_with_its_best_match() -> None:
    """A text with both tokens, one with one of them, one with their opposite, whatever their lengths."""
    query = rows((127, 0), (0, 1))
    units = [rows((0, 90), (5, 0), (-3, -3)), rows((2, 0)), rows((0, -7))]
    np.testing.assert_allclose(maxsim(query, units), [1, 0.5, -0.5], atol=1e-6)


def test_what_has_no_tokens_scores_nothing() -> None:
    """In any place of the batch; a row of zeros is near nothing."""
    empty, one = rows(), rows((1, 0))
    np.testing.assert_array_equal(maxsim(one, [empty, one, empty, rows((0, 0)), one, empty]), [0, 1, 0, 0, 1, 0])
    np.testing.assert_array_equal(maxsim(empty, [one, empty]), [0, 0])
    assert maxsim(one, []).shape == (0,)
    assert maxsim(one, [empty]).dtype == np.float32


@pytest.mark.parametrize("units", [1, 50])
def test_the_scores_are_those_of_the_definition(units: int) -> None:
    """Unit by unit, in floating point."""
    random = np.random.default_rng(7)
    query = random.integers(-127, 128, (9, 384), np.int8)
    texts = [random.integers(-127, 128, (int(random.integers(1, 40)), 384), np.int8) for _ in range(units)]
    expected = [np.mean([max(cosine(asked, said) for said in text) for asked in query]) for text in texts]
    np.testing.assert_allclose(maxsim(query, texts), expected, atol=1e-5)


def cosine(first: np.ndarray, second: np.ndarray) -> float:
    a, b = first.astype(float), second.astype(float)
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def test_what_every_text_has_tells_none_of_them() -> None:
    """The token that one text alone has decides; a token that all have as well counts for nothing."""
    query = rows((127, 0), (0, 127))
    common, rare = rows((127, 0)), rows((127, 0), (0, 127))
    np.testing.assert_allclose(maxsim(query, [common, rare, common]), [0.5, 1, 0.5], atol=1e-6)
    np.testing.assert_allclose(telling_maxsim(query, [common, rare, common]), [0, 1, 0], atol=1e-6)


def test_where_no_text_leads_there_is_nothing_to_tell() -> None:
    """One text, equal texts, no text, no tokens."""
    one = rows((127, 0))
    assert telling_maxsim(one, [one]).tolist() == [0]
    assert telling_maxsim(one, [one, one]).tolist() == [0, 0]
    assert telling_maxsim(rows(), [one]).tolist() == [0]
    assert telling_maxsim(one, []).shape == (0,)


def test_with_and_without_simsimd() -> None:
    """The same cosines, also of tokens without a direction."""
    random = np.random.default_rng(3)
    query = random.integers(-127, 128, (5, 64), np.int8)
    others = random.integers(-127, 128, (9, 64), np.int8)
    others[4] = 0
    one_by_one = [other[None] for other in others]
    np.testing.assert_allclose(by_numpy(query, others).mean(axis=0), maxsim(query, one_by_one), atol=1e-5)
