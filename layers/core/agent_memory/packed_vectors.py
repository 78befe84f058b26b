"""The vectors of a memory as they lie in its record: that of its text and, in some stores, those of its tokens."""

from __future__ import annotations

import struct
import unicodedata
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.ports import Embedder, TokenEmbedder, TokenVectors

Pack = Callable[[Sequence[str]], list[bytes]]

MOST_TOKENS = 512  # of a longer text the first ones are kept: a record has room for 400 KB, a transaction for 4 MB
TOKEN_BYTES = 64  # of the packaged model
_TAIL = struct.Struct("<HHHB")  # model, dimensions, tokens; a byte makes the length odd, that of a vector is even


@dataclass(frozen=True, slots=True)
class Tokens:
    """The vectors of a text's tokens (tokens, dimensions), and the model that made them."""

    model: str
    rows: TokenVectors


def packing(embedder: Embedder, tokens: TokenEmbedder | None = None) -> Pack:
    """From texts to what is stored beside them, without token vectors for None; raises EmbedderFailed."""

    def pack(texts: Sequence[str]) -> list[bytes]:
        if tokens is None:
            return [pack_vector(row) for row in embedder.embed(texts, "passage")]
        rows, found = tokens.embed_both(texts)
        return [pack_vector(row, Tokens(tokens.model, each)) for row, each in zip(rows, found, strict=True)]

    return pack


def most_token_bytes(text: str) -> int:
    """No more than this is stored of its tokens, which are at most one a character and one for the start."""
    characters = unicodedata.normalize("NFKC", text)  # the model reads ㌚ as five
    return min(len(characters) + 1, MOST_TOKENS) * TOKEN_BYTES


def pack_vector(row: NDArray[np.float32], tokens: Tokens | None = None) -> bytes:
    """A vector as little-endian float16, two bytes a dimension; behind it tokens of one byte a dimension."""
    vector = row.astype("<f2").tobytes()
    if tokens is None or not len(tokens.rows) or tokens.rows.shape[1] % 2:
        return vector
    kept = tokens.rows[:MOST_TOKENS]
    return vector + kept.astype("|i1").tobytes() + _TAIL.pack(_mark(tokens.model), kept.shape[1], len(kept), 1)


def unpack_vector(blob: bytes) -> NDArray[np.float32] | None:
    """The vector of the text; None where none was stored."""
    import numpy as np

    vector = without_tokens(blob)
    return np.frombuffer(vector, "<f2").astype(np.float32) if vector else None


def unpack_tokens(blob: bytes, model: str) -> TokenVectors | None:
    """The vectors of the tokens (tokens, dimensions); None where none of that model were stored."""
    import numpy as np

    behind = _behind(blob)
    if not behind:
        return None
    mark, dim, count, _ = _TAIL.unpack(blob[-_TAIL.size :])
    if mark != _mark(model):
        return None
    found: TokenVectors = np.frombuffer(blob[-behind : -_TAIL.size], "|i1").reshape(count, dim)
    return found


def without_tokens(blob: bytes) -> bytes:
    """The same without the tokens."""
    return blob[: len(blob) - _behind(blob)]


def _behind(blob: bytes) -> int:
    """Bytes behind the vector of the text."""
    if len(blob) % 2 == 0:
        return 0
    _, dim, count, _ = _TAIL.unpack(blob[-_TAIL.size :])
    return int(dim * count + _TAIL.size)


def _mark(model: str) -> int:
    return zlib.crc32(model.encode()) & 0xFFFF
