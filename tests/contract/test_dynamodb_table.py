"""What only the DynamoDB table has: its cost, its own table, tokens and threads on a server that keeps them right."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from agent_memory.adapters.dynamodb_table import DynamoTable
from agent_memory.adapters.meter import Meter
from agent_memory.adapters.table_rules import encode
from agent_memory.errors import ConditionFailed
from agent_memory.ports import MAX_ITEM_BYTES, Delete, Item, Key, Put

from .scripted_dynamodb import NAME, Answer, Scripted, Waits, fault, puts, table_of
from .table_items import LAST


def test_every_call_asks_for_its_capacity_and_counts() -> None:
    """Calls are counted by operation, failed ones too; answers of one table and of several are summed."""
    one, many = {"ConsumedCapacity": {"CapacityUnits": 1.5}}, {"ConsumedCapacity": [{"CapacityUnits": 2.0}] * 2}
    answers: tuple[Answer, ...] = (
        one | {"Items": []},
        many | {"Responses": {}},
        one,
        fault("ThrottlingException"),
        many,
        many,
        {},
    )
    client, meter = Scripted(*answers), Meter()
    table = table_of(client, meter=meter)

    table.query("p", "", LAST, limit=5)
    table.get([Key("p", "a")])
    table.write(puts(1))
    table.write(puts(2))
    table.write_many(puts(2))
    table.write([Delete(Key("p", "a"))])

    reading = meter.snapshot()
    assert all(request["ReturnConsumedCapacity"] == "TOTAL" for _, request in client.requests)
    singles = ("query", "batch_get_item", "put_item", "batch_write_item", "delete_item")
    assert reading.calls == dict.fromkeys(singles, 1) | {"transact_write_items": 2}
    assert (reading.read_units, reading.write_units) == (5.5, 9.5)


def test_two_readings_tell_what_was_between_them() -> None:
    """Operations that were not called in between are left out; an earlier reading never changes."""
    meter = Meter()
    empty = meter.snapshot()
    meter.count("query")
    meter.consume(read_units=1.5)
    middle = meter.snapshot()
    meter.count("put_item")
    meter.consume(write_units=2.0)

    between = meter.snapshot().since(middle)

    assert (between.calls, between.read_units, between.write_units) == ({"put_item": 1}, 0.0, 2.0)
    assert (empty.calls, empty.read_units, middle.calls) == ({}, 0.0, {"query": 1})


def test_the_meter_loses_no_call_of_any_thread() -> None:
    """Eight threads at once."""
    meter, gate = Meter(), threading.Barrier(8)

    def add(_: int) -> None:
        gate.wait(30)
        for _ in range(500):
            meter.count("query")
            meter.consume(read_units=0.5)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(8)))

    assert (meter.snapshot().calls, meter.snapshot().read_units) == ({"query": 4000}, 2000.0)


def test_reads_on_moto_count_capacity(moto_client: Any) -> None:
    """A real answer has the shape that is summed."""
    meter = Meter()
    table = table_of(moto_client, meter=meter)

    table.write(puts(1))
    table.query("p", "", LAST, limit=5)

    assert meter.snapshot().read_units > 0
    assert meter.snapshot().write_units > 0


def test_the_table_for_emulators_expires_on_ttl(moto_client: Any) -> None:
    """On demand, keys pk and sk, time to live on the attribute that items use."""
    described = moto_client.describe_table(TableName=NAME)["Table"]
    expiry = moto_client.describe_time_to_live(TableName=NAME)["TimeToLiveDescription"]

    assert described["KeySchema"] == [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ]
    assert described["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert (expiry["AttributeName"], expiry["TimeToLiveStatus"]) == ("ttl", "ENABLED")


def test_the_largest_item_that_the_rules_allow_is_taken(dynoxide_table: DynamoTable) -> None:
    """The sizes counted here are never below those that DynamoDB's rules give."""
    empty = Item(Key("p", "键"), {"text": "x"}, 2**31, b"1", 4_000_000_000)
    room = MAX_ITEM_BYTES - encode(empty).size
    largest = Item(empty.key, {"text": "x" * (room + 1)}, empty.version, empty.blob, empty.ttl)

    dynoxide_table.write([Put(largest)])

    assert encode(largest).size == MAX_ITEM_BYTES
    assert dynoxide_table.get([largest.key]) == {largest.key: largest}


def test_threads_lose_no_update(dynoxide_table: DynamoTable) -> None:
    """Four threads count together with conditional writes, alone and in transactions."""
    counter, mark = Key("counters", "计数"), Key("counters", "mark")

    def increment(worker: int) -> None:
        done = 0
        while done < 10:
            seen = dynoxide_table.get([counter]).get(counter)
            version, n = (seen.version, seen.body["n"]) if seen else (0, 0)
            put = Put(Item(counter, {"n": n + 1}, version + 1), expect=version)
            try:
                dynoxide_table.write([put] if worker % 2 else [put, Put(Item(mark, {"worker": worker}))])
            except ConditionFailed:
                continue
            done += 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(increment, range(4)))

    assert dynoxide_table.get([counter])[counter].body == {"n": 40}


def test_a_token_sent_twice_is_applied_once(dynoxide_table: DynamoTable) -> None:
    """The server went through with the transaction, its answer was lost, and the second try changes nothing."""
    real = cast("Any", dynoxide_table)._calls._client
    name = cast("Any", dynoxide_table)._table

    def apply_and_lose_the_answer(**request: Any) -> dict[str, Any]:
        real.transact_write_items(**request)
        raise fault("InternalServerError", status=500)

    scripted = Scripted(apply_and_lose_the_answer, real.transact_write_items)
    table = DynamoTable(cast("Any", scripted), name, pause=Waits(), random=lambda: 0.5, meter=Meter())

    table.write([Put(Item(Key("p", "a"), {"n": 1}), expect=0), Put(Item(Key("p", "b"), {"n": 2}), expect=0)])

    assert len(scripted.requests) == 2
    assert len(dynoxide_table.get([Key("p", "a"), Key("p", "b")])) == 2
