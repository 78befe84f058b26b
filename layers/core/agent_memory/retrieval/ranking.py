"""A question to a tenant's memories: filters first, then what words and vectors say, then one order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.retrieval import ranker, traits
from agent_memory.retrieval.arms import Words, match_vector, match_words
from agent_memory.retrieval.candidates import candidates
from agent_memory.retrieval.columns import TRAITS_SHIFT
from agent_memory.retrieval.features import Asked, features
from agent_memory.retrieval.filters import selected
from agent_memory.retrieval.fusion import first_look, fuse, lexical_weight
from agent_memory.retrieval.hits import Hit, SearchQuery
from agent_memory.retrieval.question import Question, question_of
from agent_memory.retrieval.ranked import SHOWN_DIGITS, Ranked, page_of, passing, shown, spread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.rows import Rows

    Numbers = NDArray[np.int64]

SCORE_DIGITS = 9  # the tail of a ranking lies below a thousandth


@dataclass(frozen=True, slots=True)
class Look:
    """What the first look at all rows gave: the rows to rank, and what words and vectors say of each row."""

    question: Question
    words: Words | None
    near: NDArray[np.float32] | None
    chosen: Numbers
    now_ms: int

    def asked(self, vector: NDArray[np.float32]) -> Asked:
        """The question as the ranker needs it."""
        import numpy as np

        near = np.zeros(0, np.float32) if self.near is None else self.near
        return Asked(self.question, self.words, vector, near, self.now_ms)


def first_look_at(rows: Rows, query: SearchQuery) -> Look | None:
    """None where neither words nor vectors say anything."""
    now_ms = query.selection.as_of_ms if query.selection.as_of_ms is not None else query.selection.now_ms
    question = question_of(query.text, now_ms)
    words = match_words(rows, question.terms)
    near = None if query.keyword_only else match_vector(rows, query.vector)
    if words is None and near is None:
        return None
    chosen = candidates(rows, selected(rows, query.selection), first_look(words, near, rows.size))
    return Look(question, words, near, chosen, now_ms)


def rank_rows(rows: Rows, query: SearchQuery) -> list[Hit]:
    """At most `top_k` units that pass the filters and thresholds, best first, no two saying the same.

    Equal scores: the newer first, then by id. Above 1,000 selected units only the best at first look are ranked.
    """
    look = first_look_at(rows, query)
    if look is None:
        return []
    found = _fused(rows, look)
    if query.rerank and look.near is not None and query.vector is not None:
        found = _reranked(rows, found, look.asked(query.vector))
    else:
        found = found.kept(found.score > 0)
    hits = page_of(rows, passing(found, query), query)
    return spread(rows, hits, query.top_k) if query.diverse else [hit for _, hit in hits]


def _fused(rows: Rows, look: Look) -> Ranked:
    import numpy as np

    chosen, words, near = look.chosen, look.words, look.near
    lexical = words.coverage[chosen].astype(np.float64) if words else None
    if lexical is not None and not lexical.any():
        lexical = None
    similarity = None
    if near is not None:
        cosine = np.clip(near[chosen], 0, 1).astype(np.float64).round(SHOWN_DIGITS)
        similarity = np.where(rows.has_vector[chosen], cosine, np.nan)
    weight = lexical_weight(words.exactness if words else 0)
    score = fuse(lexical, similarity, weight)

    def parts(entry: int) -> Mapping[str, float]:
        (word,), (meaning,) = shown(lexical, [entry]), shown(similarity, [entry])
        if word is None or meaning is None:
            return {name: value for name, value in (("words", word), ("meaning", meaning)) if value is not None}
        return {"words": round(weight * word, SHOWN_DIGITS), "meaning": round((1 - weight) * meaning, SHOWN_DIGITS)}

    return Ranked(chosen, np.zeros(len(chosen)) if score is None else score, similarity, lexical, parts)


def _reranked(rows: Rows, fused: Ranked, asked: Asked) -> Ranked:
    """The same candidates by the local ranker; one of which neither words nor vectors know anything is left out."""
    import numpy as np

    if not len(fused.rows):
        return fused
    local = ranker.packaged_ranker()
    found = ranker.completed(local, features(rows, asked, fused.rows), is_foreign(rows, fused.rows, asked.question))
    scores = ranker.scores(local, ranker.sums(local, found)).round(SCORE_DIGITS)
    ranked = Ranked(
        fused.rows,
        scores,
        fused.similarity,
        fused.lexical,
        lambda entry: ranker.parts(local, found, entry),
    )
    return ranked.kept((fused.score > 0) | (np.asarray(found["words_4"]) > 0))


def is_foreign(rows: Rows, chosen: Numbers, question: Question) -> NDArray[np.bool_]:
    """Whether the memory is in Chinese characters and the question is not, or the other way round."""
    foreign: NDArray[np.bool_] = ((rows.flags[chosen] >> TRAITS_SHIFT & traits.HAN) > 0) != question.han
    return foreign
