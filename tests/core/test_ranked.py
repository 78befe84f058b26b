"""Ranked candidates: thresholds, the page that is cut from them, and the places of its hits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.retrieval.fusion import Ranking
from agent_memory.retrieval.hits import Hit, SearchQuery
from agent_memory.retrieval.keyset import Place
from agent_memory.retrieval.ranked import Ranked, page_of, passing, shown, spread
from agent_memory.retrieval.rows import Rows
from tests.core.little_index import AWAY, NOW, hexed, named, names, numbers, rows_of, unit, vector

QUERY = SearchQuery("tea")


def ranked(rows: Rows, letters: str, score: list[float], similarity: list[float] | None = None) -> Ranked:
    return Ranked(
        numbers(rows, letters),
        np.array(score),
        None if similarity is None else np.array(similarity),
        None,
        lambda entry: {"words": score[entry]},
    )


def four() -> Rows:
    texts = {"a": "tea", "b": "green tea", "c": "cake", "d": "soup"}
    return rows_of(unit(name, text, vector(1, 0, 0)) for name, text in texts.items())


def passed(found: Ranked, **bounds: float) -> str:
    rows = four()
    return "".join(named(rows.id_of(int(row))) for row in passing(found, replace(QUERY, **bounds)).rows)  # type: ignore[arg-type]


def test_thresholds_are_inclusive() -> None:
    """By score and by cosine, both; without a vector, or without one of its own, nothing has a similarity."""
    rows = four()
    found = ranked(rows, "abcd", [0.9, 0.5, 0.5, 0.1], [0.2, np.nan, 0.6, 0.6])
    assert passed(found) == "abcd"
    assert passed(found, min_score=0.5) == "abc"
    assert passed(found, min_similarity=0.6) == "cd"
    assert passed(found, min_similarity=0.6, min_score=0.5) == "c"
    assert passed(found, min_score=0.91) == ""
    assert passed(ranked(rows, "ab", [1, 1]), min_similarity=0.1) == ""


def test_what_is_kept_stays_explained() -> None:
    """Parts belong to the memory, not to its place among those that were kept."""
    found = ranked(four(), "abcd", [0.9, 0.5, 0.4, 0.1], [0.1, 0.2, 0.3, 0.4])
    kept = found.kept(np.array([False, True, True, True])).kept(np.array([False, True, False]))
    assert (kept.score.tolist(), kept.parts(0)) == ([0.4], {"words": 0.4})
    assert kept.similarity is not None
    assert kept.similarity.tolist() == [0.3]


def test_scores_as_they_are_shown() -> None:
    """Six digits, None for none."""
    assert shown(None, [3, 4]) == [None, None]
    assert shown(np.array([0.1234567, np.nan, 1.0]), [2, 1, 0]) == [1.0, None, 0.123457]


def test_a_page_in_the_order_of_the_scores() -> None:
    """Explained only where asked for; the next page goes on behind the last hit."""
    rows = four()
    found = ranked(rows, "abcd", [0.1, 0.9, 0.5, 0.5])
    page = page_of(rows, found, replace(QUERY, top_k=2))
    assert [(named(hit.id), hit.score, hit.similarity, hit.lexical, hit.parts) for _, hit in page] == [
        ("b", 0.9, None, None, {}),
        ("c", 0.5, None, None, {}),
    ]
    assert [row for row, _ in page] == numbers(rows, "bc").tolist()
    rest = page_of(rows, found, replace(QUERY, after=page[-1][1].place, explain=True))
    assert [(named(hit.id), hit.parts) for _, hit in rest] == [("d", {"words": 0.5}), ("a", {"words": 0.1})]


def test_what_says_the_same_comes_once() -> None:
    """In whichever conversation it was said: the best of it, of equally good ones the newest."""
    rows = rows_of(
        [
            unit("a", "I like tea", created_ms=NOW),
            unit("b", "i  LIKE Ｔea", created_ms=NOW + 1, scope=AWAY),
            unit("c", "cake", created_ms=NOW - 1),
        ]
    )
    even, uneven = ranked(rows, "abc", [0.5, 0.5, 0.9]), ranked(rows, "abc", [0.6, 0.5, 0.1])
    assert names(hit for _, hit in page_of(rows, even, QUERY)) == ["c", "b"]
    assert names(hit for _, hit in page_of(rows, uneven, QUERY)) == ["a", "c"]


def test_a_context_orders_by_the_lifted_score() -> None:
    """The place of a hit is that of the order it stands in."""
    rows = rows_of([unit("a", "tea"), unit("b", "green tea", scope=AWAY)])
    found = ranked(rows, "ab", [0.5, 0.51])
    (_, first), (_, second) = page_of(rows, found, replace(QUERY, context=("bot", "s1")))
    assert (named(first.id), first.score, first.ranking) == ("a", 0.5, Ranking(0.525, same_session=True))
    assert (named(second.id), second.ranking) == ("b", Ranking(0.51, same_session=False))
    assert first.place == Place(0.525, NOW, hexed("a"))
    assert replace(first, ranking=None).place == Place(0.5, NOW, hexed("a"))


@given(
    st.lists(st.tuples(st.integers(0, 9), st.tuples(*[st.integers(-9, 9)] * 3)), max_size=9), st.integers(1, 10)
)  # fmt: skip
def test_spreading_keeps_the_hits_and_the_last_one(entries: list[tuple[int, Any]], top_k: int) -> None:
    """The same hits, the best first; a full page still ends where the next one goes on."""
    letters = "abcdefghi"[: len(entries)]
    rows = rows_of(unit(name, name, vector(*of)) for name, (_, of) in zip(letters, entries, strict=True))
    page = page_of(rows, ranked(rows, letters, [score / 9 for score, _ in entries]), replace(QUERY, top_k=top_k))
    plain: list[Hit] = [hit for _, hit in page]
    mixed = spread(rows, page, top_k)
    assert sorted(names(mixed)) == sorted(names(plain))
    if plain:
        assert mixed[0].score == plain[0].score
    if len(plain) == top_k:
        assert mixed[-1] == plain[-1]


def test_spreading_by_hand() -> None:
    """What says nearly the same as a better one is put behind something new."""
    rows = rows_of(
        [unit("a", "x", vector(1, 0, 0)), unit("b", "y", vector(1, 0.1, 0)), unit("c", "z", vector(0, 0, 1))]
    )
    page = page_of(rows, ranked(rows, "abc", [0.9, 0.8, 0.6]), QUERY)
    assert names(spread(rows, page, 10)) == ["a", "c", "b"]
    assert [hit.score for hit in spread(rows, page, 10)] == pytest.approx([0.9, 0.6, 0.8])
