"""For embedding models that give one vector per text and no more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from agent_memory.ports import Embedder, TokenVectors, Vectors


class NoTokens:
    """Finds no tokens in any text."""

    model = "none"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed_tokens(self, texts: Sequence[str], side: Literal["query", "passage"]) -> list[TokenVectors]:  # noqa: ARG002 - as the port
        """An array without rows for each text."""
        import numpy as np

        return [np.zeros((0, 2), np.int8) for _ in texts]

    def embed_both(self, texts: Sequence[str]) -> tuple[Vectors, list[TokenVectors]]:
        """The vectors of the texts alone."""
        return self._embedder.embed(texts, "passage"), self.embed_tokens(texts, "passage")
