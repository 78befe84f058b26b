"""Which rows a ranking looks at closely."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.retrieval.candidates import ALL_OF, BEST, NEIGHBOURS_OF, candidates
from agent_memory.retrieval.rows import Rows
from agent_memory.retrieval.tenant_index import TenantIndex
from tests.core.little_index import DIM, MODEL, NOW, hexed, rows_of, unit

SIZE = 1_300


@cache
def conversations() -> Rows:
    """Thirteen conversations of a hundred turns each, row by row in their order."""
    return rows_of(
        unit(f"{number:05}", scope=("shop", "u42", "bot", f"s{number // 100:02}"), created_ms=NOW + number)
        for number in range(SIZE)
    )


def everything() -> np.ndarray:
    return np.ones(SIZE, np.bool_)


def falling() -> np.ndarray:
    """The first row best, each the worse the further behind."""
    return np.linspace(1, 0, SIZE, dtype=np.float32)


def test_all_of_a_small_selection() -> None:
    """Whatever their scores, in ascending order, and nothing else."""
    meant = everything()
    meant[ALL_OF:] = False
    assert candidates(conversations(), meant, -falling()).tolist() == list(range(ALL_OF))
    assert candidates(conversations(), ~everything(), falling()).tolist() == []


def test_the_best_of_a_large_one_and_the_turns_around_the_very_best() -> None:
    """Two to either side, in the same conversation."""
    look = falling()
    look[[499, 600, 1_299]] = [5, 4, 3]  # the last of its conversation, the first of one, the last of all
    found = candidates(conversations(), everything(), look).tolist()
    best = [*range(BEST - 3), 499, 600, 1_299]
    assert found == sorted({*best, 497, 498, 601, 602, 1_297, 1_298})


def test_only_what_is_meant() -> None:
    """A neighbour that is not selected is left out, as is a better row."""
    meant = everything()
    meant[[0, 498]] = False
    look = falling()
    look[499] = 5
    found = candidates(conversations(), meant, look).tolist()
    assert {497, 499} < set(found)
    assert not {0, 498} & set(found)
    assert set(range(1, BEST)) <= set(found)


def test_a_sample_that_is_no_help() -> None:
    """Where every 64th row stands out, those below are looked at all the same."""
    look = falling()
    look[::64] += 10
    found = candidates(conversations(), everything(), look)
    best = np.argsort(-look, kind="stable")[:BEST]
    assert set(best.tolist()) <= set(found.tolist())


def test_ties_do_not_depend_on_row_numbers() -> None:
    """All the same at first look: the same memories are picked however they arrived."""
    units = [unit(f"{number:05}", created_ms=NOW + number) for number in range(1_100)]
    straight, mixed = rows_of(units), TenantIndex(MODEL, DIM)
    for start in (700, 0):
        mixed.apply(units[start : start + 700], [hexed("gone")])
    picked = []
    for rows in (straight, mixed.rows):
        assert rows.size >= 1_100
        found = candidates(rows, rows.alive, np.full(rows.size, 0.5, np.float32))
        picked.append(sorted(rows.id_of(int(row)) for row in found))
    assert picked[0] == picked[1]
    assert BEST <= len(picked[0]) <= BEST + 4 * NEIGHBOURS_OF


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(ALL_OF + 1, SIZE))
def test_never_more_than_needed_and_never_without_the_best(seed: int, levels: int, meant_rows: int) -> None:
    """Scores on few levels, so that many are equal, or on none at all."""
    random = np.random.default_rng(seed)
    meant = np.zeros(SIZE, np.bool_)
    meant[random.permutation(SIZE)[:meant_rows]] = True
    look = random.integers(0, levels, SIZE).astype(np.float32)
    found = candidates(conversations(), meant, look)
    assert (np.diff(found) > 0).all()
    assert meant[found].all()
    assert BEST <= len(found) <= BEST + 4 * NEIGHBOURS_OF
    bound = np.sort(look[meant])[-BEST]
    assert set(np.flatnonzero(meant & (look > bound)).tolist()) <= set(found.tolist())
    best = np.sort(look[found])[-BEST:]
    assert best == pytest.approx(np.sort(look[meant])[-BEST:])
