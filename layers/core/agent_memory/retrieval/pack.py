"""A block as bytes and back: a head in JSON, then the arrays as they lie in memory, under a checksum.

8 bytes   a mark with the number of the format
16 bytes  BLAKE2b of all that follows
8 bytes   length of the head, little-endian
head      tokenizer, model, dim, rows, tables, metadata keys and values, number of entries of each free array
arrays    in the order of ARRAYS, each at a multiple of 64 bytes
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from agent_memory.retrieval.block import Block
from agent_memory.retrieval.block_checks import UnreadableBlock, check_columns, check_lists, checked_head, demand
from agent_memory.retrieval.columns import LAYOUT, shape_of
from agent_memory.retrieval.metadata_rows import flattened, unflattened
from agent_memory.retrieval.postings import Postings
from agent_memory.retrieval.tokenizer import TOKENIZER_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

__all__ = ["FORMAT", "UnreadableBlock", "pack_block", "unpack_block"]

FORMAT = 1
_MARK = b"AMBLOCK" + bytes([FORMAT])
_DIGEST, _LENGTH, _ALIGNED = 16, 8, 64
_HEAD = len(_MARK) + _DIGEST + _LENGTH
_FREE = {"terms": "<u8", "starts": "<u4", "rows": "<i4", "counts": "|u1", "values": "<u4", "value_rows": "<i4"}
ARRAYS = {**{name: dtype for name, (dtype, _) in LAYOUT.items()}, **_FREE}
"""Name and type of each array; those of the postings and the metadata are free in their length."""


def pack_block(block: Block) -> bytes:
    """The block as bytes; equal blocks give equal bytes."""
    import numpy as np

    pairs, values, value_rows = flattened(block.metadata)
    free = {name: getattr(block.postings, name) for name in ("terms", "starts", "rows", "counts")}
    arrays: Arrays = {**block.arrays(), **free, "values": values, "value_rows": value_rows}
    head = json.dumps(_head(block, pairs, arrays), separators=(",", ":")).encode()
    parts: list[Any] = [len(head).to_bytes(_LENGTH, "little"), head]
    at = _HEAD + len(head)
    for name, dtype in ARRAYS.items():
        data = np.ascontiguousarray(arrays[name], dtype).reshape(-1).view(np.uint8)
        parts += [bytes(-at % _ALIGNED), data]
        at += -at % _ALIGNED + len(data)
    return b"".join([_MARK, _checksum(parts), *parts])


def unpack_block(data: bytes) -> Block:
    """The block of `pack_block`; its arrays lie in `data`, without a copy, and cannot be written to.

    Raises UnreadableBlock for another format or tokenizer, and for anything that is no whole block.
    """
    demand(data[: len(_MARK)] == _MARK, "another format")
    demand(len(data) >= _HEAD, "too short")
    whole = memoryview(data)
    demand(whole[len(_MARK) :][:_DIGEST] == _checksum([whole[len(_MARK) + _DIGEST :]]), "another checksum")
    length = int.from_bytes(whole[_HEAD - _LENGTH : _HEAD], "little")
    demand(length <= len(data) - _HEAD, "a head that is too long")
    head = checked_head(bytes(whole[_HEAD : _HEAD + length]), len(_FREE))
    arrays = _arrays(data, _HEAD + length, head)
    scopes, speakers = tuple(map(tuple, head["scopes"])), tuple(head["speakers"])
    check_columns(arrays, len(scopes), len(speakers))
    check_lists(arrays, head)
    return Block(
        model=head["model"],
        dim=head["dim"],
        scopes=scopes,
        speakers=speakers,
        metadata=unflattened(head["metadata"], arrays["values"], arrays["value_rows"]),
        postings=Postings(*(arrays[name] for name in ("terms", "starts", "rows", "counts"))),
        **{name: arrays[name] for name in LAYOUT},
    )


def _checksum(parts: list[Any]) -> bytes:
    hasher = hashlib.blake2b(digest_size=_DIGEST)
    for part in parts:
        hasher.update(part)
    return hasher.digest()


def _head(block: Block, pairs: list[Any], arrays: Arrays) -> dict[str, Any]:
    return {
        "tokenizer": TOKENIZER_VERSION,
        "model": block.model,
        "dim": block.dim,
        "size": block.size,
        "scopes": block.scopes,
        "speakers": block.speakers,
        "metadata": pairs,
        "lengths": [len(arrays[name]) for name in _FREE],
    }


def _arrays(data: bytes, at: int, head: Mapping[str, Any]) -> Arrays:
    """The arrays by name; UnreadableBlock where they are not as long as the data."""
    import numpy as np

    lengths = dict(zip(_FREE, head["lengths"], strict=True))
    arrays: Arrays = {}
    for name, dtype in ARRAYS.items():
        shape = (lengths[name],) if name in lengths else shape_of(name, head["size"], head["dim"])
        at += -at % _ALIGNED
        count = int(np.prod(shape, dtype=object))
        end = at + count * np.dtype(dtype).itemsize
        demand(end <= len(data), "arrays that are too short")
        arrays[name] = np.frombuffer(data, dtype, count, at).reshape(shape)
        at = end
    demand(at == len(data), "something behind its arrays")
    return arrays
