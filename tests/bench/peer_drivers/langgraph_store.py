"""LangGraph's InMemoryStore with an index on the text: cosine of all items of a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lines import Unit, Vectors, serve

if TYPE_CHECKING:
    from collections.abc import Sequence

DIM = 384


class LangGraphStore:
    """One namespace per tenant."""

    def __init__(self, options: dict[str, Any], vectors: Vectors) -> None:
        from langgraph.store.memory import InMemoryStore

        def embed(texts: Sequence[str]) -> list[list[float]]:
            return [vectors[text].tolist() for text in texts]

        self._store = InMemoryStore(index={"dims": DIM, "embed": embed, "fields": ["text"]})

    def index(self, tenant: str, language: str, units: Sequence[Unit]) -> None:
        """One batch."""
        from langgraph.store.base import PutOp

        self._store.batch(
            [PutOp((tenant,), unit["id"], {"text": unit["text"], "session": unit["session"]}) for unit in units]
        )

    def search(self, tenant: str, query: str, top: int) -> list[str]:
        """By meaning only: it has no word search."""
        return [item.key for item in self._store.search((tenant,), query=query, limit=top)]


if __name__ == "__main__":
    serve(LangGraphStore, ("langgraph", "langgraph-checkpoint"))
