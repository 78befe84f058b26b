"""BM25 of the candidates at several widths: the memory alone, with its neighbours, in its whole session."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agent_memory.retrieval.neighbourhood import AROUND_2, AROUND_4, Neighbourhood, summed
from agent_memory.retrieval.postings import K1, B

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.arms import Match, Words
    from agent_memory.retrieval.rows import Rows

    Floats = NDArray[np.float64]

WIDTHS: dict[str, Sequence[int]] = {"words": (0,), "words_2": AROUND_2, "words_4": AROUND_4}
_AT_ONCE = 64  # terms; a question may have thousands, and each is a table over the candidates
_MOST = 1.5  # a window can say more than was asked; how much more does not matter


def word_features(rows: Rows, words: Words | None, around: Neighbourhood) -> dict[str, Floats]:
    """Coverage at each width (0 to 1.5), that of the turns before and after, and that of the session (0 to 1)."""
    import numpy as np

    zeros = np.zeros(len(around.table))
    if words is None:
        return dict.fromkeys((*WIDTHS, "words_previous", "words_next", "words_session"), zeros)
    found = {name: np.minimum(score / words.information, _MOST) for name, score in _at_widths(rows, words, around)}
    alone = around.spread(words.coverage)
    found["words_previous"], found["words_next"] = summed(alone, (-1,)), summed(alone, (1,))
    found["words_session"] = _session(rows, words)[rows.scope_codes[around.at(0)]]
    return found


def _at_widths(rows: Rows, words: Words, around: Neighbourhood) -> Iterator[tuple[str, Floats]]:
    import numpy as np

    lengths = np.where(around.table >= 0, rows.lengths[around.table], 0).astype(np.float64)
    total = {name: np.zeros(len(around.table)) for name in WIDTHS}
    for matches in _portions(words.matches):
        counts = around.counts(matches, rows.size)
        idf = np.array([match.idf for match in matches])
        for name, offsets in WIDTHS.items():
            total[name] += _bm25(summed(counts, offsets), summed(lengths, offsets), idf)
    yield from total.items()


def _portions(matches: Sequence[Match]) -> Iterator[Sequence[Match]]:
    return (matches[start : start + _AT_ONCE] for start in range(0, len(matches), _AT_ONCE))


def _bm25(counts: Floats, lengths: Floats, idf: Floats) -> Floats:
    """Over candidates with these counts by term and these lengths."""
    norm = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1e-9))
    score: Floats = idf @ (counts * (K1 + 1) / (counts + norm))
    return score


def _session(rows: Rows, words: Words) -> Floats:
    """BM25 of each scope as one text, as a share of the best one's."""
    import numpy as np

    lengths = rows.scope_lengths
    sessions = int(np.count_nonzero(lengths > 0))
    norm = K1 * (1 - B + B * lengths / max(float(lengths.sum()) / max(sessions, 1), 1e-9))
    score = np.zeros(len(lengths))
    for match in words.matches:
        codes = rows.scope_codes.take(match.rows)
        counts = np.bincount(codes, match.counts * match.current, len(lengths))
        holding = np.flatnonzero(counts > 0)
        idf = math.log(1 + (sessions - len(holding) + 0.5) / (len(holding) + 0.5))
        counts = counts[holding]
        score[holding] += idf * (counts * (K1 + 1) / (counts + norm[holding]))
    return score / max(float(score.max()), 1e-9)
