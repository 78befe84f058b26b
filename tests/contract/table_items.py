"""Items and reads in few words, for the contract tests of tables."""

from __future__ import annotations

from typing import Any

from agent_memory.ports import Item, Key, Put, WideTable

LAST = "\U0010ffff"


def item(sk: str, body: dict[str, Any] | None = None, *, pk: str = "p", version: int = 1) -> Item:
    """An item with only what a test cares about."""
    return Item(Key(pk, sk), {} if body is None else body, version)


def put(table: WideTable, *items: Item) -> None:
    """Write the items without conditions."""
    table.write_many([Put(each) for each in items])


def sort_keys(table: WideTable, first: str = "", last: str = LAST, *, reverse: bool = False) -> list[str]:
    """The sort keys of partition `p` in the order of one large page."""
    return [each.key.sk for each in table.query("p", first, last, limit=1000, reverse=reverse).items]
