"""Token vectors of the packaged model: its last hidden states, centred by language and side like its text vectors.

Of the 384 numbers of a state 64 are kept: its place on the principal axes of the tokens of everyday sentences. They
take a sixth of the room and find a little more than all of them do.
"""

from __future__ import annotations

import json
from base64 import b64decode
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from agent_memory.adapters.e5_embedder import centred, read_means
from agent_memory.adapters.e5_model import DIM
from agent_memory.adapters.embedding_parts import unit_rows
from agent_memory.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.adapters.e5_embedder import E5Embedder, Means
    from agent_memory.ports import TokenVectors, Vectors

TOKEN_MODEL = "multilingual-e5-small-q4+tokens-2"  # noqa: S105 - tokens of a text, nothing secret
TOKEN_DIM = 64
TOKEN_MEANS = Path(__file__).with_name("e5_token_means.json")
TOKEN_AXES = Path(__file__).with_name("e5_token_axes.json")
LARGEST = 127


class E5TokenEmbedder:
    """Works on the network of the embedder it is given: the weights are in memory once."""

    def __init__(self, embedder: E5Embedder) -> None:
        self._embedder = embedder

    @property
    def model(self) -> str:
        """Changes with the weights, the means, the axes and the way they are applied."""
        return TOKEN_MODEL

    def embed_tokens(self, texts: Sequence[str], side: Literal["query", "passage"]) -> list[TokenVectors]:
        """Arrays (tokens, 64); the tokens of the prefix and the special ones are left out."""
        return self._packed(self._embedder.network.token_states(texts, side), texts, side)

    def embed_both(self, texts: Sequence[str]) -> tuple[Vectors, list[TokenVectors]]:
        """Both from one run of the network."""
        raw, states = self._embedder.network.vectors_and_states(texts, "passage")
        return self._embedder.finished(raw, texts, "passage"), self._packed(states, texts, "passage")

    def _packed(
        self, states: Sequence[Vectors], texts: Sequence[str], side: Literal["query", "passage"]
    ) -> list[TokenVectors]:
        """All texts at once: most have some twenty tokens."""
        import numpy as np

        if not texts:
            return []
        lengths = [len(each) for each in states]
        languages = [language_of(text) for text, length in zip(texts, lengths, strict=True) for _ in range(length)]
        moved = centred(unit_rows(np.concatenate(states)), languages, side, self._means) @ self._axes
        # by the largest number of each row: a unit vector as it is would use a part of the range
        largest = np.maximum(np.abs(moved).max(axis=1, keepdims=True), np.finfo(np.float32).tiny)
        packed = np.rint(moved * (LARGEST / largest)).astype(np.int8)
        return np.split(packed, np.cumsum(lengths[:-1]))

    @cached_property
    def _means(self) -> Means:
        return read_means(TOKEN_MEANS.read_text(encoding="utf-8"))

    @cached_property
    def _axes(self) -> Vectors:
        import numpy as np

        packed = b64decode(json.loads(TOKEN_AXES.read_text(encoding="utf-8"))["axes"])
        axes: Vectors = np.frombuffer(packed, "<f2").reshape(DIM, TOKEN_DIM).astype(np.float32)
        return axes
