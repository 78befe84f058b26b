"""8-bit vectors and the scan over them."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from agent_memory.retrieval.block import IndexedUnit, build_block
from agent_memory.retrieval.scan import by_numpy, by_simsimd, cosines
from agent_memory.retrieval.vectors import int8_query, int8_rows

FLOATS = st.floats(-(2**100), 2**100, width=32)


def cosine(one, other) -> float:
    one, other = np.asarray(one, np.float64), np.asarray(other, np.float64)
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))


def columns_of(*vectors):
    """A block whose rows are in the order of the vectors."""
    units = [
        IndexedUnit(f"{row:032x}", ("a", "b", "c", "d"), "", vector=vector, embedding_model="toy")
        for row, vector in enumerate(vectors)
    ]
    return build_block(units, "toy", 64)


def test_cosines_are_near_those_of_the_floats():
    """To two hundredths at worst, for real directions of some length."""
    vectors = np.random.default_rng(3).standard_normal((300, 64)).astype(np.float32)
    found = cosines(columns_of(*vectors), vectors[7])
    assert found[7] == pytest.approx(1, abs=1e-6)
    assert np.abs(found - [cosine(each, vectors[7]) for each in vectors]).max() < 0.02


def test_only_some_rows():
    """In the order in which they are named; none of none."""
    vectors = np.random.default_rng(3).standard_normal((50, 64)).astype(np.float32)
    columns = columns_of(*vectors)
    chosen = np.array([9, 3, 3, 40])
    assert cosines(columns, vectors[0], chosen).tolist() == cosines(columns, vectors[0])[chosen].tolist()
    assert cosines(columns, vectors[0], chosen[:0]).tolist() == []


def test_a_scan_gives_back_what_it_holds():
    """Thousands of them take no reference from None: a count that falls to zero ends the process before Python 3.12."""
    vectors = np.ones((3, 64), np.float32)
    columns = columns_of(*vectors)
    before = sys.getrefcount(None)
    for _ in range(1_000):
        cosines(columns, vectors[0])
    assert sys.getrefcount(None) > before - 500


def test_what_has_no_direction_is_near_nothing():
    """A row without a vector, a question without one."""
    one = np.ones(64, np.float32)
    columns = columns_of(one, None, -one)
    assert cosines(columns, one).tolist() == pytest.approx([1, 0, -1])
    for unusable in (None, one[:3], one * 0, one * np.nan, one * np.inf):
        assert cosines(columns, unusable).tolist() == [0, 0, 0]
        assert int8_query(unusable, 64) is None


@settings(deadline=None)
@given(arrays(np.int8, (5, 24), elements=st.integers(-127, 127)), arrays(np.int8, 24, elements=st.integers(1, 127)))
def test_with_and_without_simsimd(vectors, query):
    """The same to a thousandth."""
    assert by_numpy(vectors, query) == pytest.approx(by_simsimd(vectors, query), abs=1e-3)


@given(arrays(np.float32, 8, elements=FLOATS))
def test_scaling_keeps_the_direction(vector):
    """The largest component becomes 127, the others follow; nothing of nothing."""
    row = int8_rows([vector], 8)[0]
    if not vector.any():
        assert not row.any()
        return
    largest = np.abs(vector.astype(np.float64)).max()
    assert np.abs(row).max() == 127
    assert np.abs(row - vector / largest * 127).max() <= 0.51


def test_unusable_vectors_are_zeros():
    """None, another length, no direction, no number; beside good ones."""
    good = np.array([1, -2, 4], np.float32)
    rows = int8_rows([None, good[:2], good * 0, good * np.nan, good * np.inf, good], 3)
    assert rows.tolist() == [[0] * 3] * 5 + [[32, -64, 127]]
    assert int8_rows([], 3).shape == (0, 3)
