"""The weighted sum: its weights, its scores, and how they are explained."""

from __future__ import annotations

import tomllib
from math import exp, isfinite
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import agent_memory
from agent_memory.retrieval.ranker import (
    PRIORS,
    WEIGHTS,
    WORD_FEATURES,
    Ranker,
    completed,
    packaged_ranker,
    parts,
    scores,
    sums,
)
from agent_memory.retrieval.ranker_fit import FLOORS

PACKAGED = packaged_ranker()
SMALL = Ranker({"near": 2.0, "words": 1.0, "is_question": -1.0}, 0.5, -1.0, {"words": 0.8})
TABLE = st.lists(
    st.lists(st.floats(-1, 2, width=32), min_size=len(PACKAGED.weights), max_size=len(PACKAGED.weights)),
    min_size=1,
    max_size=6,
)


def by_name(table: list[list[float]]) -> dict[str, Any]:
    """Features; those of words are never below 0."""
    columns = np.array(table, np.float64).T
    return {
        name: np.abs(column) if name.startswith("words") else column
        for name, column in zip(PACKAGED.weights, columns, strict=True)
    }


def test_the_packaged_weights_keep_their_floors() -> None:
    """No evidence counts against a memory, and what it says itself always counts."""
    assert all(PACKAGED.weights[name] >= floor for name, floor in FLOORS.items())
    assert {name: PACKAGED.weights[name] for name in PRIORS} == PRIORS
    assert all(map(isfinite, [*PACKAGED.weights.values(), PACKAGED.scale, PACKAGED.offset]))
    assert PACKAGED.scale > 0
    assert set(PACKAGED.expected) == set(WORD_FEATURES)
    assert min(PACKAGED.expected.values()) >= 0


@pytest.mark.parametrize("near", ["near", "near_before", "near_1", "near_2", "near_without_speaker", "session_near"])
def test_nearness_lifts(near: str) -> None:
    """Each kind of it, with the packaged weights; time that fits does so too."""
    nothing = by_name([[0.0] * len(PACKAGED.weights)])
    base = sums(PACKAGED, nothing)[0]
    assert sums(PACKAGED, {**nothing, near: np.ones(1)})[0] >= base
    for name in ("time_near", "time_month", "time_year", "speaker", "has_asked_time", "has_asked_number"):
        assert sums(PACKAGED, {**nothing, name: np.ones(1)})[0] > base


def test_the_weights_come_with_the_package() -> None:
    """An installed package has each file that is no module."""
    root = Path(agent_memory.__file__).parent
    project = tomllib.loads((root.parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    listed = {
        file for pattern in project["tool"]["setuptools"]["package-data"]["agent_memory"] for file in root.glob(pattern)
    }
    assert WEIGHTS in listed
    held = {file for file in root.rglob("*") if file.is_file() and "__pycache__" not in file.parts}
    assert {file for file in held if file.suffix != ".py"} <= listed


def test_a_sum_and_its_score_by_hand() -> None:
    """Weights times features and the offset; the logistic function of the scaled sum."""
    found = {"near": np.array([0.5, 0.0]), "words": np.array([1.0, 0.0]), "is_question": np.array([0.0, 1.0])}
    total = sums(SMALL, found)
    assert total.tolist() == [1, -2]
    assert scores(SMALL, total) == pytest.approx([1 / (1 + exp(-0.5)), 1 / (1 + exp(1))])
    assert parts(SMALL, found, 0) == {
        **dict.fromkeys(
            ("wordsAround", "meaningAround", "session", "secondPass", "speaker", "time", "kind", "priors"), 0
        ),
        "words": 0.5,
        "meaning": 0.5,
        "base": -0.5,
    }
    assert parts(SMALL, found, 1)["kind"] == -0.5


@given(TABLE)
def test_scores_lie_in_0_to_1_in_the_order_of_the_sums(table: list[list[float]]) -> None:
    """Whatever the features."""
    total = sums(PACKAGED, by_name(table))
    score = scores(PACKAGED, total)
    assert ((score >= 0) & (score <= 1)).all()
    order = np.argsort(total)
    assert (np.diff(score[order]) >= 0).all()


@given(TABLE)
def test_the_parts_add_up_to_the_logit(table: list[list[float]]) -> None:
    """Each part has four digits; so every weight belongs to one arm. Near 1 a score says too little of its logit."""
    found = by_name(table)
    total = sums(PACKAGED, found)
    for entry, value in enumerate(scores(PACKAGED, total).tolist()):
        explained = sum(parts(PACKAGED, found, entry).values())
        assert explained == pytest.approx(PACKAGED.scale * total[entry], abs=1e-3)
        assert 1 / (1 + exp(-explained)) == pytest.approx(value, abs=1e-3)


@given(TABLE, st.data())
def test_another_language_never_lowers_a_feature(table: list[list[float]], data: st.DataObject) -> None:
    """Only features of words are filled in, only for foreign candidates, and the given ones are left as they are."""
    found = by_name(table)
    before = {name: values.copy() for name, values in found.items()}
    foreign = data.draw(arrays(np.bool_, len(table)))
    filled = completed(PACKAGED, found, foreign)
    assert set(filled) == set(found)
    for name, values in filled.items():
        assert (found[name] == before[name]).all()
        assert (values >= found[name]).all()
        assert (values[~foreign] == found[name][~foreign]).all()
        if name not in {*WORD_FEATURES, "words_session"}:
            assert (values == found[name]).all()


def test_what_stands_in_for_words_of_another_language() -> None:
    """The cosine times what is usual; a session by its share of the best one's cosine."""
    found = {
        "near": np.array([0.5, 0.5, -0.5]),
        "session_near": np.array([0.5, 0.8, 0.4]),
        "words_session": np.zeros(3),
        **{name: np.zeros(3) for name in WORD_FEATURES},
    }
    filled = completed(SMALL, found, np.array([True, False, True]))
    assert filled["words"].tolist() == [0.4, 0, 0]
    assert filled["words_2"].tolist() == [0, 0, 0]
    assert filled["words_session"] == pytest.approx([0.625, 0, 0.5])
