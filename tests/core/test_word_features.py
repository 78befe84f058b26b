"""BM25 at several widths, computed by hand from the terms of small conversations."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.retrieval.arms import match_words
from agent_memory.retrieval.block import IndexedUnit
from agent_memory.retrieval.neighbourhood import neighbourhood
from agent_memory.retrieval.postings import K1, B
from agent_memory.retrieval.rows import Rows
from agent_memory.retrieval.word_features import WIDTHS, word_features
from tests.core.little_index import AWAY, HOME, NOW, hexed, index_of, numbers, rows_of, talk, unit

NAMES = {*WIDTHS, "words_previous", "words_next", "words_session"}


def found(rows: Rows, names: str, *terms: str) -> dict[str, list[float]]:
    around = neighbourhood(rows, numbers(rows, names), NOW)
    features = word_features(rows, match_words(rows, terms), around)
    return {name: values.tolist() for name, values in features.items()}


def idf(living: int, holding: int) -> float:
    return log(1 + (living - holding + 0.5) / (holding + 0.5))


def bm25(count: float, length: float, mean: float) -> float:
    return count * (K1 + 1) / (count + K1 * (1 - B + B * length / mean))


def test_a_memory_alone_and_with_its_neighbours() -> None:
    """A window is one text: its counts and lengths are sums, its mean length that of the windows."""
    rows = rows_of(talk("green tea", "cake", "tea tea pot", "soup", "more soup"))
    features = found(rows, "abcde", "tea")
    lengths, counts = [2, 1, 3, 1, 2], [1, 0, 2, 0, 0]
    assert features["words"] == pytest.approx(
        [bm25(c, n, 9 / 5) if c else 0 for c, n in zip(counts, lengths, strict=True)]
    )
    wide_lengths, wide_counts = [6, 7, 9, 7, 6], [3, 3, 3, 2, 2]
    wide = [bm25(c, n, 35 / 5) for c, n in zip(wide_counts, wide_lengths, strict=True)]
    assert features["words_2"] == pytest.approx([min(each, 1.5) for each in wide])
    assert features["words_4"] == pytest.approx([bm25(3, 9, 9)] * 5)


def test_what_the_turns_before_and_after_hold() -> None:
    """Their own coverage, 0 where there is none."""
    rows = rows_of(talk("green tea", "cake", "tea"))
    words = match_words(rows, ["tea", "green"])
    assert words is not None
    a, b, c = words.coverage[numbers(rows, "abc")].tolist()
    features = found(rows, "abc", "tea", "green")
    assert features["words_previous"] == [0, a, b]
    assert features["words_next"] == [b, c, 0]


def test_sessions_are_compared_as_whole_texts() -> None:
    """A share of the best one's; a memory that holds nothing itself has that of its session."""
    rows = rows_of(
        [
            *(unit(name, text) for name, text in (("a", "green tea"), ("b", "cake"))),
            *(unit(name, text, scope=AWAY) for name, text in (("c", "tea with a large cake"), ("d", "soup"))),
            unit("e", "soup", scope=("shop", "u42", "bot", "s3")),
        ]
    )
    tea, green = idf(3, 2), idf(3, 1)
    mean = (3 + 6 + 1) / 3
    home = (tea + green) * bm25(1, 3, mean)
    away = tea * bm25(1, 6, mean)
    assert found(rows, "abcde", "tea", "green")["words_session"] == pytest.approx([1, 1, away / home, away / home, 0])


def test_dead_and_retired_memories_say_nothing_for_their_session() -> None:
    """The session counts what is current in it."""
    index = index_of([unit("a", "tea"), unit("b", "tea"), unit("x", "soup", scope=AWAY), unit("y", "tea", scope=AWAY)])
    assert found(index.rows, "x", "tea")["words_session"] != [0]
    index.apply([unit("y", "tea", scope=AWAY, retired=True)], [])
    assert found(index.rows, "x", "tea")["words_session"] == [0]
    index.apply([], [hexed("y")])
    assert found(index.rows, "abx", "tea")["words_session"] == [1, 1, 0]


def test_no_words_known() -> None:
    """All features are there, and nothing."""
    rows = rows_of(talk("tea", "cake"))
    features = found(rows, "ab", "unheard")
    assert features == {name: [0, 0] for name in NAMES}


def test_thousands_of_terms_are_added_up() -> None:
    """In portions: the sum is that of the terms one by one."""
    words = [f"k{number:03}" for number in range(200)]
    rows = rows_of(talk(" ".join(words), "soup", " ".join(words[:150]), "cake"))
    together = match_words(rows, words)
    assert together is not None
    whole = found(rows, "abcd", *words)
    parts = [found(rows, "abcd", word) for word in words]
    idfs = [match_words(rows, [word]).information for word in words]  # type: ignore[union-attr]
    for name in ("words", "words_2"):
        added = np.array([part[name] for part in parts]).T @ idfs / together.information
        assert whole[name] == pytest.approx(added.tolist(), rel=1e-6)
    assert whole["words_session"] == [1] * 4


UNITS = st.lists(
    st.tuples(
        st.sampled_from(["tea", "green tea", "tea tea tea", "虾", "我对虾过敏", "soup", ""]),
        st.sampled_from([HOME, AWAY]),
        st.booleans(),
    ),
    min_size=1,
    max_size=9,
)


@settings(max_examples=60, deadline=None)
@given(UNITS, st.lists(st.sampled_from(["tea", "虾", "过敏", "unheard"]), min_size=1, unique=True))
def test_shares_stay_in_bounds(said: list[tuple[str, tuple[str, str, str, str], bool]], terms: list[str]) -> None:
    """0 to 1.5 for windows, 0 to 1 for the rest; a wider window holds something wherever a narrower one does."""
    units: list[IndexedUnit] = [
        unit("abcdefghi"[place], text, scope=scope, turn=turn, created_ms=NOW + place)
        for place, (text, scope, turn) in enumerate(said)
    ]
    rows = rows_of(units)
    features = word_features(rows, match_words(rows, terms), neighbourhood(rows, np.arange(rows.size), NOW))
    assert set(features) == NAMES
    for name, values in features.items():
        assert len(values) == rows.size
        assert (values >= 0).all()
        assert (values <= (1.5 if name in WIDTHS else 1 + 1e-9)).all()
    assert ((features["words"] > 0) <= (features["words_2"] > 0)).all()
    assert ((features["words_2"] > 0) <= (features["words_4"] > 0)).all()
