"""Blocks as bytes: what goes in comes out, and nothing but a whole block is read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.retrieval.block import Block, IndexedUnit, build_block
from agent_memory.retrieval.columns import LAYOUT
from agent_memory.retrieval.pack import UnreadableBlock, pack_block, unpack_block
from agent_memory.retrieval.postings import term_hash
from agent_memory.retrieval.tenant_index import TenantIndex

MODEL, DIM = "toy", 3
START = 32  # of the head
TEXT = st.text(max_size=12)
UNITS = st.lists(
    st.builds(
        IndexedUnit,
        id=st.integers(0, 2**128 - 1).map("{:032x}".format),
        scope=st.tuples(TEXT, TEXT, TEXT, TEXT),
        search_text=TEXT | st.sampled_from(["我对虾过敏", "green tea"]),
        speaker=TEXT,
        metadata=st.dictionaries(TEXT, TEXT, max_size=2),
        vector=st.none() | st.just(np.array([1, 2, -3], np.float32)),
        embedding_model=st.just(MODEL),
        created_ms=st.integers(-(2**62), 2**62),
        turn=st.booleans(),
    ),
    max_size=6,
    unique_by=lambda unit: unit.id,
)


def small() -> Block:
    """Three memories with all there is."""
    rest: dict[str, Any] = {"embedding_model": MODEL, "vector": np.ones(3, np.float32), "metadata": {"颜色": "红"}}
    return build_block(
        [
            IndexedUnit("a" * 32, ("s", "u", "a", "r1"), "green tea", "Ann", **rest),
            IndexedUnit("b" * 32, ("s", "u", "a", "r2"), "我对虾过敏", "小王", **rest),
            IndexedUnit("c" * 32, ("s", "u", "a", "r2"), "tea", metadata={"颜色": "蓝", "n": "1"}),
        ],
        MODEL,
        DIM,
    )


PACKED = pack_block(small())


def signed(data: bytes) -> bytes:
    """With the checksum that belongs to it: what somebody makes who knows the format."""
    return data[:8] + hashlib.blake2b(data[24:], digest_size=16).digest() + data[24:]


def head_of(data: bytes) -> tuple[dict[str, Any], bytes]:
    end = START + int.from_bytes(data[24:START], "little")
    return json.loads(data[START:end]), data[end:]


def with_head(change: Callable[[dict[str, Any]], Any]) -> bytes:
    """The small block with another head of the same length, so that the arrays stay where they are."""
    head, arrays = head_of(PACKED)
    text = json.dumps(change(head) or head, separators=(",", ":")).encode()
    text = text.ljust(len(PACKED) - START - len(arrays))
    return signed(PACKED[:24] + len(text).to_bytes(8, "little") + text + arrays)


@settings(deadline=None)
@given(UNITS)
def test_what_is_packed_is_unpacked(units: list[IndexedUnit]) -> None:
    """Every column, table, posting and value, and the same bytes again."""
    block = build_block(units, MODEL, DIM)
    data = pack_block(block)
    again = unpack_block(data)
    assert pack_block(again) == data
    assert (again.model, again.dim, again.scopes, again.speakers) == (MODEL, DIM, block.scopes, block.speakers)
    for name in LAYOUT:
        one, other = getattr(block, name), getattr(again, name)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert (one == other).all()


def test_arrays_are_not_copied() -> None:
    """They lie in the bytes, and nobody writes to them."""
    block = unpack_block(PACKED)
    assert not block.vectors.flags.owndata
    assert not block.vectors.flags.writeable
    assert block.postings.find(term_hash("tea"))[0].tolist() == [0, 2]
    assert {key: {value: rows.tolist() for value, rows in by.items()} for key, by in block.metadata.items()} == {
        "n": {"1": [2]},
        "颜色": {"红": [0, 1], "蓝": [2]},
    }


def test_a_later_change_leaves_the_bytes() -> None:
    """An index made of them grows elsewhere."""
    data = bytes(PACKED)
    index = TenantIndex.from_blocks(MODEL, DIM, [unpack_block(data)])
    index.apply([IndexedUnit("d" * 32, ("s", "u", "a", "r1"), "more tea")], ["a" * 32])
    assert data == PACKED
    assert len(index) == 3


@pytest.mark.parametrize("cut", [0, 1, 7, 8, 23, 24, 31, 32, 40, len(PACKED) - 1])
def test_a_part_of_a_block_is_none(cut: int) -> None:
    """Wherever it ends, with a checksum or without; nor is one with something behind it."""
    for data in (PACKED[:cut], signed(PACKED[:cut]), PACKED + b"x", signed(PACKED + b"x")):
        with pytest.raises(UnreadableBlock):
            unpack_block(data)


@pytest.mark.parametrize("position", range(0, len(PACKED), 37))
def test_one_wrong_bit_is_found(position: int) -> None:
    """By the checksum, wherever it is."""
    data = bytearray(PACKED)
    data[position] ^= 4
    with pytest.raises(UnreadableBlock):
        unpack_block(bytes(data))


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head.update(tokenizer=0),
        lambda head: head.update(size=6),
        lambda head: head.update(size=True),
        lambda head: head.update(size=2**60),
        lambda head: head.update(dim=-1),
        lambda head: head.update(dim=9**9),
        lambda head: head.update(model=None),
        lambda head: head.update(scopes=head["scopes"][:1]),
        lambda head: head.update(scopes=[["a", "b", "c"]]),
        lambda head: head.update(scopes=[head["scopes"][0]] * 2),
        lambda head: head.update(scopes={}),
        lambda head: head.update(speakers=[]),
        lambda head: head.update(speakers=[1, 2]),
        lambda head: head.update(metadata=[["n", ["1"]]]),
        lambda head: head.update(metadata=[["n"]]),
        lambda head: head.update(metadata={"n": []}),
        lambda head: head.update(lengths=head["lengths"][:5]),
        lambda head: head.update(lengths=[0, 0, 0, 0, 0, 0]),
        lambda head: head.pop("lengths"),
        lambda head: ["x"],
        lambda head: "x",
    ],
)
def test_heads_that_lie_are_refused(change: Any) -> None:
    """Whatever the checksum says."""
    with pytest.raises(UnreadableBlock):
        unpack_block(with_head(change))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(24, len(PACKED) - 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_signed_nonsense_breaks_nothing(changes: list[tuple[int, int]]) -> None:
    """It is refused, or it is a block that an index can be made of and searched."""
    data = bytearray(PACKED)
    for position, value in changes:
        data[position] = value
    try:
        block = unpack_block(signed(bytes(data)))
    except UnreadableBlock:
        return
    index = TenantIndex.from_blocks(block.model, block.dim, [block])
    index.apply([IndexedUnit("d" * 32, ("s", "u", "a", "r1"), "more tea")], ["a" * 32])
    assert index.rows.postings.find(term_hash("tea"))[0].max() < index.rows.size


@given(st.binary(max_size=80), st.binary(max_size=60))
def test_any_bytes(free: bytes, head: bytes) -> None:
    """Only UnreadableBlock, also for a signed head of nonsense."""
    for data in (free, signed(PACKED[:24] + free), signed(PACKED[:24] + len(head).to_bytes(8, "little") + head)):
        with pytest.raises(UnreadableBlock):
            unpack_block(data)


def test_a_deep_head() -> None:
    """Nested further than Python reads."""
    head = b"[" * 100_000
    with pytest.raises(UnreadableBlock):
        unpack_block(signed(PACKED[:24] + len(head).to_bytes(8, "little") + head))
