"""Fits the weights of the local ranker to judged questions: `python -m agent_memory.retrieval.ranker_fit FILE...`.

The files come from `tests/bench/judged.py` in the repository. The model is the conditional logit (McFadden 1974; the
top-one ListNet of Cao et al. 2007): the softmax of the weighted sums over the candidates of a question should give its
answers the mass, `n` answers counting as sqrt(n) questions. L2 on standardised features; Newton's method, projected on
the bounds (Bertsekas 1982): no evidence of a memory, its window or its session may count against it (that of one
neighbour may: it speaks for the neighbour), and its own words and vector have a floor, so that what was learned from
long conversations still ranks a handful of facts by what they say.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_memory.retrieval.ranker import PRIORS, WEIGHTS, WORD_FEATURES
from agent_memory.retrieval.ranker_data import Data, read

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]
    Mask = NDArray[np.bool_]

FLOORS = {
    **dict.fromkeys(("words_2", "words_4", "words_session", "near_before", "near_1", "near_2", "session_near"), 0.0),
    "words_second": 0.0,
    "words": 2.0,
    "near": 2.0,
    "near_without_speaker": 0.0,
}
L2 = 5.0
ROUNDS = 30
NEAREST = 120  # candidates of a question that are fitted to, by the first guess, answers aside
ENOUGH = 1e-6


def fit(data: Data) -> Matrix:
    """One weight per feature."""
    import numpy as np

    guess = data.features[:, [data.names.index("words_2"), data.names.index("near")]].sum(axis=1)
    first = _newton(data.only(_nearest(data, guess), np.ones(len(data.talks), np.bool_)))
    close = _nearest(data, data.features @ first)
    return _newton(data.only(close, np.ones(len(data.talks), np.bool_)))


def _nearest(data: Data, guess: Matrix) -> Mask:
    import numpy as np

    question = np.repeat(np.arange(len(data.starts)), data.sizes)
    order = np.lexsort((-guess, question))
    place = np.empty(len(guess), np.int64)
    place[order] = np.arange(len(guess)) - np.repeat(data.starts, data.sizes)
    nearest: Mask = (place < NEAREST) | data.answers
    return nearest


def _newton(data: Data) -> Matrix:
    """Damped: a step that makes things worse is halved."""
    import numpy as np

    deviation = data.features.std(axis=0) + 1e-9
    scaled = (data.features - data.features.mean(axis=0)) / deviation
    floors = np.array([FLOORS.get(name, -np.inf) for name in data.names]) * deviation
    answers = np.add.reduceat(data.answers.astype(np.float64), data.starts)
    mass = np.repeat(np.sqrt(answers), data.sizes)
    wanted = data.answers * mass / np.repeat(answers, data.sizes)

    def loss(weights: Matrix) -> float:
        share = _softmax(scaled @ weights, data)
        return float(L2 * weights @ weights - wanted @ np.log(np.maximum(share, 1e-300)))

    weights = np.maximum(np.zeros(scaled.shape[1]), floors)
    for _ in range(ROUNDS):
        share = _softmax(scaled @ weights, data)
        gradient = scaled.T @ (wanted - share * mass) - 2 * L2 * weights
        means = np.add.reduceat(scaled * share[:, None], data.starts)
        curve = (scaled.T * (share * mass)) @ scaled - (means.T * np.sqrt(answers)) @ means
        curve += 2 * L2 * np.eye(len(weights))
        free = ~((weights <= floors) & (gradient < 0))
        step = np.zeros(len(weights))
        step[free] = np.linalg.solve(curve[np.ix_(free, free)], gradient[free])
        before, after = loss(weights), np.maximum(weights + step, floors)
        while loss(after) > before and float(np.abs(step).max()) > ENOUGH:
            step /= 2
            after = np.maximum(weights + step, floors)
        moved = float(np.abs(after - weights).max())
        weights = after
        if moved < ENOUGH:
            break
    found: Matrix = weights / deviation
    return found


def _softmax(total: Matrix, data: Data) -> Matrix:
    import numpy as np

    highest = np.repeat(np.maximum.reduceat(total, data.starts), data.sizes)
    grown = np.exp(total - highest)
    share: Matrix = grown / np.repeat(np.add.reduceat(grown, data.starts), data.sizes)
    return share


def calibrate(data: Data, weights: Matrix) -> tuple[float, float]:
    """Scale and offset that make logistic(scale * (sum + offset)) the chance that a candidate is an answer.

    As if there were as many answers as other candidates: how rare answers are depends on the size of a memory, and a
    threshold should not.
    """
    import numpy as np

    total = data.features @ weights
    table = np.stack([total, np.ones(len(total))], axis=1)
    line = np.array([0.0, 0.0])
    mass = np.where(data.answers, 0.5 / data.answers.mean(), 0.5 / (1 - data.answers.mean()))
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(table @ line, -30, 30)))
        slope = (table.T * (mass * chance * (1 - chance))) @ table + 1e-6 * np.eye(2)
        line = line + np.linalg.solve(slope, table.T @ (mass * (data.answers - chance)))
    return float(line[0]), float(line[1] / line[0])


def expected(data: Data) -> dict[str, float]:
    """What each feature of words is per unit of cosine in the answers, by least squares through zero."""
    import numpy as np

    answers = data.features[data.answers]
    near = np.maximum(answers[:, data.names.index("near")], 0)
    columns = {name: answers[:, data.names.index(name)] for name in WORD_FEATURES}
    return {name: round(float(near @ column / (near @ near)), 4) for name, column in columns.items()}


def document(data: Data, about: str) -> dict[str, Any]:
    """What `ranker` reads."""
    weights = fit(data)
    scale, offset = calibrate(data, weights)
    return {
        "about": about,
        "fitted": {"questions": len(data.talks), "conversations": sorted(set(data.talks.tolist())), "l2": L2},
        "scale": round(scale, 4),
        "offset": round(offset, 4),
        "weights": {name: round(float(weight), 4) for name, weight in zip(data.names, weights, strict=True)} | PRIORS,
        "expected": expected(data),
    }


def main() -> None:
    """Write the weights beside this file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judged", type=Path, nargs="+")
    parser.add_argument("--about", default="", help="on what: data set, licence, date")
    options = parser.parse_args()
    found = document(read(options.judged), options.about)
    WEIGHTS.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stdout.write(f"{WEIGHTS.name}: {found['fitted']}, scale {found['scale']}, offset {found['offset']}\n")


if __name__ == "__main__":
    main()
