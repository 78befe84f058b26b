"""The inverted index: built, merged and renumbered, it finds what a look at each text finds."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.retrieval.metadata_rows import metadata_rows
from agent_memory.retrieval.postings import Postings, build_postings, merged, renumbered, term_hash
from agent_memory.retrieval.tiers import Tier, Tiers

if TYPE_CHECKING:
    from agent_memory.retrieval.metadata_rows import MetadataRows

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
    both = merged([(build_postings(first), 0), (build_postings(second), len(first))])
    assert found(both) == expected([*first, *second])
    assert both.nbytes == build_postings([*first, *second]).nbytes


@given(st.lists(TEXTS, min_size=1, max_size=6))
def test_merged_at_once(runs: list[list[list[str]]]) -> None:
    """Any number of runs, as if their texts had come together: the same arrays of the same types."""
    firsts = np.cumsum([0, *map(len, runs)]).tolist()
    together = merged([(build_postings(texts), first) for texts, first in zip(runs, firsts, strict=False)])
    assert same(together, build_postings([text for run in runs for text in run]))


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
    tiers, parts = Tiers(), tier_list(runs)
    for part in parts:
        tiers = tiers.followed_by([part])
    texts = [text for run in runs for text in run]
    for word in WORDS:
        rows, counts = tiers.find(term_hash(word))
        assert list(zip(rows.tolist(), counts.tolist(), strict=True)) == expected(texts)[word]
    sizes = [part.size for part in tiers.parts]
    assert all(larger >= 2 * smaller for larger, smaller in pairwise(sizes))
    assert sum(sizes) == len(texts)
    assert sorted(tiers.candidates(np.arange(3, dtype=np.uint64)).tolist()) == list(range(min(6, len(texts))))


@given(st.lists(TEXTS, max_size=12), st.integers(0, 12))
def test_tiers_of_many_runs_are_those_of_one_after_the_other(runs: list[list[list[str]]], cut: int) -> None:
    """The same parts, entry by entry, whether some were there before or not."""
    parts = tier_list(runs)
    one_by_one = Tiers()
    for part in parts:
        one_by_one = one_by_one.followed_by([part])
    together = Tiers().followed_by(parts[:cut]).followed_by(parts[cut:])
    assert len(together.parts) == len(one_by_one.parts)
    for ours, theirs in zip(together.parts, one_by_one.parts, strict=True):
        assert (ours.first, ours.size) == (theirs.first, theirs.size)
        assert same(ours.postings, theirs.postings)
        assert ours.id_keys.tolist() == theirs.id_keys.tolist()
        assert ours.id_rows.tolist() == theirs.id_rows.tolist()
        assert listed(ours.metadata) == listed(theirs.metadata)


def tier_list(runs: list[list[list[str]]]) -> list[Tier]:
    """The runs of texts one behind the other; each two rows share half of an id, and one word is in the metadata."""
    parts, first = [], 0
    for texts in runs:
        keys = np.arange(first, first + len(texts), dtype=np.uint64) // np.uint64(2)
        metadata = metadata_rows({"词": text[0]} if text else {} for text in texts)
        order = np.arange(len(texts), dtype=np.int32)
        parts.append(Tier(first, len(texts), build_postings(texts), metadata, keys, order))
        first += len(texts)
    return parts


def listed(metadata: MetadataRows) -> list[tuple[str, str, list[int]]]:
    return [(key, value, rows.tolist()) for key, by_value in metadata.items() for value, rows in by_value.items()]


def same(one: Postings, other: Postings) -> bool:
    """Whether they have equal arrays of equal types."""
    pairs = [(getattr(one, name), getattr(other, name)) for name in ("terms", "starts", "rows", "counts")]
    return all(ours.dtype == theirs.dtype and ours.tolist() == theirs.tolist() for ours, theirs in pairs)


def test_a_count_is_a_byte() -> None:
    """More than 255 of a term count as many."""
    rows, counts = build_postings([["tea"] * 300, ["tea"]]).find(term_hash("tea"))
    assert (rows.tolist(), counts.tolist()) == ([0, 1], [255, 1])
