"""What a snapshot keeps of the one before, and how it says which rows count."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.ports import Item, Key
from agent_memory.retrieval.columns import NEVER
from agent_memory.retrieval.pack import UnreadableBlock
from agent_memory.retrieval.snapshot_plan import MOST_ROWS, Held, groups, held_parts, without
from agent_memory.retrieval.snapshots import Part, Snapshot, pack_alive, snapshot_of, unpack_alive

IDS = [f"{number:032x}" for number in (1, 2, 2**64 + 1, 2**64 + 2, 2**128 - 1, 2**127)]


def numbers(ids: list[str]):
    return np.array([[int(each[:16], 16), int(each[16:], 16)] for each in ids], np.uint64).reshape(len(ids), 2)


def part(rows: int, ends_ms: int = NEVER) -> Part:
    return Part(f"p{rows}", rows, 100, ends_ms)


@given(st.lists(st.integers(0, MOST_ROWS)))
def test_groups_are_neighbours_of_bounded_size_that_fall_by_half(sizes: list[int]) -> None:
    """All positions once, in order; two neighbours stay apart only where they are of unlike size or too large."""
    made = groups(sizes)
    assert list(itertools.chain(*made)) == list(range(len(sizes)))
    totals = [sum(sizes[at] for at in group) for group in made]
    assert max(totals, default=0) <= MOST_ROWS
    assert all(a >= 2 * b or a + b > MOST_ROWS for a, b in itertools.pairwise(totals))


def test_a_row_is_written_again_few_times() -> None:
    """A thousand snapshots of one row each: some ten copies a row, as many parts as the logarithm says."""
    sizes: list[int] = []
    written = 0
    for _ in range(1_000):
        sizes.append(1)
        made = groups(sizes)
        written += sum(sizes[at] for group in made if len(group) > 1 or group[0] == len(sizes) - 1 for at in group)
        sizes = [sum(sizes[at] for at in group) for group in made]
    assert len(sizes) <= 10
    assert written <= 10 * 1_000


def test_changed_and_deleted_rows_do_not_count() -> None:
    """Only parts with a deleted memory are unclean, also where its row was dead before; half of an id is no id."""
    alive = np.array([True, True, True, False, True, True])
    held = held_parts([part(3), part(2), part(1)], numbers(IDS), alive)
    one, two, three = without(held, {IDS[0], IDS[3]}, {IDS[3]})
    assert one.alive.tolist() == [False, True, True]
    assert two.alive.tolist() == [False, True]
    assert three.alive.tolist() == [True]
    assert [one.unclean, two.unclean, three.unclean] == [False, True, False]
    assert [each.living for each in without(held, set(), set())] == [3, 1, 1]


@pytest.mark.parametrize(
    ("dead", "unclean", "ends_ms", "stays"),
    [
        (0, False, NEVER, True),
        (2, False, NEVER, True),
        (3, False, NEVER, False),
        (0, True, NEVER, False),
        (0, False, 1_000, False),
        (0, False, 1_001, True),
    ],
)
def test_a_part_stays_while_little_of_it_is_dead(dead: int, unclean: bool, ends_ms: int, stays: bool) -> None:
    """A tenth at most, nothing that was deleted, nothing that expired long ago."""
    alive = np.arange(20) >= dead
    held = Held(part(20, ends_ms), np.zeros((20, 2), np.uint64), alive, unclean=unclean)
    assert held.stays(1_000) is stays


@given(st.lists(st.booleans(), max_size=40))
def test_rows_are_read_back(alive: list[bool]) -> None:
    """Any number, also one that fills no byte."""
    ids = np.arange(2 * len(alive), dtype=np.uint64).reshape(-1, 2) * np.uint64(2**59 + 1)
    data = pack_alive(ids, np.array(alive, np.bool_))
    read_ids, read_alive = unpack_alive(data, len(alive))
    assert np.array_equal(read_ids, ids)
    assert read_alive.tolist() == alive


def test_damaged_rows_are_refused() -> None:
    """Each byte counts, and the number of rows."""
    data = pack_alive(numbers(IDS), np.ones(len(IDS), np.bool_))
    for at in range(len(data)):
        with pytest.raises(UnreadableBlock):
            unpack_alive(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :], len(IDS))
    for wrong, rows in ((data, 5), (data, 7), (data[:-1], 6), (b"", 6), (b"", 0), (data + b"\0", 6)):
        with pytest.raises(UnreadableBlock):
            unpack_alive(wrong, rows)


def test_a_record_is_read_back_by_the_same_model_alone() -> None:
    """Numbers of any size; no parts mean no snapshot."""
    snapshot = Snapshot(512, (3, 7), (part(3), part(2, 1_796_032_800_000)), "alive")
    item = Item(Key("p", "s"), snapshot.to_body("m", 8))
    assert snapshot_of(item, "m", 8) == snapshot
    assert snapshot_of(item, "m", 9) is None
    assert snapshot_of(item, "n", 8) is None
    assert snapshot_of(None, "m", 8) is None
    assert snapshot_of(Item(Key("p", "s"), {}), "m", 8) is None
    assert snapshot_of(Item(Key("p", "s"), Snapshot(1, (1, 0), (), "").to_body("m", 8)), "m", 8) is None
    assert (snapshot.rows, snapshot.names) == (5, {"alive", "p3", "p2"})
