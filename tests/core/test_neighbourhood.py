"""The turns around a memory, against a conversation that is kept as a plain list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.retrieval.arms import match_words
from agent_memory.retrieval.block import IndexedUnit
from agent_memory.retrieval.neighbourhood import AROUND_1, AROUND_2, AROUND_4, BEFORE_1, REACH, neighbourhood, summed
from agent_memory.retrieval.rows import Rows
from agent_memory.retrieval.tenant_index import TenantIndex
from agent_memory.retrieval.tokenizer import tokens
from tests.core.little_index import (
    AWAY,
    DIM,
    HOME,
    MODEL,
    NOW,
    at,
    hexed,
    index_of,
    named,
    numbers,
    rows_of,
    talk,
    unit,
)

LETTERS = "abcdefghijkl"


def shown(rows: Rows, name: str, now_ms: int = NOW) -> str:
    """The window around a memory as letters, `.` for nothing."""
    (line,) = neighbourhood(rows, numbers(rows, name), now_ms).table
    return "".join("." if row < 0 else named(rows.id_of(int(row))) for row in line)


def test_four_turns_to_either_side() -> None:
    """In the order in which they were said; nothing beyond the ends, nothing of another conversation."""
    rows = rows_of([*talk(*"0123456789"), unit("z", scope=AWAY)])
    assert shown(rows, "e") == "abcdefghi"
    assert shown(rows, "a") == "....abcde"
    assert shown(rows, "j") == "fghij...."
    assert shown(rows, "z") == "....z...."


def test_turns_that_come_late_stand_where_they_were_said() -> None:
    """Whatever order they arrive in, and in however many parts of the index."""
    turns = talk(*"0123456")
    index = index_of(turns[5:])
    for late in (turns[0], turns[3], turns[2], turns[4], turns[1]):
        index.apply([late], [])
    assert shown(index.rows, "d") == ".abcdefg."


def test_deleted_and_expired_turns_close_up_or_leave_a_gap() -> None:
    """What was deleted leads to the next one; what has expired is no longer looked at, from its last millisecond on."""
    turns = talk(*"0123456")
    turns[2] = replace(turns[2], expires_ms=NOW + 5)
    index = index_of(turns)
    index.apply([], [hexed("e"), hexed("b")])
    assert shown(index.rows, "d", NOW + 4) == "..acdfg.."
    assert shown(index.rows, "d", NOW + 5) == "..a.dfg.."


def test_what_is_no_turn_has_neighbours_and_is_none() -> None:
    """A fact stands between the turns around the message it comes from."""
    rows = rows_of([*talk(*"0123", place=b""), unit("x", turn=False, created_ms=NOW + 60_000)])
    assert shown(rows, "x") == "...axcd.."
    assert shown(rows, "b") == "...abcd.."


def test_an_expired_memory_itself_stays() -> None:
    """Which memories are looked at is decided elsewhere."""
    assert shown(rows_of([unit("a", expires_ms=NOW - 1)]), "a") == "....a...."


def test_sums_over_windows() -> None:
    """The widths by their names, for values and for counts of terms alike."""
    rows = rows_of(talk("tea", "tea tea", "cake", "tea", "soup", "tea tea tea"))
    around = neighbourhood(rows, numbers(rows, "cf"), NOW)
    values = np.zeros(rows.size)
    values[numbers(rows, "abcdef")] = [1, 10, 100, 1_000, 10_000, 100_000]
    table = around.spread(values)
    sums = {width: summed(table, width).tolist() for width in (BEFORE_1, AROUND_1, AROUND_2, AROUND_4)}
    assert sums == {
        BEFORE_1: [110, 110_000],
        AROUND_1: [1_110, 110_000],
        AROUND_2: [11_111, 111_000],
        AROUND_4: [111_111, 111_110],
    }
    assert summed(around.there(), AROUND_2).tolist() == [5, 3]
    words = match_words(rows, ["tea"])
    assert words is not None
    (tea,) = around.counts(words.matches, rows.size)
    assert summed(tea, AROUND_1).tolist() == [3, 3]
    assert summed(tea, AROUND_4).tolist() == [7, 6]


def test_no_candidates() -> None:
    """Nothing around nothing."""
    around = neighbourhood(rows_of(talk("tea")), np.zeros(0, np.int64), NOW)
    assert around.table.shape == (0, 2 * REACH + 1)
    assert summed(around.there(), AROUND_4).tolist() == []


TEXTS = st.sampled_from(["tea", "green tea", "虾", "我对虾过敏", "soup tea tea", ""])
TURNS = st.builds(
    lambda name, text, scope, moment, expires: unit(
        name, text, scope=scope, place=at(NOW + moment), created_ms=NOW + moment, expires_ms=expires
    ),
    st.sampled_from(LETTERS),
    TEXTS,
    st.sampled_from([HOME, HOME, AWAY]),
    st.integers(0, 5),
    st.sampled_from([None, None, NOW, NOW + 1]),
)
CHANGES = st.lists(
    st.tuples(st.lists(TURNS, max_size=7), st.lists(st.sampled_from(LETTERS).map(hexed), max_size=3)), max_size=7
)


def conversation(left: dict[str, IndexedUnit], one: IndexedUnit) -> list[IndexedUnit]:
    same = [other for other in left.values() if other.scope == one.scope]
    return sorted(same, key=lambda turn: (turn.place, turn.id))


def reference(
    left: dict[str, IndexedUnit], one: IndexedUnit, offsets: Any, value: Callable[[IndexedUnit], float]
) -> float:
    """The sum over the living turns around it, taken from a list; what has expired counts nothing in its place."""
    turns = conversation(left, one)
    here = turns.index(one)
    total = 0.0
    for offset in offsets:
        if not 0 <= here + offset < len(turns):
            continue
        turn = turns[here + offset]
        lives = turn is one or turn.expires_ms is None or turn.expires_ms > NOW
        total += value(turn) if lives else 0
    return total


@settings(max_examples=80, deadline=None)
@given(CHANGES)
def test_windows_are_sums_over_the_conversation(changes: list[tuple[list[IndexedUnit], list[str]]]) -> None:
    """After any puts, replacements, late arrivals and deletions: as counted from the turns themselves."""
    index, left = TenantIndex(MODEL, DIM), dict[str, IndexedUnit]()
    for puts, deletes in changes:
        index.apply(puts, deletes)
        left = {key: turn for key, turn in left.items() if key not in deletes} | {put.id: put for put in puts}
    rows = index.rows
    candidates = np.flatnonzero(rows.alive)
    around = neighbourhood(rows, candidates, NOW)
    words = match_words(rows, ["tea", "虾"])
    counts = (
        {}
        if words is None
        else dict(zip((match.term for match in words.matches), around.counts(words.matches, rows.size), strict=True))
    )
    lengths = around.spread(rows.lengths.astype(np.float64))
    units = [left[rows.id_of(row)] for row in candidates.tolist()]
    assert len(units) == len(left)
    for offsets in ((0,), BEFORE_1, AROUND_1, AROUND_2, AROUND_4):
        expected = [reference(left, one, offsets, lambda turn: len(tokens(turn.search_text))) for one in units]
        assert summed(lengths, offsets).tolist() == expected
        assert summed(around.there(), offsets).tolist() == [reference(left, one, offsets, lambda _: 1) for one in units]
        for term, table in counts.items():
            expected = [
                reference(left, one, offsets, lambda turn, term=term: tokens(turn.search_text).count(term))  # type: ignore[misc]
                for one in units
            ]
            assert summed(table, offsets).tolist() == pytest.approx(expected)
