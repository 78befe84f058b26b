"""What a ranking knows of each candidate, as named numbers; `ranker` weighs them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.retrieval import traits
from agent_memory.retrieval.columns import TRAITS_SHIFT
from agent_memory.retrieval.neighbourhood import Neighbourhood, neighbourhood
from agent_memory.retrieval.question import Question, named
from agent_memory.retrieval.second_pass import second_pass
from agent_memory.retrieval.time_features import time_features
from agent_memory.retrieval.vector_features import session_best, vector_features, without_speaker
from agent_memory.retrieval.word_features import word_features

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.arms import Words
    from agent_memory.retrieval.rows import Rows

    Floats = NDArray[np.float64]
    Features = dict[str, Floats]
    Cosines = NDArray[np.float32] | Floats
    Places = NDArray[np.int64] | slice

_HALF_LIFE_MS = 30 * 86_400_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what was found for it: its words, its vector, and the cosine of each row of the index."""

    question: Question
    words: Words | None
    vector: NDArray[np.float32]
    near: NDArray[np.float32]
    now_ms: int

    def with_identifiers(self, near: Cosines, rows: Places) -> Cosines:
        """The cosines of those rows, the words in their place as far as identifiers are asked for.

        Vectors know nothing of order numbers.
        """
        if self.words is None or not self.words.exactness:
            return near
        share = self.words.exactness**0.5
        blended: Cosines = (1 - share) * near + share * self.words.coverage[rows]
        return blended


def features(rows: Rows, asked: Asked, candidates: NDArray[np.int64]) -> Features:
    """One float64 array per name, aligned with the candidates."""
    around = neighbourhood(rows, candidates, asked.now_ms)
    near = asked.with_identifiers(asked.near, slice(None))
    found = word_features(rows, asked.words, around) | vector_features(near, around)
    found |= time_features(rows.created_ms[candidates], asked.question.times)
    found |= _of_speaker(rows, asked, candidates, found["near"])
    found |= _of_kind(rows, asked.question, around)
    found["session_near"] = session_best(rows.scope_codes[candidates], found["near"])
    first = found["words"] + found["words_2"] + found["near"] + 2 * found["near_2"]
    found["words_second"] = second_pass(rows, first, around, asked.question.terms)
    return found | _priors(rows, candidates)


def _of_speaker(rows: Rows, asked: Asked, candidates: NDArray[np.int64], near: Floats) -> Features:
    """Whether the one speaker whom the question names said it, and the cosine without that speaker's direction.

    Names of those who said none of the candidates don't count: they may be of people whose memories were deleted.
    """
    import numpy as np

    codes = np.unique(rows.speaker_codes[candidates])
    codes = codes[codes >= 0]
    places = named(tuple(rows.speakers[code] for code in codes.tolist()), asked.question)
    if len(places) != 1:
        return {"speaker": np.zeros(len(candidates)), "near_without_speaker": near}
    said = rows.speaker_codes[candidates] == codes[places[0]]
    without = without_speaker(rows, candidates, asked.vector, said)
    if without is None:
        return {"speaker": said.astype(np.float64), "near_without_speaker": near}
    return {"speaker": said.astype(np.float64), "near_without_speaker": asked.with_identifiers(without, candidates)}


def _of_kind(rows: Rows, question: Question, around: Neighbourhood) -> Features:
    """What kind of text it is, and whether that is the kind that the question asks for."""
    import numpy as np

    here = rows.flags[around.at(0)] >> TRAITS_SHIFT
    before = np.where(around.at(-1) >= 0, rows.flags[around.at(-1)] >> TRAITS_SHIFT, 0)
    when, number = (((here & bit) > 0).astype(np.float64) for bit in (traits.TIME, traits.NUMBER))
    return {
        "is_question": ((here & traits.QUESTION) > 0).astype(np.float64),
        "after_question": ((before & traits.QUESTION) > 0).astype(np.float64),
        "own": ((here & traits.OWN) > 0).astype(np.float64),
        "has_time": when,
        "has_number": number,
        "has_asked_time": when * question.asks_when,
        "has_asked_number": number * question.asks_number,
        "length": np.log1p(np.where(here & traits.HAN, 0.5, 1.0) * rows.lengths[around.at(0)]),  # pairs count twice
    }


def _priors(rows: Rows, candidates: NDArray[np.int64]) -> Features:
    """What counts whatever the question is: weight and age of the memory."""
    import numpy as np

    importance = rows.importance[candidates].astype(np.float64)
    created_ms = rows.created_ms[candidates]
    age_ms = created_ms.max(initial=0) - created_ms  # against the newest, so that pages of one search agree
    return {
        "importance": np.where(importance > 0, (importance - 5) / 5, 0).astype(np.float64),
        "recency": (0.5 ** (age_ms / _HALF_LIFE_MS)).astype(np.float64),
    }
