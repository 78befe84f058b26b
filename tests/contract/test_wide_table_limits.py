"""Limits that every WideTable keeps, as DynamoDB has them."""

from __future__ import annotations

import pytest

from agent_memory.errors import ItemTooLarge
from agent_memory.ports import MAX_ITEM_BYTES, Check, Item, Key, Put, WideTable, Write

from .table_items import LAST, item, put, sort_keys


def test_a_batch_of_a_hundred_over_partitions_is_taken(table: WideTable) -> None:
    """100 writes is the limit, not one over it; they may be spread over partitions."""
    items = [item(f"{n:02}", pk=f"p{n % 7}") for n in range(100)]

    table.write([Put(each, expect=0) for each in items])

    assert len(table.get(each.key for each in items)) == 100


@pytest.mark.parametrize(
    "writes",
    [
        [],
        [Put(item(f"{n:03}")) for n in range(101)],
        [Put(item("a")), Check(Key("p", "a"), expect=0)],
        [Put(item("b")), Put(item("a", {"n": float("nan")}))],
        [Put(item("b")), Put(item("a", version=0))],
        [Put(item("b")), Put(item(""))],
    ],
    ids=["none", "101", "one key twice", "not JSON", "version 0", "empty key"],
)
def test_a_batch_that_can_never_be_written_is_a_value_error(table: WideTable, writes: list[Write]) -> None:
    """Wrong batches are the caller's fault and write nothing."""
    with pytest.raises(ValueError, match=r"."):
        table.write(writes)

    assert sort_keys(table) == []


def test_an_item_may_have_400_kb_and_no_more(table: WideTable) -> None:
    """Body, blob and keys count together, Chinese characters three bytes each."""
    text = "虾" * 134_000
    fits = Item(Key("p", "fits"), {"text": text}, 1, bytes(2_000))
    table.write([Put(fits)])

    assert table.get([fits.key]) == {fits.key: fits}
    for body, blob in [({"text": text}, bytes(7_600)), ({"text": "虾" * 137_000}, b""), ({}, bytes(MAX_ITEM_BYTES))]:
        with pytest.raises(ItemTooLarge):
            table.write([Put(item("other")), Put(Item(Key("p", "big"), body, 1, blob))])
        with pytest.raises(ItemTooLarge):
            table.write_many([Put(Item(Key("p", "big"), body, 1, blob))])
    assert sort_keys(table) == ["fits"]


def test_keys_and_batches_have_limits_too(table: WideTable) -> None:
    """2,048 bytes of partition key, 1,024 of sort key, 4 MB of one batch."""
    put(table, item("虾" * 341, pk="p"), item("a", pk="虾" * 682))
    blob = bytes(MAX_ITEM_BYTES - 200)

    for key in (Key("p", "虾" * 342), Key("虾" * 683, "a")):
        with pytest.raises(ItemTooLarge):
            table.write([Put(Item(key, {}))])
    with pytest.raises(ItemTooLarge):
        table.write([Put(Item(Key("p", str(n)), {}, 1, blob)) for n in range(11)])
    assert sort_keys(table) == ["虾" * 341]


def test_a_page_may_be_larger_than_one_answer_of_dynamodb(table: WideTable) -> None:
    """Seven items of 350 KB pass the 1 MB of a Query answer and still come as one page, with an exact end."""
    items = [Item(Key("p", str(n)), {"n": n}, 1, bytes([n]) * 350_000) for n in range(7)]
    put(table, *items)

    whole = table.query("p", "", LAST, limit=7)
    part = table.query("p", "", LAST, limit=6)

    assert (whole.items, whole.more) == (tuple(items), False)
    assert (part.items, part.more) == (tuple(items[:6]), True)
    assert len(table.get([each.key for each in items])) == 7


def test_a_page_holds_at_least_one_item(table: WideTable) -> None:
    """A page size of zero is a ValueError."""
    with pytest.raises(ValueError, match="page"):
        table.query("p", "", LAST, limit=0)
