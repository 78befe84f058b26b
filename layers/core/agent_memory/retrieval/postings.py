"""An inverted index over a run of rows: built once, never changed, merged with the one behind it.

Terms are 64-bit hashes, so that no common vocabulary is needed and they mean the same in every process.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from agent_memory.retrieval.columns import unwritten

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.int32]
    Hashes = NDArray[np.uint64]
    Scores = NDArray[np.float32]

K1 = 0.9
B = 0.4
MOST = 255  # a count is a byte; BM25 hardly tells the hundredth repeat from the tenth
_COUNT_BITS, _ROW_BITS = 8, 28  # what is left is for the number of the term


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Rows and counts by term: those of `terms[i]` stand at `starts[i]:starts[i + 1]`, rows and terms ascending."""

    terms: Hashes
    starts: NDArray[np.uint32]
    rows: Rows
    counts: NDArray[np.uint8]

    def find(self, term: int) -> tuple[Rows, NDArray[np.uint8]]:
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
        return sum(part.nbytes for part in (self.terms, self.starts, self.rows, self.counts))


def term_hash(term: str) -> int:
    """64 bits of BLAKE2b: among ten million terms a collision has a chance of about 3 in a million."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def build_postings(texts: Sequence[Sequence[str]]) -> Postings:
    """The postings of rows given as their terms."""
    import numpy as np

    numbers: dict[str, int] = {}
    codes = np.fromiter(
        (numbers.setdefault(word, len(numbers)) for word in chain.from_iterable(texts)),
        np.int64,
        count=sum(map(len, texts)),
    )
    rows = np.repeat(np.arange(len(texts)), [len(words) for words in texts])
    hashes = np.fromiter(map(term_hash, numbers), np.uint64, count=len(numbers))
    terms, numbered = np.unique(hashes, return_inverse=True)
    places = np.sort(numbered[codes] << _ROW_BITS | rows)
    first = np.flatnonzero(np.append(True, places[1:] != places[:-1])[: len(places)])
    repeats = np.minimum(np.diff(np.append(first, len(places))), MOST)
    return _unpacked(terms, (places[first] << _COUNT_BITS | repeats).astype(np.uint64))


def merged(parts: Sequence[tuple[Postings, int]]) -> Postings:
    """All in one, in one pass, of runs of rows one behind the other, each with the row at which it begins."""
    import numpy as np

    every = np.concatenate([part.terms for part, _ in parts])
    order = np.argsort(every, kind="stable")  # of sorted runs, which it merges
    every = every[order]
    anew = np.append(True, every[1:] != every[:-1])[: len(every)]
    places = np.empty(len(every), np.int64)
    places[order] = np.cumsum(anew) - 1
    held = np.concatenate([np.diff(part.starts) for part, _ in parts])
    starts = np.append(0, np.cumsum(np.bincount(places, held, int(anew.sum())))).astype(np.uint32)
    rows, counts = (unwritten((int(starts[-1]),), dtype) for dtype in (np.int32, np.uint8))
    free = starts[:-1].astype(np.int64)  # where the next posting of each term goes
    ends = np.cumsum([len(part.terms) for part, _ in parts])[:-1]
    for (part, first), at, many in zip(parts, np.split(places, ends), np.split(held, ends), strict=True):
        into = np.repeat(free[at] - part.starts[:-1], many)
        into += np.arange(len(into))
        rows[into], counts[into] = part.rows + np.int32(first), part.counts
        free[at] += many
    return Postings(every[anew], starts, rows, counts)


def renumbered(parts: Sequence[tuple[Postings, int]], numbers: Rows) -> Postings:
    """One set of postings over chosen rows: row r of a part that begins at row f becomes `numbers[f + r]`.

    Rows with a negative number are left out. At most 2**28 rows.
    """
    import numpy as np

    terms = np.unique(np.concatenate([part.terms for part, _ in parts] or [np.zeros(0, np.uint64)]))
    chosen = [np.zeros(0, np.uint64)]
    for part, first in parts:
        rows = numbers[first:][part.rows]
        keep = rows >= 0
        of_term = np.repeat(np.searchsorted(terms, part.terms).astype(np.uint64), np.diff(part.starts))[keep]
        of_term <<= np.uint64(_ROW_BITS + _COUNT_BITS)
        of_term |= rows[keep].astype(np.uint64) << np.uint64(_COUNT_BITS)
        of_term |= part.counts[keep]
        chosen.append(of_term)
    packed = np.concatenate(chosen)
    packed.sort()
    return _unpacked(terms, packed)


def _unpacked(terms: Hashes, packed: Hashes) -> Postings:
    """From sorted numbers that hold a term's place in `terms`, a row and a count; terms without a row are dropped."""
    import numpy as np

    of_term = (packed >> np.uint64(_ROW_BITS + _COUNT_BITS)).astype(np.int64)
    first = np.flatnonzero(np.append(True, of_term[1:] != of_term[:-1])[: len(of_term)])
    rows = (packed >> np.uint64(_COUNT_BITS)).astype(np.int64) & ((1 << _ROW_BITS) - 1)
    return Postings(
        terms[of_term[first]],
        np.append(first, len(packed)).astype(np.uint32),
        rows.astype(np.int32),
        packed.astype(np.uint8),  # the lowest byte
    )


def bm25_part(counts: Scores, lengths: Scores, mean_length: float) -> Scores:
    """BM25's part of a term in rows of these counts and lengths, without idf: from 0 to K1 + 1."""
    import numpy as np

    norm = K1 * (1 - B + B * lengths / max(mean_length, 1e-9))
    return np.asarray(counts * (K1 + 1) / (counts + norm), np.float32)
