"""An inverted index over the rows of one segment: built once, never changed, merged with others.

Terms are 64-bit hashes, so that segments need no common vocabulary and mean the same in every process.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.int32]
    Mask = NDArray[np.bool_]
    Scores = NDArray[np.float32]

K1 = 0.9
B = 0.4


@dataclass(frozen=True, slots=True)
class Postings:
    """Rows and counts by term: those of `terms[i]` stand at `starts[i]:starts[i + 1]`, rows ascending."""

    terms: NDArray[np.uint64]
    starts: NDArray[np.int64]
    rows: Rows
    counts: Scores
    lengths: Scores  # terms in each row, repeats counted

    def find(self, term: int) -> tuple[Rows, Scores]:
        """The rows that hold the term, and how often each does."""
        import numpy as np

        at = int(np.searchsorted(self.terms, np.uint64(term)))
        if at == len(self.terms) or self.terms[at] != term:
            return self.rows[:0], self.counts[:0]
        part = slice(int(self.starts[at]), int(self.starts[at + 1]))
        return self.rows[part], self.counts[part]

    @property
    def nbytes(self) -> int:
        """Memory of the arrays."""
        return sum(part.nbytes for part in (self.terms, self.starts, self.rows, self.counts, self.lengths))


def term_hash(term: str) -> int:
    """64 bits of BLAKE2b: among ten million terms a collision has a chance of about 3 in a million."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def build_postings(texts: Sequence[Sequence[str]]) -> Postings:
    """The postings of rows given as their terms."""
    import numpy as np

    hashes: dict[str, int] = {}
    terms: list[int] = []
    rows: list[int] = []
    counts: list[int] = []
    for row, words in enumerate(texts):
        for word, count in Counter(words).items():
            if word not in hashes:
                hashes[word] = term_hash(word)
            terms.append(hashes[word])
            rows.append(row)
            counts.append(count)
    return _sorted(
        np.array(terms, np.uint64),
        np.array(rows, np.int32),
        np.array(counts, np.float32),
        np.array([len(words) for words in texts], np.float32),
    )


def merge_postings(parts: Sequence[tuple[Postings, Mask]]) -> Postings:
    """One set of postings over the kept rows of all parts, renumbered in order."""
    import numpy as np

    columns: list[tuple[Any, Any, Any, Any]] = []
    first = 0
    for postings, keep in parts:
        renumbered = (first + np.cumsum(keep) - 1).astype(np.int32)
        live = keep[postings.rows]
        terms = np.repeat(postings.terms, np.diff(postings.starts))
        columns.append((terms[live], renumbered[postings.rows[live]], postings.counts[live], postings.lengths[keep]))
        first += int(keep.sum())
    return _sorted(*(np.concatenate(column) for column in zip(*columns, strict=True)))


def _sorted(terms: NDArray[np.uint64], rows: Rows, counts: Scores, lengths: Scores) -> Postings:
    import numpy as np

    order = np.argsort(terms, kind="stable")  # rows come in ascending, a stable sort keeps them so
    distinct, first = np.unique(terms[order], return_index=True)
    starts = np.append(first, len(terms)).astype(np.int64)
    return Postings(distinct, starts, rows[order], counts[order], lengths)


def bm25_part(counts: Scores, lengths: Scores, mean_length: float) -> Scores:
    """BM25's part of a term in rows of these counts and lengths, without idf: from 0 to K1 + 1."""
    import numpy as np

    norm = K1 * (1 - B + B * lengths / max(mean_length, 1e-9))
    return np.asarray(counts * (K1 + 1) / (counts + norm), np.float32)
