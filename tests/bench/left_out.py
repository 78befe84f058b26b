"""The ranker on conversations that its weights never saw: each is ranked by weights fitted to the others.

    python -m tests.bench.left_out JUDGED...

where JUDGED are files of `tests.bench.judged`; a conversation in two languages is left out in both.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from agent_memory.retrieval.ranker_data import Data, read
from agent_memory.retrieval.ranker_fit import fit

COLUMNS = ("questions", "turn all@10", "turn all@50", "turn R@10", "session any@5", "session all@5")


def weights_without(data: Data) -> dict[str, np.ndarray]:
    """Weights by the conversation that they never saw."""
    every = np.ones(len(data.answers), np.bool_)
    return {talk: fit(data.only(every, data.talks != talk)) for talk in sorted(set(data.talks.tolist()))}


def outcome(answers: np.ndarray, sessions: np.ndarray, total: np.ndarray) -> tuple[float, ...]:
    """Of one question: all@10, all@50 and R@10 of turns, any@5 and all@5 of sessions among the best 50."""
    best = np.argsort(-total, kind="stable")[:50]
    found = answers[best]
    wanted = set(sessions[answers].tolist())
    first = set(list(dict.fromkeys(sessions[best].tolist()))[:5])
    every = answers.sum()
    shares = (found[:10].sum() == every, found.sum() == every, found[:10].sum() / every)
    return (*map(float, shares), float(bool(wanted & first)), float(wanted <= first))


def table(path: Path, weights: dict[str, np.ndarray], names: tuple[str, ...]) -> list[tuple[str, int, list[float]]]:
    """One row per group of categories: its name, its questions, its figures in percent."""
    loaded = np.load(path)
    columns = [loaded["names"].tolist().index(name) for name in names]
    ends = np.cumsum(loaded["sizes"])
    outcomes, categories = [], []
    for end, size, talk, category in zip(ends, loaded["sizes"], loaded["talks"], loaded["categories"], strict=True):
        part = slice(end - size, end)
        if loaded["answers"][part].any():
            total = loaded["features"][part][:, columns] @ weights[str(talk)]
            outcomes.append(outcome(loaded["answers"][part], loaded["sessions"][part], total))
            categories.append(int(category))
    figures, kinds = np.array(outcomes) * 100, np.array(categories)
    groups = {"categories 1-5": kinds > 0, "categories 1-4": kinds < 5, "multi-hop": kinds == 1}
    return [(name, int(mask.sum()), figures[mask].mean(axis=0).tolist()) for name, mask in groups.items()]


def main() -> None:
    """See the module."""
    paths = [Path(name) for name in sys.argv[1:]]
    data = read(paths)
    weights = weights_without(data)
    print(f"{'':34}" + "".join(f"{column:>15}" for column in COLUMNS))
    for path in paths:
        for name, questions, figures in table(path, weights, data.names):
            print(f"{path.stem + ', ' + name:34}{questions:15}" + "".join(f"{figure:15.1f}" for figure in figures))


if __name__ == "__main__":
    main()
