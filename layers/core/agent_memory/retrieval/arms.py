"""What the words and the vectors say of every row: the cheap look that picks the candidates of a ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.retrieval.postings import bm25_part, term_hash
from agent_memory.retrieval.scan import cosines
from agent_memory.retrieval.tokenizer import is_pair, names_one_thing
from agent_memory.retrieval.vectors import int8_query

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.rows import Rows

    Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Match:
    """A term of the question that the memories know: its idf, the rows that hold it, and how often each does.

    `current` says which of the rows are; `rows` has the type of an index, which NumPy need not convert at each use.
    """

    term: str
    idf: float
    rows: NDArray[np.intp]
    counts: NDArray[np.float32]
    current: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Words:
    """What the words of a question say of the rows.

    `coverage` (0 to 1, row by row) is the part of the question's information that a row holds, `information` all of it
    as a sum of idf, `exactness` (0 to 1) the share of what is known of it that lies in identifiers and long numbers.
    """

    coverage: Scores
    matches: tuple[Match, ...]
    information: float
    exactness: float
    mean_length: float


def match_words(rows: Rows, terms: Sequence[str]) -> Words | None:
    """BM25 as a share of what a text of usual length with each term once would get, at most 1.

    None where no row knows any of the terms. Unknown terms count as missing, so that one common word does not pass for
    all that was asked; unknown pairs of characters do not, since most of them are no words.
    """
    import numpy as np

    live = rows.living
    mean_length = float(rows.scope_lengths.sum()) / max(live, 1)
    score = np.zeros(rows.size, np.float32)
    matches = []
    known = missing = exact = 0.0
    for term in terms:
        found, counts = rows.postings.find(term_hash(term))
        having = found.astype(np.intp)
        current = rows.current.take(having)
        holding = int(np.count_nonzero(current))
        idf = math.log(1 + (live - holding + 0.5) / (holding + 0.5))
        if not holding:
            missing += 0 if is_pair(term) else idf
            continue
        known, exact = known + idf, exact + idf * names_one_thing(term)
        part = idf * bm25_part(counts, rows.lengths.take(having).astype(np.float32), mean_length)
        part += score.take(having)
        score[having] = part
        matches.append(Match(term, idf, having, counts, current))
    if not matches:
        return None
    score /= np.float32(known + missing)
    np.minimum(score, 1, out=score)
    return Words(score, tuple(matches), known + missing, exact / known, mean_length)


def match_vector(rows: Rows, vector: NDArray[np.float32] | None) -> Scores | None:
    """Cosine of each row, 0 for a row without a vector; None where the question or all living rows have none."""
    if int8_query(vector, rows.vectors.shape[1]) is None or not (rows.has_vector & rows.alive).any():
        return None
    return cosines(rows, vector)
