"""LanceDB: hybrid search over vectors and its native full-text index, fused by reciprocal rank.

Without an index on the vectors it scans them all, which is exact. Chinese has no spaces, so there the full-text index
is one of single characters and pairs of them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from lines import Unit, Vectors, serve

if TYPE_CHECKING:
    from collections.abc import Sequence

CHINESE = {"base_tokenizer": "ngram", "ngram_min_length": 1, "ngram_max_length": 2, "stem": False}
LOG = "error"  # it warns at each search that a later version will leave the scores out


class LanceHybrid:
    """One table per tenant."""

    def __init__(self, options: dict[str, Any], vectors: Vectors) -> None:
        os.environ["LANCEDB_LOG"] = os.environ["RUST_LOG"] = LOG
        import lancedb
        from lancedb.index import FTS
        from lancedb.rerankers import RRFReranker

        self._database = lancedb.connect(options["folder"])
        self._fusion = RRFReranker()
        self._full_text = {"en": FTS(), "zh": FTS(**CHINESE)}
        self._vectors = vectors
        self._tables: dict[str, Any] = {}

    def index(self, tenant: str, language: str, units: Sequence[Unit]) -> None:
        """One write, then the full-text index."""
        rows = [
            {"id": unit["id"], "session": unit["session"], "text": unit["text"], "vector": self._vectors[unit["text"]]}
            for unit in units
        ]
        table = self._database.create_table(f"tenant_{len(self._tables)}", rows)
        table.create_index("text", config=self._full_text[language])
        self._tables[tenant] = table

    def search(self, tenant: str, query: str, top: int) -> list[str]:
        """Ids and texts are read back, as whoever asks needs them."""
        asked = self._tables[tenant].search(query_type="hybrid").vector(self._vectors[query]).text(query)
        return [row["id"] for row in asked.rerank(self._fusion).select(["id", "text"]).limit(top).to_list()]


if __name__ == "__main__":
    serve(LanceHybrid, ("lancedb", "pyarrow"))
