"""`nextToken`: sealed, bound to its call, opaque; and the key behind it."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory import keys
from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.errors import ConditionFailed, InvalidParameter
from agent_memory.paging import seal, unseal
from agent_memory.paging_key import read_or_make_paging_key
from agent_memory.ports import Item, Put, Write
from tests.stand_ins import Clock

KEY = bytes(32)
BINDING = ("ListMemoryStoreScopes", "store_1", ("shop", "*", "*", "*"), {"op": "eq", "field": "appId", "value": "店"})
TEXT = st.text(max_size=20)
POSITION = st.dictionaries(TEXT, TEXT | st.integers() | st.lists(TEXT, max_size=3) | st.none(), max_size=4)


def refused(token: str, binding: tuple[Any, ...] = BINDING, key: bytes = KEY) -> None:
    with pytest.raises(InvalidParameter) as raised:
        unseal(token, binding, key)
    assert raised.value.field == "nextToken"
    assert raised.value.message == "nextToken does not belong to this operation, scope and filter"


@settings(deadline=None)
@given(POSITION)
def test_a_token_gives_its_position_back(position: dict[str, Any]) -> None:
    """Any JSON object, Chinese names and emoji too."""
    assert unseal(seal(position, BINDING, KEY), BINDING, KEY) == position


def test_a_token_is_url_safe_ascii() -> None:
    """It travels in JSON, in a URL and in a shell without quoting."""
    token = seal({"after": "用户/🦐?&+="}, BINDING, KEY)
    assert token.replace("-", "").replace("_", "").isalnum()
    assert token.isascii()


@pytest.mark.parametrize(
    "other",
    [
        ("ListMemoryStoreMessages", *BINDING[1:]),
        ("ListMemoryStoreScopes", "store_2", *BINDING[2:]),
        (*BINDING[:2], ("shop", "t1", "*", "*"), BINDING[3]),
        (*BINDING[:3], {"op": "eq", "field": "appId", "value": "另"}),
        (*BINDING[:3], None),
        BINDING[:3],
        (),
    ],
)
def test_a_token_serves_its_own_call_only(other: tuple[Any, ...]) -> None:
    """Another operation, store, scope or filter is refused."""
    refused(seal({"after": "x"}, BINDING, KEY), other)


def test_parts_of_a_binding_do_not_run_together() -> None:
    """Two bindings whose parts join to the same text are two."""
    refused(seal({"after": "x"}, ("ab", "c"), KEY), ("a", "bc"))


def test_the_order_of_a_filters_fields_does_not_matter() -> None:
    """A client may write the same filter in another order on the next page."""
    turned = (*BINDING[:3], dict(reversed(list(BINDING[3].items()))))
    assert unseal(seal({"after": "x"}, BINDING, KEY), turned, KEY) == {"after": "x"}


def test_a_token_of_another_table_is_refused() -> None:
    """The key decides."""
    refused(seal({"after": "x"}, BINDING, KEY), key=b"\x01" * 32)


@settings(deadline=None)
@given(st.data())
def test_a_changed_byte_is_noticed(data: st.DataObject) -> None:
    """Every bit of the token is under the seal."""
    token = seal({"after": "用户", "tenant": "t1"}, BINDING, KEY)
    raw = bytearray(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    refused(base64.urlsafe_b64encode(raw).decode().rstrip("="))


def test_a_shortened_or_lengthened_token_is_refused() -> None:
    """From nothing to all but the last character, and with something behind."""
    token = seal({"after": "用户"}, BINDING, KEY)
    for end in range(len(token)):
        refused(token[:end])
    for more in ("A", "AAAA", "=", "==", "虾", token):
        refused(token + more)


@settings(deadline=None)
@given(st.text(st.characters(categories=None), max_size=80))
def test_no_text_raises_anything_else(text: str) -> None:
    """Random text, lone surrogates and all, is an invalid nextToken and nothing worse."""
    refused(text)


@settings(deadline=None)
@given(st.binary(max_size=80))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    """Well-formed base64 of anything is refused as well."""
    refused(base64.urlsafe_b64encode(data).decode())


def memory_table() -> SqliteTable:
    return SqliteTable(":memory:", now=Clock().seconds)


def test_the_key_is_made_once_per_table() -> None:
    """32 bytes, the same at each reading, another for another table."""
    table = memory_table()
    made = read_or_make_paging_key(table)
    assert len(made) == 32
    assert read_or_make_paging_key(table) == made
    assert read_or_make_paging_key(memory_table()) != made


class LosingTable:
    """A table to which another process always writes its paging key just before."""

    def __init__(self, first: bytes) -> None:
        self._table = memory_table()
        self._first = first
        self.get = self._table.get

    def write(self, writes: Sequence[Write]) -> None:
        with suppress(ConditionFailed):
            self._table.write([Put(Item(keys.PAGING_KEY, {"key": self._first.hex()}), expect=0)])
        self._table.write(writes)


def test_the_process_that_comes_second_takes_the_first_ones_key() -> None:
    """Two cold processes end with one key."""
    table: Any = LosingTable(b"\x07" * 32)
    assert read_or_make_paging_key(table) == b"\x07" * 32
