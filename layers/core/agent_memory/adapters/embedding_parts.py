"""Long texts in parts, and the vectors of the parts back to one unit vector per text; shared by all embedders."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent_memory.errors import EmbedderFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.ports import Vectors

BLANK = "."  # what an empty text is sent as: the services refuse empty and blank ones

_BREAKS = re.compile(r"(?<=[\n。！？!?；;])|(?<=[.,，、])(?=\s|[^\x00-\x7f])|(?<=\s)")


@dataclass(frozen=True, slots=True)
class Parts:
    """Pieces of all texts one after the other; `owners` and `weights` tell whose each is and how much it counts."""

    texts: tuple[str, ...]
    owners: tuple[int, ...]
    weights: tuple[int, ...]
    count: int


def parts_of(texts: Sequence[str], max_bytes: int) -> Parts:
    """Every text in pieces of at most `max_bytes` of UTF-8, cut where a sentence or a word ends if there is a place."""
    pieces = [(owner, piece) for owner, text in enumerate(texts) for piece in split(_sendable(text), max_bytes)]
    return Parts(
        texts=tuple(piece for _, piece in pieces),
        owners=tuple(owner for owner, _ in pieces),
        weights=tuple(len(piece.encode()) for _, piece in pieces),
        count=len(texts),
    )


def split(text: str, max_bytes: int) -> list[str]:
    """The text in pieces that together are the text again; `max_bytes` is 4 or more."""
    if len(text.encode()) <= max_bytes:
        return [text]
    pieces = [""]
    size = 0
    for chunk in _BREAKS.split(text):
        for part in _hard_cut(chunk, max_bytes):
            length = len(part.encode())
            if size + length > max_bytes:
                pieces.append("")
                size = 0
            pieces[-1] += part
            size += length
    return pieces


def pooled(vectors: NDArray[np.float32], owners: Sequence[int], weights: Sequence[int], count: int) -> Vectors:
    """One unit vector per text: the weighted mean of its parts."""
    import numpy as np

    total = np.zeros((count, vectors.shape[1]), np.float32)
    np.add.at(total, list(owners), vectors * np.asarray(weights, np.float32)[:, None])
    return unit_rows(total)


def unit_rows(vectors: NDArray[np.float32]) -> Vectors:
    """Rows of norm 1; raises EmbedderFailed for a row that has no direction (zero, infinite, not a number)."""
    import numpy as np

    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.all(np.isfinite(norms) & (norms > 0)):
        raise EmbedderFailed("the embedding model gave a vector without a direction")
    unit: Vectors = (vectors / norms).astype(np.float32)
    return unit


def checked_rows(rows: Any, count: int, dim: int) -> Vectors:
    """What a service answered as `count` unit rows of `dim` numbers; raises EmbedderFailed if it is anything else."""
    import numpy as np

    try:
        found = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise EmbedderFailed("the embedding service answered something that is not a list of vectors") from error
    if found.shape != (count, dim):
        raise EmbedderFailed(f"the embedding service answered vectors of shape {found.shape}, expected {(count, dim)}")
    return unit_rows(found)


def _sendable(text: str) -> str:
    """Without lone surrogates, which no request can carry."""
    return text.encode("utf-8", "replace").decode() if text.strip() else BLANK


def _hard_cut(chunk: str, max_bytes: int) -> list[str]:
    """Between characters, where a chunk without any break is too long."""
    if len(chunk.encode()) <= max_bytes:
        return [chunk]
    step = max_bytes // 4  # a character has at most 4 bytes
    return [chunk[start : start + step] for start in range(0, len(chunk), step)]
