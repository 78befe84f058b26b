"""The arms of a search: what the words say of each row, and what the vectors say."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.retrieval.postings import bm25_part, term_hash
from agent_memory.retrieval.tokenizer import is_pair, names_one_thing, query_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.segment import Segment

    Scores = NDArray[np.float64]


SHOWN_DIGITS = 6  # a threshold taken from an answer must let the same answer pass


@dataclass(frozen=True, slots=True)
class LexicalArm:
    """`coverage` (0 to 1, rows of all segments in order) is the part of the query's information that a row holds.

    `exactness` (0 to 1) is the share of that information that lies in identifiers and long numbers.
    """

    coverage: Scores
    exactness: float


def lexical_arm(segments: Sequence[Segment], text: str) -> LexicalArm | None:
    """BM25 as a share of what a text of usual length with each term once would get, at most 1.

    None where no row knows any of the terms. Unknown terms count as missing, so that one common word does not pass for
    all that was asked; unknown pairs of characters do not, since most of them are no words.
    """
    import numpy as np

    live = sum(segment.live for segment in segments)
    mean_length = sum(float(segment.postings.lengths[segment.alive].sum()) for segment in segments) / max(live, 1)
    scores = [np.zeros(len(segment.ids)) for segment in segments]
    known = missing = exact = 0.0
    for term in query_terms(text):
        found = [segment.postings.find(term_hash(term)) for segment in segments]
        holding = sum(int(segment.alive[rows].sum()) for segment, (rows, _) in zip(segments, found, strict=True))
        idf = math.log(1 + (live - holding + 0.5) / (holding + 0.5))
        if not holding:
            missing += 0 if is_pair(term) else idf
            continue
        known, exact = known + idf, exact + idf * names_one_thing(term)
        for segment, score, (rows, counts) in zip(segments, scores, found, strict=True):
            score[rows] += idf * bm25_part(counts, segment.postings.lengths[rows], mean_length)
    return LexicalArm(np.minimum(np.concatenate(scores) / (known + missing), 1), exact / known) if known else None


def dense_arm(segments: Sequence[Segment], vector: NDArray[np.float32] | None) -> Scores | None:
    """Cosine of each row, 0 where it is negative and NaN for a row without a vector; None without a usable query."""
    import numpy as np

    if vector is None or not segments or vector.shape != (segments[0].vectors.shape[1],):
        return None
    norm = float(np.linalg.norm(vector))
    if not np.isfinite(norm) or norm == 0:
        return None
    query = (vector / norm).astype(np.float32)
    parts = [
        np.where(segment.has_vector, np.clip(segment.vectors @ query, 0, 1), np.nan).astype(np.float64)
        for segment in segments
    ]
    arm: Scores = np.concatenate(parts).round(SHOWN_DIGITS)
    return None if np.isnan(arm).all() else arm
