"""What the words and the vectors of a question say of every row, computed by hand."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.retrieval.arms import match_vector, match_words
from agent_memory.retrieval.postings import K1, B
from agent_memory.retrieval.tokenizer import query_terms
from tests.core.little_index import hexed, index_of, numbers, rows_of, unit, vector


def idf(living: int, holding: int) -> float:
    return log(1 + (living - holding + 0.5) / (holding + 0.5))


def bm25(count: float, length: float, mean: float) -> float:
    return count * (K1 + 1) / (count + K1 * (1 - B + B * length / mean))


def test_coverage_is_the_share_of_the_information_asked_for() -> None:
    """Three memories of two terms each, so that lengths don't count."""
    rows = rows_of([unit("a", "green tea"), unit("b", "black tea"), unit("c", "black coffee")])
    words = match_words(rows, ["green", "tea"])
    assert words is not None
    green, tea = idf(3, 1), idf(3, 2)
    assert words.information == pytest.approx(green + tea)
    assert words.coverage[numbers(rows, "abc")] == pytest.approx([1, tea / (green + tea), 0])
    assert [(match.term, match.idf) for match in words.matches] == [
        ("green", pytest.approx(green)),
        ("tea", pytest.approx(tea)),
    ]
    assert words.mean_length == 2
    assert words.exactness == 0


def test_repeats_and_lengths_count_as_in_bm25() -> None:
    """A text that says it twice gets more, a longer one less; coverage is at most 1."""
    rows = rows_of([unit("a", "tea tea"), unit("b", "tea and a very large cake"), unit("c", "cake")])
    words = match_words(rows, ["tea", "unheard"])
    assert words is not None
    mean = (2 + 6 + 1) / 3
    known, missing = idf(3, 2), idf(3, 0)
    expected = [known * bm25(*each, mean) / (known + missing) for each in ((2, 2), (1, 6))]
    assert words.coverage[numbers(rows, "abc")] == pytest.approx([*expected, 0])
    alone = match_words(rows, ["tea"])
    assert alone is not None
    assert alone.coverage.max() == 1


def test_unknown_words_are_missed_and_unknown_pairs_are_not() -> None:
    """Most pairs of Chinese characters are no words; a character that no memory has is missed."""
    rows = rows_of([unit("a", "虾"), unit("b", "茶")])
    pair, character = (match_words(rows, terms) for terms in (["虾", "吃虾"], ["虾", "吃"]))
    assert pair is not None
    assert character is not None
    assert pair.coverage[numbers(rows, "ab")].tolist() == [1, 0]
    assert character.coverage[numbers(rows, "a")][0] == pytest.approx(idf(2, 1) / (idf(2, 1) + idf(2, 0)))


def test_exactness_is_the_share_of_identifiers_in_what_is_known() -> None:
    """Unknown identifiers have no part in it; a year is none."""
    rows = rows_of([unit("a", "order AB-2093"), unit("b", "order of 2023")])

    def exactness(question: str) -> float:
        words = match_words(rows, query_terms(question))
        assert words is not None
        return words.exactness

    assert exactness("order") == exactness("order of 2023") == exactness("order XY-1234") == 0
    assert exactness("2093") == 1
    each = idf(2, 1)  # the code, with its hyphen and without, and its number name one thing, its letters do not
    assert exactness("AB-2093") == pytest.approx(3 * each / (4 * each))
    order = idf(2, 2)
    assert exactness("order 2093") == pytest.approx(idf(2, 1) / (order + idf(2, 1)))


def test_words_that_nobody_knows_say_nothing() -> None:
    """None for unknown terms, for no terms, and for those of dead or retired memories alone."""
    index = index_of([unit("a", "tea"), unit("b", "cake"), unit("c", "soup", retired=True)])
    assert match_words(index.rows, ["tea"]) is not None
    index.apply([], [hexed("a")])
    for terms in (["tea"], ["soup"], ["unheard", "没有"], []):
        assert match_words(index.rows, terms) is None


@given(
    st.lists(
        st.lists(st.sampled_from(["tea", "green", "cake", "虾", "AB-2093"]), max_size=6).map(" ".join), max_size=6
    ),
    st.lists(st.sampled_from(["tea", "green", "cake", "虾", "ab-2093", "2093", "unheard", "吃虾"]), unique=True),
)
def test_coverage_lies_between_nothing_and_all(texts: list[str], terms: list[str]) -> None:
    """0 for a row that holds no term, else above 0 and at most 1; the matches are the terms that are known."""
    rows = rows_of(unit("abcdef"[place], text) for place, text in enumerate(texts))
    words = match_words(rows, terms)
    if words is None:
        return
    holding = np.zeros(rows.size, np.bool_)
    for match in words.matches:
        assert match.term in terms
        holding[match.rows] = True
    assert ((words.coverage > 0) == holding).all()
    assert words.coverage.max() <= 1
    assert 0 <= words.exactness <= 1 + 1e-9
    assert words.information >= sum(match.idf for match in words.matches) - 1e-9


def test_cosines_of_all_rows() -> None:
    """0 for a row without a vector; None where no living row has one, or the question has no direction."""
    index = index_of([unit("a", "x", vector(3, 0, 4)), unit("b", "y", vector(0, 2, 0)), unit("c", "z")])
    rows = index.rows
    near = match_vector(rows, vector(3, 0, 4))
    assert near is not None
    assert near[numbers(rows, "abc")] == pytest.approx([1, 0, 0], abs=1e-3)
    for useless in (None, vector(0, 0, 0), vector(1, 0), vector(np.nan, 0, 0)):
        assert match_vector(rows, useless) is None
    index.apply([], [hexed("a"), hexed("b")])
    assert match_vector(index.rows, vector(1, 0, 0)) is None
