"""Fitting the weights: on made-up questions whose answers were drawn with weights that are known."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agent_memory.retrieval.ranker import PRIORS, WORD_FEATURES
from agent_memory.retrieval.ranker_data import Data, read
from agent_memory.retrieval.ranker_fit import FLOORS, NEAREST, calibrate, document, expected, fit

NAMES = (*WORD_FEATURES, "near", "is_question", "length")
TRUE = {"words": 3.0, "near": 2.5, "words_2": 1.0, "is_question": -1.0, "length": 0.5, "words_next": -0.5}


def drawn(weights: dict[str, float], questions: int = 400, candidates: int = 25, seed: int = 1) -> Data:
    """One answer to each question, drawn as the model says: by the softmax of the weighted sums."""
    random = np.random.default_rng(seed)
    features = random.standard_normal((questions, candidates, len(NAMES)))
    total = features @ [weights.get(name, 0.0) for name in NAMES]
    answers = np.zeros((questions, candidates), np.bool_)
    winners = (total + random.gumbel(size=total.shape)).argmax(axis=1)
    answers[np.arange(questions), winners] = True
    return Data(
        NAMES,
        features.reshape(-1, len(NAMES)),
        answers.ravel(),
        np.arange(questions) * candidates,
        np.array([f"talk {number % 3}" for number in range(questions)]),
    )


def fitted(data: Data) -> dict[str, float]:
    return dict(zip(data.names, fit(data).tolist(), strict=True))


def test_known_weights_are_found_again() -> None:
    """From enough questions to a twentieth or so, large ones drawn a little towards zero."""
    weights = fitted(drawn(TRUE, questions=3_000, candidates=15))
    for name in NAMES:
        assert weights[name] == pytest.approx(TRUE.get(name, 0), abs=0.15), name
    assert fitted(drawn(TRUE, questions=100))["words"] < weights["words"] < TRUE["words"]


def test_weights_keep_their_floors() -> None:
    """What the data speaks against stays at its floor; the others are fitted as if that were given."""
    weights = fitted(drawn({**TRUE, "words": 0.5, "words_4": -1.0, "near": 0.0}))
    assert weights["words"] == pytest.approx(FLOORS["words"])
    assert weights["near"] == pytest.approx(FLOORS["near"])
    assert weights["words_4"] == pytest.approx(0, abs=1e-9)
    assert weights["is_question"] < 0
    assert all(weights[name] >= FLOORS.get(name, -inf) - 1e-9 for name in NAMES)


def test_the_same_data_gives_the_same_weights() -> None:
    """Digit by digit; the order of the questions is of no matter."""
    data = drawn(TRUE, questions=120)
    assert fit(data).tolist() == fit(drawn(TRUE, questions=120)).tolist()
    order = np.random.default_rng(2).permutation(len(data.starts))
    size = int(data.sizes[0])
    rows = (order[:, None] * size + np.arange(size)).ravel()
    mixed = Data(data.names, data.features[rows], data.answers[rows], data.starts, data.talks[order])
    assert fit(mixed) == pytest.approx(fit(data), abs=1e-4)


def test_what_is_the_same_for_all_candidates_has_no_weight() -> None:
    """It orders nothing."""
    data = drawn(TRUE, questions=60)
    data.features[:, NAMES.index("length")] = 7.0
    assert fitted(data)["length"] == pytest.approx(0, abs=1e-3)


def test_far_candidates_are_left_out_of_the_fit() -> None:
    """Beyond the nearest nothing changes, however many there are."""
    data = drawn(TRUE, questions=40)
    size = int(data.sizes[0])
    far = np.full((40, 2 * NEAREST, len(NAMES)), -50.0)
    features = np.concatenate((data.features.reshape(40, size, -1), far), axis=1)
    answers = np.concatenate((data.answers.reshape(40, size), np.zeros(far.shape[:2], np.bool_)), axis=1)
    more, most = (
        Data(
            NAMES,
            features[:, : size + extra].reshape(-1, len(NAMES)),
            answers[:, : size + extra].ravel(),
            np.arange(40) * (size + extra),
            data.talks,
        )
        for extra in (NEAREST, 2 * NEAREST)
    )
    assert fit(more) == pytest.approx(fit(most))


def test_calibration_gives_even_odds() -> None:
    """Answers and others weigh the same in all: more of what is no answer moves nothing."""
    data = drawn(TRUE, questions=100)
    weights = np.array([TRUE.get(name, 0.0) for name in NAMES])
    scale, offset = calibrate(data, weights)
    chance = 1 / (1 + np.exp(-scale * (data.features @ weights + offset)))
    assert scale > 0
    assert chance[data.answers].mean() + chance[~data.answers].mean() == pytest.approx(1, abs=1e-6)
    rows = np.concatenate((np.arange(len(data.answers)), np.flatnonzero(~data.answers)))
    doubled = Data(data.names, data.features[rows], data.answers[rows], data.starts, data.talks)
    assert calibrate(doubled, weights) == pytest.approx((scale, offset))


def test_what_to_expect_of_words_where_vectors_say_one() -> None:
    """Least squares through zero, over the answers alone; a negative cosine counts as 0."""
    features = np.zeros((4, len(NAMES)))
    near, words = NAMES.index("near"), NAMES.index("words")
    features[:, near], features[:, words] = [0.5, 1.0, -1.0, 0.2], [0.5, 2.0, 9.0, 7.0]
    data = Data(NAMES, features, np.array([True, True, True, False]), np.array([0, 2]), np.array(["a", "b"]))
    assert expected(data) == {name: 1.8 if name == "words" else 0 for name in WORD_FEATURES}


def saved(path: Path, sizes: list[int], answers: list[int], talk: str) -> Path:
    """A file of judged questions whose first feature counts the rows."""
    rows = sum(sizes)
    names = ["words", *PRIORS, "near"]
    features = np.arange(rows * len(names), dtype=np.float32).reshape(len(names), rows).T
    marks = np.zeros(rows, np.bool_)
    marks[answers] = True
    arrays: dict[str, Any] = {"names": names, "features": features, "sizes": sizes, "answers": marks}
    np.savez(path, **arrays, talks=np.array([talk] * len(sizes)))
    return path


def test_questions_without_an_answer_are_left_out(tmp_path: Path) -> None:
    """Also the features whose weight is set by hand; several files are one set."""
    data = read(
        [saved(tmp_path / "1.npz", [2, 3, 1], [1, 5], "first"), saved(tmp_path / "2.npz", [1, 2], [2], "second")]
    )
    assert data.names == ("words", "near")
    assert data.features[:, 0].tolist() == [0, 1, 5, 1, 2]
    assert data.answers.tolist() == [False, True, True, False, True]
    assert data.starts.tolist() == [0, 2, 3]
    assert data.sizes.tolist() == [2, 1, 2]
    assert data.talks.tolist() == ["first", "first", "second"]


def test_some_rows_of_some_questions() -> None:
    """Questions keep their rows together."""
    data = drawn(TRUE, questions=3, candidates=4)
    rows = np.array([True, False, True, True] * 3)
    part = data.only(rows, np.array([True, False, True]))
    assert part.starts.tolist() == [0, 3]
    assert part.sizes.tolist() == [3, 3]
    assert part.features.tolist() == data.features[[0, 2, 3, 8, 10, 11]].tolist()
    assert part.talks.tolist() == ["talk 0", "talk 2"]


def test_the_document_is_what_a_ranker_reads() -> None:
    """With what it was fitted on, and the weights that are set by hand."""
    found = document(drawn(TRUE, questions=50), "made up")
    assert set(found) == {"about", "fitted", "scale", "offset", "weights", "expected"}
    assert found["fitted"] == {"questions": 50, "conversations": ["talk 0", "talk 1", "talk 2"], "l2": 5.0}
    assert set(found["weights"]) == {*NAMES, *PRIORS}
