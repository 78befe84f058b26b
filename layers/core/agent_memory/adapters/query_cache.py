"""Embeddings of recent queries, kept in memory in front of any embedder."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.ports import Embedder, Vectors


class CachedEmbedder:
    """An embedder that remembers the last `size` query texts; passages go through, for they rarely come twice."""

    def __init__(self, embedder: Embedder, size: int) -> None:
        self._embedder = embedder
        self._size = size
        self._known: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    @property
    def model(self) -> str:
        """The inner embedder's."""
        return self._embedder.model

    @property
    def dim(self) -> int:
        """The inner embedder's."""
        return self._embedder.dim

    def embed(self, texts: Sequence[str], side: Literal["query", "passage"]) -> Vectors:
        """As the inner embedder, which sees only what is not remembered, each text once."""
        import numpy as np

        if side == "passage" or not texts:
            return self._embedder.embed(texts, side)
        found = self._recalled(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            # outside the lock: two threads with the same new query may both embed it, but none waits for another
            fresh = dict(zip(missing, self._embedder.embed(missing, side), strict=True))
            self._remember(fresh)
            found |= fresh
        return np.stack([found[text] for text in texts])

    def _recalled(self, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        with self._lock:
            found = {text: self._known[text] for text in texts if text in self._known}
            for text in found:
                self._known.move_to_end(text)
            return found

    def _remember(self, fresh: Mapping[str, NDArray[np.float32]]) -> None:
        with self._lock:
            for text, vector in fresh.items():
                self._known[text] = vector.copy()  # a row alone: a view would keep its whole batch alive
                self._known.move_to_end(text)
            while len(self._known) > self._size:
                self._known.popitem(last=False)
