"""What every WideTable keeps, on SQLite and on DynamoDB stand-ins alike: values, keys, many at a time."""

from __future__ import annotations

import unicodedata

import pytest

from agent_memory.ports import Delete, Item, Key, Put, WideTable

from .table_items import LAST, item, put, sort_keys

COMPOSED = unicodedata.normalize("NFC", "é")
DECOMPOSED = unicodedata.normalize("NFD", "é")


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        False,
        0,
        -1,
        2**53 + 1,
        10**40,
        0.1,
        -0.0,
        1e300,
        5e-324,
        1.0,
        "",
        "我对虾过敏",
        "订单号 AB-2093 🦐👨‍👩‍👧",
        COMPOSED,
        DECOMPOSED,
        'quote " backslash \\ nul \x00 tab \t line\u2028',
        "\ud800 alone",
        [],
        {},
        [1, [2.5, {"深": [None, "值"]}], "x"],
        {"": {"a.b#c": {"键": []}}},
    ],
)
def test_a_body_comes_back_as_it_was(table: WideTable, value: object) -> None:
    """Every JSON value round-trips with its type, digits and code points."""
    table.write([Put(item("a", {"value": value, "键": 1}))])

    body = table.get([Key("p", "a")])[Key("p", "a")].body

    assert repr(body) == repr({"value": value, "键": 1})


def test_blob_version_and_ttl_come_back(table: WideTable) -> None:
    """A blob of all bytes, the version and the expiry are kept; without them the defaults come back."""
    rich = Item(Key("p", "rich"), {"a": 1}, 7, bytes(range(256)), 4_000_000_000)
    bare = Item(Key("p", "bare"), {})
    table.write([Put(rich), Put(bare)])

    assert table.get([rich.key, bare.key]) == {rich.key: rich, bare.key: bare}
    assert table.query("p", "", LAST, limit=5).items == (bare, rich)


def test_keys_keep_every_character(table: WideTable) -> None:
    """Composed and decomposed letters, Chinese and emoji make different keys in both parts."""
    names = [COMPOSED, DECOMPOSED, "用户", "🦐", "a b", "a\x00b", "A", "a"]
    items = [item(sk, pk=pk) for pk in names for sk in names]
    put(table, *items)

    assert table.get([each.key for each in items]) == {each.key: each for each in items}
    assert [each.key.pk for each in table.query(COMPOSED, "", LAST, limit=100).items] == [COMPOSED] * len(names)


def test_put_replaces_the_whole_item(table: WideTable) -> None:
    """Nothing of the earlier body, blob or expiry is left."""
    table.write([Put(Item(Key("p", "a"), {"old": 1}, 1, b"blob", 4_000_000_000))])
    new = Item(Key("p", "a"), {"new": 2}, 2)

    table.write([Put(new)])

    assert table.get([new.key]) == {new.key: new}


def test_get_leaves_out_what_is_missing(table: WideTable) -> None:
    """Missing keys are absent from the answer, repeated keys are there once, no key gives nothing."""
    put(table, item("a"))

    assert set(table.get([Key("p", "a"), Key("p", "b"), Key("q", "a"), Key("p", "a")])) == {Key("p", "a")}
    assert table.get([]) == {}


def test_get_takes_any_number_of_keys(table: WideTable) -> None:
    """250 keys, more than two calls of DynamoDB, from an iterator."""
    items = [item(f"{n:03}", {"n": n}) for n in range(250)]
    put(table, *items)

    found = table.get(each.key for each in items)

    assert found == {each.key: each for each in items}


def test_write_many_takes_any_number(table: WideTable) -> None:
    """300 puts and deletes, the last write of a key being the one that counts."""
    put(table, *[item(f"old{n:03}") for n in range(30)])
    writes: list[Put | Delete] = [Put(item(f"new{n:03}")) for n in range(300)]
    writes += [Delete(Key("p", f"old{n:03}")) for n in range(30)]
    writes += [Put(item("new000", {"second": True})), Delete(Key("p", "new001"))]

    table.write_many(iter(writes))

    assert sort_keys(table) == ["new000"] + [f"new{n:03}" for n in range(2, 300)]
    assert table.get([Key("p", "new000")])[Key("p", "new000")].body == {"second": True}
    table.write_many([])


def test_write_many_refuses_conditions(table: WideTable) -> None:
    """A condition is a ValueError before anything is written."""
    with pytest.raises(ValueError, match="condition"):
        table.write_many([Put(item("a")), Put(item("b"), expect=0)])
    with pytest.raises(ValueError, match="condition"):
        table.write_many([Put(item("a")), Delete(Key("p", "b"), expect=1)])

    assert sort_keys(table) == []
