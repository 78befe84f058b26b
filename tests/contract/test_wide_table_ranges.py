"""Ranges of every WideTable: order by UTF-8 bytes, both directions, pages while writes go on."""

from __future__ import annotations

import pytest

from agent_memory.ports import Delete, Key, Put, WideTable

from .table_items import LAST, item, put, sort_keys


def walk(table: WideTable, size: int, *, reverse: bool = False) -> list[list[str]]:
    """The pages of partition `p`, followed until the table says there is no more."""
    pages: list[list[str]] = []
    after = None
    for _ in range(100):
        page = table.query("p", "", LAST, limit=size, after=after, reverse=reverse)
        pages.append([each.key.sk for each in page.items])
        if not page.more:
            return pages
        after = pages[-1][-1]
    raise AssertionError("the pages never end")


def test_items_come_in_the_order_of_utf8_bytes(table: WideTable) -> None:
    """Capitals before small letters, accents and Chinese after ASCII, astral characters after U+FFFF."""
    names = [
        "b",
        "a",
        "B",
        "a/",
        "a0",
        "é",
        "e\u0301",
        "虾",
        "\uffff",
        "🦐",
        "\U0010ffff",
        "~",
        "a\x00",
        "\x01",
        "10",
        "9",
    ]
    put(table, *[item(name) for name in names])

    in_order = sorted(names, key=str.encode)
    assert sort_keys(table) == in_order
    assert sort_keys(table, reverse=True) == in_order[::-1]


def test_a_range_holds_both_its_ends(table: WideTable) -> None:
    """Where first <= sk <= last, in one partition only; a range that ends before it starts is empty."""
    put(table, *[item(name) for name in "abcde"], item("c", pk="q"))

    assert sort_keys(table, "b", "d") == ["b", "c", "d"]
    assert sort_keys(table, "b", "d", reverse=True) == ["d", "c", "b"]
    assert sort_keys(table, "bb", "cz") == ["c"]
    assert sort_keys(table, "d", "b") == []
    assert sort_keys(table, "x", "y") == []
    assert table.query("nowhere", "", LAST, limit=3).items == ()


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("size", [1, 3, 5, 10, 11])
def test_pages_hold_everything_once(table: WideTable, size: int, *, reverse: bool) -> None:
    """Every page but the last is full, and `more` is true exactly while something is left."""
    names = list("0123456789")
    put(table, *[item(name) for name in names])

    pages = walk(table, size, reverse=reverse)

    assert [name for page in pages for name in page] == (names[::-1] if reverse else names)
    assert [len(page) for page in pages[:-1]] == [size] * (len(pages) - 1)
    assert pages[-1]


@pytest.mark.parametrize(
    ("after", "up", "down"),
    [
        ("c", ["d", "e"], ["b"]),
        ("cc", ["d", "e"], ["c", "b"]),
        ("b", ["c", "d", "e"], []),
        ("e", [], ["d", "c", "b"]),
        ("a", ["b", "c", "d", "e"], []),
        ("aa", ["b", "c", "d", "e"], []),
        ("f", [], ["e", "d", "c", "b"]),
        ("虾", [], ["e", "d", "c", "b"]),
    ],
)
def test_after_need_not_exist_nor_lie_in_the_range(
    table: WideTable, after: str, up: list[str], down: list[str]
) -> None:
    """A page goes on behind `after` wherever that is; behind the end of the range it is empty."""
    put(table, *[item(name) for name in "abcdefg"])

    ascending = table.query("p", "b", "e", limit=9, after=after)
    descending = table.query("p", "b", "e", limit=9, after=after, reverse=True)

    assert ([each.key.sk for each in ascending.items], ascending.more) == (up, False)
    assert ([each.key.sk for each in descending.items], descending.more) == (down, False)


@pytest.mark.parametrize("reverse", [False, True])
def test_writes_between_pages_list_nothing_twice(table: WideTable, *, reverse: bool) -> None:
    """Puts before and behind the place, and the deletion of the place itself, neither repeat nor lose an item."""
    put(table, *[item(f"{n:02}") for n in range(10, 20)])
    seen: list[str] = []
    after, more = None, True
    for turn in range(20):
        if not more:
            break
        page = table.query("p", "", LAST, limit=3, after=after, reverse=reverse)
        seen += [each.key.sk for each in page.items]
        after, more = seen[-1], page.more
        table.write([Put(item(f"{turn:02}")), Put(item(f"{30 + turn:02}")), Delete(Key("p", after))])

    assert not more
    assert len(seen) == len(set(seen))
    assert {f"{n:02}" for n in range(10, 20)} <= set(seen)
