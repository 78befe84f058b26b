"""Calls counted at the ports are those that the adapter for DynamoDB makes."""

from __future__ import annotations

from typing import Any

import pytest
from moto import mock_aws

from agent_memory.adapters.dynamodb_table import DynamoTable, create_table, make_client
from agent_memory.adapters.meter import Meter
from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.ports import Check, Delete, Item, Key, Put
from tests.bench.counted import Bill, CountedSnapshots, CountedTable, billed, calls_for
from tests.stand_ins import MemorySnapshots

KEYS = [Key("p", f"s{number:04d}") for number in range(230)]
ITEMS = [Item(key, {"text": "记忆" * 20}, 1, b"x" * 700) for key in KEYS]
NAMES = {
    "batch_get_item": "BatchGetItem",
    "batch_write_item": "BatchWriteItem",
    "delete_item": "DeleteItem",
    "put_item": "PutItem",
    "query": "Query",
    "transact_write_items": "TransactWriteItems",
}
STEPS = {
    "get": lambda table: table.get([*KEYS, Key("p", "missing")]),
    "get the same twice": lambda table: table.get([KEYS[0], KEYS[0]]),
    "query": lambda table: table.query("p", "s", "t", limit=1_000),
    "query a part": lambda table: table.query("p", "s", "t", limit=10, after=KEYS[20].sk, reverse=True),
    "query nothing": lambda table: table.query("q", "s", "t", limit=10),
    "put": lambda table: table.write([Put(Item(Key("p", "a"), {}), expect=0)]),
    "delete": lambda table: table.write([Delete(KEYS[0])]),
    "check": lambda table: table.write([Check(KEYS[1], expect=1)]),
    "transaction": lambda table: table.write([Put(Item(Key("p", "a"), {})), Check(KEYS[1], expect=1)]),
    "many": lambda table: table.write_many([*map(Delete, KEYS), Delete(KEYS[0])]),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_as_many_calls_of_the_same_kind(step: Any) -> None:
    """The meter of the adapter and the bill agree, call by call."""
    with mock_aws():
        client, meter, bill = make_client("eu-central-1"), Meter(), Bill()
        create_table(client, "t")
        table = DynamoTable(client, "t", pause=lambda _: None, random=lambda: 0.0, meter=meter)
        table.write_many([Put(item) for item in ITEMS])
        before = meter.snapshot()
        step(CountedTable(table, bill))
        made = meter.snapshot().since(before).calls
    assert {NAMES[name]: count for name, count in made.items()} == dict(bill.calls)


def test_a_page_of_a_query_is_a_megabyte() -> None:
    """Three megabytes that are read by one call of the port are three calls or four, by where a page ends."""
    table, bill = SqliteTable(":memory:", now=lambda: 0.0), Bill()
    large = [Item(key, {}, 1, b"x" * 100_000) for key in KEYS[:30]]
    table.write_many([Put(item) for item in large])
    CountedTable(table, bill).query("p", "s", "t", limit=100)
    assert bill.calls["Query"] == 3
    assert 3_000_000 < bill.read < 3_010_000


def test_read_units_are_rounded_up_for_each_item_of_a_batch_and_once_for_a_query() -> None:
    """Ten items of under a kilobyte, and one that is not there."""
    table, bill = SqliteTable(":memory:", now=lambda: 0.0), Bill()
    table.write_many([Put(item) for item in ITEMS[:10]])
    counted = CountedTable(table, bill)
    with billed(bill) as batch:
        counted.get([*KEYS[:10], Key("p", "missing")])
    with billed(bill) as query:
        counted.query("p", "s", "t", limit=100)
    assert (batch.units, query.units) == (11, 3)
    assert batch.read == query.read
    assert bill.units == 14


def test_a_part_of_the_bill_has_only_what_came_inside() -> None:
    """Calls before and after are on the whole bill alone."""
    bill = Bill()
    store = CountedSnapshots(MemorySnapshots(), bill)
    store.write("a/b", b"12345")
    with billed(bill) as part:
        assert store.read("a/b") == b"12345"
        assert store.read("a/c") is None
        assert store.names("a/") == ["a/b"]
    store.delete(["a/b"])
    store.delete([])
    assert dict(part.calls) == {"GetObject": 2, "ListObjectsV2": 1}
    assert (part.read, part.written, part.total) == (5, 0, 3)
    assert dict(bill.calls) == {"PutObject": 1, "GetObject": 2, "ListObjectsV2": 1, "DeleteObjects": 1}
    assert bill.written == 5


@pytest.mark.parametrize(("entries", "calls"), [(0, 0), (1, 1), (100, 1), (101, 2)])
def test_calls_are_as_few_as_the_limit_allows(entries: int, calls: int) -> None:
    """Of 100 entries at most."""
    assert calls_for(entries, 100) == calls
