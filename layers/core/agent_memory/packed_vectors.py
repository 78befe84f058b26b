"""The vectors of a memory as they lie in its record: that of its text and, in some stores, those of its tokens."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.ports import Embedder, TokenEmbedder, TokenVectors

Pack = Callable[[Sequence[str]], list[bytes]]

MOST_TOKENS = 512  # a record has room for 400 KB; of a longer text the first ones are kept
_TAIL = struct.Struct("<HHB")  # dimensions, tokens, and a byte that makes the length odd; a vector has an even one


def packing(embedder: Embedder, tokens: TokenEmbedder | None = None) -> Pack:
    """From texts to what is stored beside them, without token vectors for None; raises EmbedderFailed."""

    def pack(texts: Sequence[str]) -> list[bytes]:
        rows = embedder.embed(texts, "passage")
        if tokens is None:
            return [pack_vector(row) for row in rows]
        found = tokens.embed_tokens(texts, "passage")
        return [pack_vector(row, each) for row, each in zip(rows, found, strict=True)]

    return pack


def pack_vector(row: NDArray[np.float32], tokens: TokenVectors | None = None) -> bytes:
    """A vector as little-endian float16, two bytes a dimension; behind it tokens of one byte a dimension."""
    vector = row.astype("<f2").tobytes()
    if tokens is None or not len(tokens) or tokens.shape[1] % 2:
        return vector
    kept = tokens[:MOST_TOKENS]
    return vector + kept.astype("|i1").tobytes() + _TAIL.pack(kept.shape[1], len(kept), 1)


def unpack_vector(blob: bytes) -> NDArray[np.float32] | None:
    """The vector of the text; None where none was stored."""
    import numpy as np

    vector = blob[: len(blob) - _behind(blob)]
    return np.frombuffer(vector, "<f2").astype(np.float32) if vector else None


def unpack_tokens(blob: bytes) -> TokenVectors | None:
    """The vectors of the tokens (tokens, dimensions); None where none were stored."""
    import numpy as np

    behind = _behind(blob)
    if not behind:
        return None
    dim, count, _ = _TAIL.unpack(blob[-_TAIL.size :])
    found: TokenVectors = np.frombuffer(blob[-behind : -_TAIL.size], "|i1").reshape(count, dim)
    return found


def without_tokens(blob: bytes) -> bytes:
    """The same without the tokens."""
    return blob[: len(blob) - _behind(blob)]


def _behind(blob: bytes) -> int:
    """Bytes behind the vector of the text."""
    if len(blob) % 2 == 0:
        return 0
    dim, count, _ = _TAIL.unpack(blob[-_TAIL.size :])
    return int(dim * count + _TAIL.size)
