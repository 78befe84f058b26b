"""What the best memories of a first pass speak of, looked for in the others: by hand, on small conversations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agent_memory.retrieval.arms import match_words
from agent_memory.retrieval.neighbourhood import neighbourhood
from agent_memory.retrieval.rows import Rows
from agent_memory.retrieval.second_pass import FEWEST, MOST, SEEDS, SHARE, second_pass
from tests.core.little_index import AWAY, NOW, hexed, index_of, numbers, rows_of, talk, unit

ALONE = {"turn": False}  # takes no part in windows


def others(count: int = 60) -> list[Any]:
    """Memories that make up the numbers, none of which has a word in common with another."""
    return [unit(f"other{place:03d}", f"filler{place:03d}", scope=AWAY, **ALONE) for place in range(count)]


def found(rows: Rows, names: str, first: dict[str, float], *asked: str) -> dict[str, float]:
    """By name, to five digits; `first` is 0 for those that it does not name."""
    scores = np.array([first.get(name, 0.0) for name in names])
    around = neighbourhood(rows, numbers(rows, names), NOW)
    return dict(zip(names, second_pass(rows, scores, around, asked).round(5).tolist(), strict=True))


def loose(**texts: str) -> list[Any]:
    return [unit(name, text, **ALONE) for name, text in texts.items()]


def test_a_term_of_the_best_leads_to_another_memory() -> None:
    """Anna's sister is Melanie; what Melanie does is found by her name, which the question does not have."""
    rows = rows_of([*loose(a="Anna's sister is Melanie", b="Melanie paints", c="Bob paints"), *others()])
    score = found(rows, "abc", {"a": 5.0}, "anna", "sister", "do")
    assert score["b"] == MOST
    assert score["c"] == 0


def test_chinese_terms_lead_on() -> None:
    """Pairs of characters as words do."""
    rows = rows_of([*loose(a="小明的姐姐是王芳", b="王芳喜欢画画", c="他去游泳"), *others()])
    score = found(rows, "abc", {"a": 5.0}, "小明", "姐姐")
    assert score["b"] > 0
    assert score["c"] == 0


def test_the_turns_around_have_the_best_of_them() -> None:
    """Within two turns to either side, not three."""
    turns = talk("Melanie's sister", "x", "y", "z", "u", "Melanie paints", "v", "w", "t")
    rows = rows_of([*turns, *others()])
    score = found(rows, "abcdefghi", {"a": 5.0}, "sister")
    assert [name for name, value in score.items() if value > 0] == list("abcdefgh")
    rows = rows_of([*talk("Melanie's sister", "x", "y", "z", "u", "v", "w", "Melanie paints", "t"), *others()])
    assert found(rows, "abcdefghi", {"a": 5.0}, "sister")["e"] == 0


def test_what_was_asked_leads_nowhere_new() -> None:
    """The first pass has looked for it."""
    rows = rows_of([*loose(a="Anna swims", b="Anna paints"), *others()])
    assert found(rows, "ab", {"a": 5.0}, "anna") == {"a": 0, "b": 0}
    assert found(rows, "ab", {"a": 5.0}, "swim")["b"] > 0


def test_a_term_must_link_and_must_tell() -> None:
    """One that only its seed holds links nothing; one that more than a twentieth of the memories hold tells nothing."""
    rows = rows_of([*loose(a="Anna swims", b="Bob paints"), *others()])
    assert found(rows, "ab", {"a": 5.0}) == {"a": 0, "b": 0}
    common = [unit(f"common{place:02d}", f"swim filler{place:02d}", scope=AWAY, **ALONE) for place in range(20)]
    rows = rows_of([*loose(a="swim", b="swim"), *others(), *common])
    assert SHARE * rows.living < 22
    assert found(rows, "ab", {"a": 5.0}) == {"a": 0, "b": 0}


def test_a_handful_of_memories_has_no_second_pass() -> None:
    """No term is both shared and rare among so few."""
    rows = rows_of(loose(a="Anna's sister is Melanie", b="Melanie paints"))
    assert SHARE * rows.living < FEWEST
    assert found(rows, "ab", {"a": 5.0}) == {"a": 0, "b": 0}


def test_the_better_seed_leads_further() -> None:
    """A seed far behind the best hardly counts, and beyond the best five none does."""
    pairs = loose(a="rowing", b="rowing", c="painting", d="painting")
    rows = rows_of([*pairs, *others()])
    close = found(rows, "abcd", {"a": 5.0, "c": 4.9})
    far = found(rows, "abcd", {"a": 5.0, "c": 2.0})
    assert close["d"] > 0
    assert far["b"] == MOST
    assert far["d"] < 0.001
    more = {name: f"word{name}" for name in "efghi"[:SEEDS]}
    rows = rows_of([*pairs, *loose(**more), *others()])
    beyond = found(rows, "abcdefghi", {"a": 4.9, **dict.fromkeys(more, 5.0)})
    assert beyond["b"] == 0


def test_dead_and_retired_memories_make_no_term_common_or_shared() -> None:
    """Only current rows count, in every part of the index; what is left scores as if it had been alone."""
    alone = rows_of([*loose(a="Anna's sister Melanie", b="Melanie paints"), *others()])
    gone = [unit(f"gone{place:02d}", f"Melanie {place}", scope=AWAY, **ALONE) for place in range(30)]
    index = index_of([*gone, *loose(a="Anna's sister Melanie"), *others(40)])
    index.apply([*loose(b="Melanie paints"), *others()[40:]], [each.id for each in gone])
    assert (~index.rows.alive).any()
    assert found(index.rows, "ab", {"a": 5.0}, "anna") == pytest.approx(found(alone, "ab", {"a": 5.0}, "anna"))
    index.apply([], [hexed("b")])
    assert found(index.rows, "a", {"a": 5.0}, "anna") == {"a": 0}
    retired = rows_of([*loose(a="Anna Melanie"), unit("b", "Melanie", retired=True, **ALONE), *others()])
    assert found(retired, "ab", {"a": 5.0}, "anna") == {"a": 0, "b": 0}


def test_parts_of_the_index_are_one() -> None:
    """Seeds and what they lead to may stand in different parts."""
    units = [*loose(a="Anna's sister Melanie", b="Melanie paints"), *others()]
    index = index_of(others())
    index.apply(loose(b="Melanie paints"), [])
    index.apply(loose(a="Anna's sister Melanie"), [])
    assert len(index.rows.postings.parts) > 1
    assert found(index.rows, "ab", {"a": 5.0}, "anna") == pytest.approx(
        found(rows_of(units), "ab", {"a": 5.0}, "anna"), abs=1e-6
    )


def test_no_candidates_and_no_words() -> None:
    """Give none and zeros."""
    rows = rows_of([*loose(a="...", b="!"), *others()])
    assert found(rows, "ab", {"a": 1.0}) == {"a": 0, "b": 0}
    assert found(rows, "", {}) == {}


def test_large_indexes_have_no_second_pass() -> None:
    """Beyond a number of postings, since each would be read."""
    rows = rows_of([*loose(a="Anna's sister is Melanie", b="Melanie paints"), *others()])
    around = neighbourhood(rows, numbers(rows, "ab"), NOW)
    size = sum(len(part.postings.rows) for part in rows.postings.parts)
    assert second_pass(rows, np.array([5.0, 0.0]), around, [], largest=size).all()
    assert not second_pass(rows, np.array([5.0, 0.0]), around, [], largest=size - 1).any()


def test_the_words_of_the_question_reach_the_index_as_the_same_terms() -> None:
    """Terms are compared by the hashes of the postings."""
    rows = rows_of([*loose(a="AB-2093 broken", b="AB-2093 fixed"), *others()])
    words = match_words(rows, ["ab-2093"])
    assert words is not None
    assert found(rows, "ab", {"a": 5.0}, "ab-2093", "ab2093", "2093", "ab")["b"] == 0
