"""The local reranker: a weighted sum of features, its weights fitted by `ranker_fit` on judged questions.

A linear model, since boosted trees and LambdaRank on the same features did no better. `ranker_weights.json` says what
it was fitted on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Features = Mapping[str, Floats]

WEIGHTS = Path(__file__).with_name("ranker_weights.json")
WORD_FEATURES = ("words", "words_2", "words_4", "words_previous", "words_next")
PRIORS = {"importance": 0.1, "recency": 0.1}
"""Weights that are set by hand: judged questions say nothing of them."""
_ARMS = {
    "words": ("words",),
    "wordsAround": ("words_2", "words_4", "words_previous", "words_next"),
    "meaning": ("near", "near_without_speaker"),
    "meaningAround": ("near_before", "near_1", "near_2"),
    "session": ("words_session", "session_near"),
    "secondPass": ("words_second",),
    "speaker": ("speaker",),
    "time": ("time_near", "time_month", "time_month_after", "time_year", "has_asked_time", "has_time"),
    "kind": ("is_question", "after_question", "own", "has_number", "has_asked_number", "length"),
    "priors": ("importance", "recency"),
}
"""The features by the arm they belong to, under the names by which `includeScores` shows them."""


@dataclass(frozen=True, slots=True)
class Ranker:
    """`weights` of features; score = logistic(scale * (sum + offset)).

    `expected` is what each feature of words is, in memories that answer, where the vectors say 1: it stands in for
    words of another language, which can't meet those of the question.
    """

    weights: Mapping[str, float]
    scale: float
    offset: float
    expected: Mapping[str, float]


@cache
def packaged_ranker() -> Ranker:
    """The one that comes with the package."""
    document = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Ranker(document["weights"], document["scale"], document["offset"], document["expected"])


def completed(ranker: Ranker, found: Features, foreign: NDArray[np.bool_]) -> dict[str, Floats]:
    """The features with those of words filled in for candidates that are in another language than the question."""
    import numpy as np

    filled = dict(found)
    if foreign.any():
        near = np.where(foreign, np.maximum(found["near"], 0), 0)
        best = max(float(found["session_near"].max()), 1e-6)
        filled["words_session"] = np.maximum(found["words_session"], np.where(foreign, found["session_near"] / best, 0))
        for name in WORD_FEATURES:
            filled[name] = np.maximum(found[name], near * ranker.expected.get(name, 0))
    return filled


def sums(ranker: Ranker, found: Features) -> Floats:
    """The weighted sum for each candidate."""
    import numpy as np

    total: Floats = np.full(len(found["near"]), ranker.offset)
    for name, weight in ranker.weights.items():
        total += weight * found[name]
    return total


def scores(ranker: Ranker, total: Floats) -> Floats:
    """0 to 1, the chance that the memory answers the question if as many did as did not; in the order of the sums."""
    import numpy as np

    found: Floats = 1 / (1 + np.exp(-ranker.scale * total))
    return found


def parts(ranker: Ranker, found: Features, entry: int) -> dict[str, float]:
    """What each arm adds to the sum of the candidate, in logits; with `base` they add up to the logit of its score."""
    shown = {
        arm: sum(ranker.weights.get(name, 0) * float(found[name][entry]) for name in names if name in found)
        for arm, names in _ARMS.items()
    }
    return {arm: round(ranker.scale * value, 4) for arm, value in {**shown, "base": ranker.offset}.items()}
