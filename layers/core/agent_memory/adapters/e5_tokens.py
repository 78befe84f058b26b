"""Token vectors of the packaged model: its last hidden states, centred by language and side like its text vectors."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from agent_memory.adapters.e5_embedder import centred, read_means
from agent_memory.adapters.embedding_parts import unit_rows
from agent_memory.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.adapters.e5_embedder import Means
    from agent_memory.adapters.e5_model import E5Model
    from agent_memory.ports import TokenVectors, Vectors

TOKEN_MODEL = "multilingual-e5-small-q4+tokens-1"  # noqa: S105 - tokens of a text, nothing secret
TOKEN_MEANS = Path(__file__).with_name("e5_token_means.json")
LARGEST = 127


class E5TokenEmbedder:
    """Works on the network it is given, which an E5Embedder may use as well: the weights are in memory once."""

    def __init__(self, network: E5Model) -> None:
        self._network = network

    @property
    def model(self) -> str:
        """Changes with the weights, the means and the way they are applied."""
        return TOKEN_MODEL

    def embed_tokens(self, texts: Sequence[str], side: Literal["query", "passage"]) -> list[TokenVectors]:
        """Arrays (tokens, 384); the tokens of the prefix and the special ones are left out."""
        states = self._network.token_states(texts, side)
        return [self._packed(rows, language_of(text), side) for text, rows in zip(texts, states, strict=True)]

    def _packed(self, states: Vectors, language: str, side: str) -> TokenVectors:
        import numpy as np

        moved = centred(unit_rows(states), [language] * len(states), side, self._means)
        # by the largest number of each row: a unit vector of 384 numbers as it is would use a fifth of the range
        largest = np.abs(moved).max(axis=1, keepdims=True)
        packed: TokenVectors = np.rint(moved * (LARGEST / largest)).astype(np.int8)
        return packed

    @cached_property
    def _means(self) -> Means:
        return read_means(TOKEN_MEANS.read_text(encoding="utf-8"))
