"""The inverted index: built, merged and renumbered, it finds what a look at each text finds."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.retrieval.postings import Postings, build_postings, merged, renumbered, term_hash
from agent_memory.retrieval.tiers import Tiers

WORDS = ["tea", "虾", "过敏", "ab-2093", "swim", "\ud800"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=6), max_size=12)


def found(postings: Postings) -> dict[str, list[tuple[int, int]]]:
    """Rows and counts by term."""
    assert (np.diff(postings.terms.astype(object)) > 0).all()
    assert len(postings.terms) + 1 == len(postings.starts)
    lists = {word: postings.find(term_hash(word)) for word in WORDS}
    return {word: list(zip(rows.tolist(), counts.tolist(), strict=True)) for word, (rows, counts) in lists.items()}


def expected(texts: list[list[str]]) -> dict[str, list[tuple[int, int]]]:
    return {
        word: [(row, text.count(word)) for row, text in enumerate(texts) if word in text]
        for word in WORDS
    }  # fmt: skip


@given(TEXTS)
def test_built(texts: list[list[str]]) -> None:
    """Rows ascending, each with its count; what no text has is in none."""
    postings = build_postings(texts)
    assert found(postings) == expected(texts)
    assert postings.find(term_hash("absent"))[0].tolist() == []


@given(TEXTS, TEXTS)
def test_merged(first: list[list[str]], second: list[list[str]]) -> None:
    """Two runs of rows, one behind the other."""
    both = merged(build_postings(first), build_postings(second), len(first))
    assert found(both) == expected([*first, *second])
    assert both.nbytes == build_postings([*first, *second]).nbytes


@given(TEXTS, st.integers(0, 12), st.randoms())
def test_renumbered(texts: list[list[str]], cut: int, chance: object) -> None:
    """Some rows in another order, terms of the others gone."""
    cut = min(cut, len(texts))
    kept = [row for row in range(len(texts)) if row % 3]
    chance.shuffle(kept)  # type: ignore[attr-defined]
    numbers = np.full(len(texts), -1, np.int32)
    numbers[kept] = np.arange(len(kept))
    parts = [(build_postings(texts[:cut]), 0), (build_postings(texts[cut:]), cut)]
    direct = build_postings([texts[row] for row in kept])
    postings = renumbered(parts, numbers)
    assert found(postings) == found(direct)
    assert postings.terms.tolist() == direct.terms.tolist()
    assert found(renumbered([], numbers)) == expected([])


@given(st.lists(TEXTS, max_size=8))
def test_tiers(runs: list[list[list[str]]]) -> None:
    """However many runs came, few parts are left, and they are searched as one."""
    tiers = Tiers()
    first = 0
    for texts in runs:
        ids = np.array([[7, row // 2] for row in range(first, first + len(texts))], np.uint64).reshape(-1, 2)
        tiers = tiers.followed_by(ids, build_postings(texts), {})
        first += len(texts)
    texts = [text for run in runs for text in run]
    for word in WORDS:
        rows, counts = tiers.find(term_hash(word))
        assert list(zip(rows.tolist(), counts.tolist(), strict=True)) == expected(texts)[word]
    sizes = [part.size for part in tiers.parts]
    assert all(larger >= 2 * smaller for larger, smaller in pairwise(sizes))
    assert sum(sizes) == len(texts)
    assert sorted(tiers.candidates(np.arange(3, dtype=np.uint64)).tolist()) == list(range(min(6, len(texts))))


def test_a_count_is_a_byte() -> None:
    """More than 255 of a term count as many."""
    rows, counts = build_postings([["tea"] * 300, ["tea"]]).find(term_hash("tea"))
    assert (rows.tolist(), counts.tolist()) == ([0, 1], [255, 1])
