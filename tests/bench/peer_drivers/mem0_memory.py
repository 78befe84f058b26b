"""mem0 with `infer=False` on its default local store (Qdrant in the process). Option `keyword`: with its BM25.

mem0 searches by words where fastembed's "Qdrant/bm25" can be loaded, which is code and lists of stop words from a hub.
Here the lists come from a package. Without spaCy's English model, which mem0 would download, it skips lemmatisation and
leaves the words to fastembed's stemmer.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lines import Unit, Vectors, serve

if TYPE_CHECKING:
    from collections.abc import Sequence

DIM = 384
UNUSED_KEY = "unused"  # the client of the default language model wants one; `infer=False` never calls it


class Mem0:
    """One Memory with its own Qdrant folder per tenant."""

    def __init__(self, options: dict[str, Any], vectors: Vectors) -> None:
        from mem0 import Memory
        from mem0.embeddings.base import EmbeddingBase

        class Given(EmbeddingBase):
            """mem0's hook for an embedder."""

            def embed(self, text: str, memory_action: str | None = None) -> list[float]:
                return vectors[text].tolist()

        self._make = Memory.from_config
        self._embedder = Given()
        self._folder = Path(options["folder"])
        self._encoder = _encoder(self._folder) if options["keyword"] else False  # False: mem0's own word for "none"
        self._memories: dict[str, Memory] = {}

    def index(self, tenant: str, language: str, units: Sequence[Unit]) -> None:
        """Each unit is one message of the tenant, its user."""
        path = str(self._folder / str(len(self._memories)))
        config = {"collection_name": "bench", "path": path, "embedding_model_dims": DIM}
        history = f"{path}.history.db"
        memory = self._make({"vector_store": {"provider": "qdrant", "config": config}, "history_db_path": history})
        memory.embedding_model = self._embedder
        memory.vector_store._bm25_encoder = self._encoder
        self._memories[tenant] = memory
        for unit in units:
            message = [{"role": unit["role"], "content": unit["text"]}]
            memory.add(message, user_id=tenant, run_id=unit["session"], metadata={"unit": unit["id"]}, infer=False)

    def search(self, tenant: str, query: str, top: int) -> list[str]:
        """Threshold 0: the default .1 only takes results away."""
        found = self._memories[tenant].search(query, top_k=top, filters={"user_id": tenant}, threshold=0.0)
        return [each["metadata"]["unit"] for each in found["results"]]


def _encoder(folder: Path) -> Any:
    from fastembed import SparseTextEmbedding
    from stop_words import get_stop_words

    lists = folder / "bm25"
    lists.mkdir(parents=True)
    (lists / "english.txt").write_text("\n".join(get_stop_words("en")), encoding="utf-8")
    return SparseTextEmbedding(model_name="Qdrant/bm25", specific_model_path=str(lists))


def _make(options: dict[str, Any], vectors: Vectors) -> Mem0:
    os.environ.update(
        MEM0_TELEMETRY="False",
        MEM0_DIR=str(Path(options["folder"]) / "home"),
        OPENAI_API_KEY=UNUSED_KEY,
        HF_HUB_OFFLINE="1",
    )
    return Mem0(options, vectors)


if __name__ == "__main__":
    serve(_make, ("mem0ai", "qdrant-client", "fastembed"))
