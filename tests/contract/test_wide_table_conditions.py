"""Conditions of every WideTable: on absence, on the exact version, all of a batch or nothing."""

from __future__ import annotations

import pytest

from agent_memory.errors import ConditionFailed
from agent_memory.ports import Check, Delete, Item, Key, Put, WideTable, Write

from .table_items import LAST, item, put, sort_keys


@pytest.mark.parametrize(
    "write",
    [
        Put(item("new"), expect=0),
        Put(item("old", version=4), expect=3),
        Delete(Key("p", "old"), expect=3),
        Delete(Key("p", "new"), expect=0),
        Delete(Key("p", "new")),
        Check(Key("p", "old"), expect=3),
        Check(Key("p", "new"), expect=0),
    ],
)
@pytest.mark.parametrize("beside", [[], [Put(item("other"))]], ids=["alone", "in a batch"])
def test_a_condition_that_holds_lets_the_batch_through(table: WideTable, write: Write, beside: list[Write]) -> None:
    """Conditions on absence and on the exact version, alone and in a transaction."""
    put(table, item("old", version=3))

    table.write([write, *beside])

    expected = {"old"} | {"other" for _ in beside}
    expected |= {write.item.key.sk} if isinstance(write, Put) else set()
    expected -= {write.key.sk} if isinstance(write, Delete) else set()
    assert set(sort_keys(table)) == expected


@pytest.mark.parametrize(
    "write",
    [
        Put(item("old"), expect=0),
        Put(item("old", version=3), expect=2),
        Put(item("new"), expect=1),
        Delete(Key("p", "old"), expect=2),
        Delete(Key("p", "old"), expect=0),
        Delete(Key("p", "new"), expect=1),
        Check(Key("p", "old"), expect=0),
        Check(Key("p", "old"), expect=4),
        Check(Key("p", "new"), expect=3),
    ],
)
@pytest.mark.parametrize("before", [0, 2])
def test_a_condition_that_fails_stops_the_batch(table: WideTable, write: Write, before: int) -> None:
    """Nothing of the batch is written, and the error names the position."""
    put(table, item("old", {"kept": True}, version=3))
    others: list[Write] = [Put(item(f"other{n}"), expect=0) for n in range(before)]

    with pytest.raises(ConditionFailed) as caught:
        table.write([*others, write])

    assert caught.value.failed == (before,)
    assert table.query("p", "", LAST, limit=9).items == (item("old", {"kept": True}, version=3),)


def test_all_failed_positions_are_named(table: WideTable) -> None:
    """Each write whose condition did not hold, and only those."""
    put(table, item("b"), item("d", version=2))
    batch: list[Write] = [
        Put(item("a"), expect=0),
        Put(item("b"), expect=0),
        Put(item("c")),
        Check(Key("p", "d"), expect=1),
        Delete(Key("p", "e"), expect=0),
    ]

    with pytest.raises(ConditionFailed) as caught:
        table.write(batch)

    assert caught.value.failed == (1, 3)
    assert sort_keys(table) == ["b", "d"]


def test_reads_see_every_finished_write(table: WideTable) -> None:
    """Read, change, write back with the version: 20 rounds without a conflict."""
    key = Key("p", "counter")
    table.write([Put(Item(key, {"n": 0}), expect=0)])
    for n in range(20):
        seen = table.get([key])[key]
        assert (seen.body, seen.version) == ({"n": n}, n + 1)
        table.write([Put(Item(key, {"n": n + 1}, seen.version + 1), expect=seen.version)])
