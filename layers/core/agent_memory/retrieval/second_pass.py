"""A second pass: what the first one's best memories speak of beyond the question is looked for in all candidates.

Relevance feedback without a judge (compare RM3: Abdul-Jaleel et al., TREC 2004), as one feature among others instead of
a longer question, so that a first pass that went astray does not take the ranking with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_memory.retrieval.neighbourhood import AROUND_2, Neighbourhood
from agent_memory.retrieval.postings import bm25_part, term_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.postings import Postings
    from agent_memory.retrieval.rows import Rows

    Floats = NDArray[np.float64]
    Hashes = NDArray[np.uint64]
    Numbers = NDArray[np.int64]

SEEDS = 5  # memories that terms are taken from
TERMS = 10
FEWEST = 2  # memories that hold a term: one that stands in its seed alone leads nowhere
SHARE = 0.05  # of the memories that may hold a term; what more of them hold is no entity
MOST = 0.5  # coverage of the terms: the seeds themselves have more, and are found already
LARGEST = 500_000  # postings, some 20,000 memories: rows don't know their terms, and to find them all are read
_SOFTNESS = 0.3  # a seed this far behind the best counts 1/e
_DIGITS = 9  # of a weight that count: sums in another order of rows differ behind them


class _Held(NamedTuple):
    """Current rows that hold terms, and how often each does; `terms` are places in a list of hashes."""

    terms: Numbers
    rows: NDArray[np.int32]
    counts: NDArray[np.uint8]


def second_pass(
    rows: Rows, first: Floats, around: Neighbourhood, asked: Sequence[str], largest: int = LARGEST
) -> Floats:
    """BM25 coverage (0 to MOST) of terms of the candidates with the highest `first`, at best within two turns.

    `asked` are the terms of the question, which are left out. 0 in indexes of more than `largest` postings.
    """
    import numpy as np

    if not rows.living or sum(len(part.postings.rows) for part in rows.postings.parts) > largest:
        return np.zeros(len(first))
    terms, trust = _terms_of(rows, *_seeds(rows, around.at(0), first))
    new = ~np.isin(terms, np.fromiter(map(term_hash, asked), np.uint64, len(asked)))
    terms, trust = terms[new], trust[new]
    held = _held(rows, terms)
    weights = _weights(terms, trust, np.bincount(held.terms, minlength=len(terms)), rows.living)
    telling = weights[held.terms] > 0
    term, row = held.terms[telling], held.rows[telling]
    mean_length = float(rows.scope_lengths.sum()) / rows.living
    part = bm25_part(held.counts[telling].astype(np.float32), rows.lengths[row].astype(np.float32), mean_length)
    score = np.append(np.bincount(row, weights[term] * part, rows.size), 0)  # -1, no row, finds the last
    best: Floats = np.minimum(np.maximum.reduce([score[around.at(offset)] for offset in AROUND_2]), MOST)
    return best


def _seeds(rows: Rows, candidates: Numbers, first: Floats) -> tuple[Numbers, Floats]:
    """The best, ties by id, and how far each is trusted: the best 1."""
    import numpy as np

    best = np.lexsort((rows.ids[candidates, 1], -first))[:SEEDS]
    return candidates[best], np.exp((first[best] - first[best[:1]]) / _SOFTNESS)


def _terms_of(rows: Rows, seeds: Numbers, trust: Floats) -> tuple[Hashes, Floats]:
    """The terms of the rows, ascending, each with the trust in all rows that hold it."""
    import numpy as np

    terms, trusted = [np.zeros(0, np.uint64)], [np.zeros(0)]
    for part in rows.postings.parts:
        here = (seeds >= part.first) & (seeds < part.first + part.size)
        if here.any():
            among = np.zeros(part.size)
            among[seeds[here] - part.first] = trust[here]
            at = np.flatnonzero((among > 0).take(part.postings.rows))
            terms.append(part.postings.terms[np.searchsorted(part.postings.starts, at, "right") - 1])
            trusted.append(among[part.postings.rows[at]])
    found, places = np.unique(np.concatenate(terms), return_inverse=True)
    summed: Floats = np.bincount(places, np.concatenate(trusted), len(found)).astype(np.float64)
    return found, summed


def _held(rows: Rows, terms: Hashes) -> _Held:
    """Where those of the terms stand that neither too few nor too many rows hold."""
    import numpy as np

    parts = rows.postings.parts
    spans = [_spans(part.postings, terms) for part in parts]
    holding = np.add.reduce([lengths for _, lengths in spans])
    dead = rows.size - rows.living  # how many of each term's rows are is known only when they are read
    few_enough = (holding >= FEWEST) & (holding - dead <= SHARE * rows.living)
    found = []
    for part, (starts, lengths) in zip(parts, spans, strict=True):
        lengths[~few_enough] = 0
        before = np.cumsum(lengths) - lengths
        at = np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))
        row = part.first + part.postings.rows[at]
        current = rows.current[row]
        term = np.repeat(np.arange(len(terms)), lengths)
        found.append((term[current], row[current], part.postings.counts[at][current]))
    return _Held(*map(np.concatenate, zip(*found, strict=True)))


def _spans(postings: Postings, terms: Hashes) -> tuple[Numbers, Numbers]:
    """Where the rows of each term start, and how many they are."""
    import numpy as np

    at = np.searchsorted(postings.terms, terms)
    known = np.flatnonzero(at < len(postings.terms))
    known = known[postings.terms[at[known]] == terms[known]]
    starts, lengths = np.zeros((2, len(terms)), np.int64)
    starts[known] = postings.starts[at[known]]
    lengths[known] = postings.starts[at[known] + 1] - postings.starts[at[known]]
    return starts, lengths


def _weights(terms: Hashes, trust: Floats, holding: Numbers, living: int) -> Floats:
    """Weights of the terms that link the seeds with other memories, 0 for the others and 1 in all."""
    import numpy as np

    weights = trust * np.log(1 + (living - holding + 0.5) / (holding + 0.5))
    weights[(holding < FEWEST) | (holding > SHARE * living)] = 0
    weights = weights.round(_DIGITS)
    weights[np.lexsort((terms, -weights))[TERMS:]] = 0
    shares: Floats = weights / max(float(weights.sum()), 1e-9)
    return shares
