"""No reranker: the order that the search made is the last word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class LocalOrder:
    """Wants no texts; scores those that it gets all the same by their place."""

    name: str = "local"
    window: int = 0

    def score(self, query: str, texts: Sequence[str]) -> list[float]:  # noqa: ARG002 - the search has read the query
        """Falling in equal steps from 1."""
        return [1 - place / len(texts) for place in range(len(texts))]
