"""engram-search: its RetrievalPipeline (dense, BM25, names and phrases, fused by rank) without the reranker.

The reranker's weights (BAAI/bge-reranker-v2-m3, .57 B parameters) come from a hub, so they are not to be had offline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lines import Unit, Vectors, serve

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


class Given:
    """The pipeline's hook for an embedder."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """Made beforehand."""
        return self._vectors[text]


class Engram:
    """A list of documents per tenant, which the pipeline is handed with each query."""

    def __init__(self, options: dict[str, Any], vectors: Vectors) -> None:
        from engram.retrieval.pipeline import RetrievalPipeline

        self._pipeline = RetrievalPipeline(embedder=Given(vectors), use_reranker=False)
        self._vectors = vectors
        self._documents: dict[str, list[Any]] = {}

    def index(self, tenant: str, language: str, units: Sequence[Unit]) -> None:
        """A document per unit."""
        from engram.backends.base import Document

        self._documents[tenant] = [
            Document(unit["id"], unit["text"], self._vectors[unit["text"]], {"timestamp": unit["timestamp"]})
            for unit in units
        ]

    def search(self, tenant: str, query: str, top: int) -> list[str]:
        """Without a date, which would be the day of the question: nobody says it."""
        return [document.id for document in self._pipeline.search(query, self._documents[tenant], top_k=top)]


if __name__ == "__main__":
    serve(Engram, ("engram-search",))
