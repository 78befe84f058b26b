"""What a ranking knows of each candidate, beyond words, vectors and times by themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agent_memory.retrieval.arms import match_words
from agent_memory.retrieval.features import features
from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.hits import SearchQuery
from agent_memory.retrieval.ranker import packaged_ranker
from agent_memory.retrieval.ranking import first_look_at
from agent_memory.retrieval.rows import Rows
from tests.core.little_index import AWAY, DAY, NOW, hexed, index_of, numbers, rows_of, talk, unit, vector

X, Y, Z = vector(1, 0, 0), vector(0, 1, 0), vector(0, 0, 1)


def found(rows: Rows, names: str, text: str, direction: Any = X) -> dict[str, list[float]]:
    look = first_look_at(rows, SearchQuery(text, direction, Selection(now_ms=NOW)))
    assert look is not None
    features_of = features(rows, look.asked(direction), numbers(rows, names))
    assert all(values.dtype == np.float64 and len(values) == len(names) for values in features_of.values())
    return {name: values.tolist() for name, values in features_of.items()}


def test_every_feature_has_a_weight_and_every_weight_a_feature() -> None:
    """Whatever is asked and known, the same names."""
    rows = rows_of([*talk("tea", "cake", direction=X), unit("z", "虾", Y, speaker="Anna", scope=AWAY)])
    weighed = set(packaged_ranker().weights)
    for question in ("tea", "what did Anna say in May 2022?", "unheard", "虾 2093"):
        assert set(found(rows, "abz", question)) == weighed


def test_who_said_it() -> None:
    """1 for memories of the one speaker whom the question names, in whatever spelling; roles and two names are none."""
    rows = rows_of(
        [
            unit("a", "x", X, speaker="Anna"),
            unit("b", "x", Y, speaker="小明"),
            unit("c", "x", Z, speaker="user"),
            unit("d", "x", Z),
        ]
    )
    for question in ("What does ANNA like", "Ａｎｎａ喜欢什么"):
        assert found(rows, "abcd", question)["speaker"] == [1, 0, 0, 0]
    assert found(rows, "abcd", "小明喜欢什么")["speaker"] == [0, 1, 0, 0]
    for question in ("Anna and 小明", "the user", "what", "Annabel"):
        assert found(rows, "abcd", question)["speaker"] == [0] * 4


def test_names_of_those_who_said_nothing_here_do_not_count() -> None:
    """Neither of people whose memories are gone, nor of those of other conversations than the selected ones."""
    index = index_of(
        [unit("a", "x", X, speaker="Anna"), unit("b", "y", Y, speaker="Bob"), unit("c", "z", Z, speaker="Eve")]
    )
    question = "what did Anna tell Bob"
    assert found(index.rows, "abc", question)["speaker"] == [0, 0, 0]
    assert found(index.rows, "ac", question)["speaker"] == [1, 0]
    index.apply([], [hexed("b")])
    assert found(index.rows, "ac", question)["speaker"] == [1, 0]


def test_the_speaker_is_taken_out_of_the_question() -> None:
    """Only where one is named who said some of the candidates and not all."""
    rows = rows_of(
        [
            unit("a", "x", vector(1, 0, 1), speaker="Anna"),
            unit("b", "x", vector(0, 1, 1), speaker="Anna"),
            unit("c", "x", vector(1, 0, 0), speaker="Bob"),
        ]
    )
    toward = vector(0.5, 0, 1)
    plain = found(rows, "abc", "what about x", toward)
    assert plain["near_without_speaker"] == plain["near"]
    asked = found(rows, "abc", "what about Anna and x", toward)
    assert asked["near"] == plain["near"]
    assert asked["near_without_speaker"] != plain["near"]
    only_anna = found(rows, "ab", "what about Anna and x", toward)
    assert only_anna["near_without_speaker"] == only_anna["near"]


def test_identifiers_take_the_place_of_vectors() -> None:
    """A question of nothing else has the coverage by words for its cosine; one of words alone the cosine."""
    rows = rows_of([unit("a", "order AB-2093", Z), unit("b", "order", X)])
    exact = found(rows, "ab", "2093", X)
    assert exact["near"][0] > 0.5
    assert exact["near"][1] == 0
    words = match_words(rows, ["2093"])
    assert words is not None
    assert exact["near"] == pytest.approx(words.coverage[numbers(rows, "ab")].tolist())
    assert found(rows, "ab", "order", X)["near"] == pytest.approx([0, 1], abs=1e-3)
    mixed = found(rows, "ab", "order 2093", X)["near"]
    assert 0 < mixed[1] < mixed[0] < 1


def test_kinds_of_texts() -> None:
    """Questions, answers to them, times and numbers where these are asked for."""
    rows = rows_of(talk("Do you swim?", "I swim on Monday", "two lengths", "小明周一去游泳", direction=X))
    kinds = found(rows, "abcd", "when do you swim")
    assert kinds["is_question"] == [1, 0, 0, 0]
    assert kinds["after_question"] == [0, 1, 0, 0]
    assert kinds["own"] == [0, 1, 0, 0]
    assert kinds["has_time"] == kinds["has_asked_time"] == [0, 1, 0, 1]
    assert kinds["has_number"] == [0, 0, 1, 0]
    assert kinds["has_asked_number"] == [0] * 4
    numbered = found(rows, "abcd", "how many times do you swim")
    assert numbered["has_asked_number"] == [0, 0, 1, 0]
    assert numbered["has_asked_time"] == [0] * 4


def test_chinese_characters_count_half_in_lengths() -> None:
    """Each stands in two terms."""
    rows = rows_of([unit("a", "one two three four", X), unit("b", "我对虾过敏", X)])
    terms = rows.lengths[numbers(rows, "ab")].tolist()
    assert terms == [4, 9]
    assert found(rows, "ab", "x")["length"] == pytest.approx(np.log1p([4, 4.5]).tolist())


def test_weight_and_age() -> None:
    """Importance from 1 to 10 around its middle, unknown in the middle; age halves in thirty days from the newest."""
    rows = rows_of(
        [
            unit("a", "x", X, importance=10),
            unit("b", "x", X, importance=1, created_ms=NOW - 30 * DAY),
            unit("c", "x", X, created_ms=NOW - 60 * DAY),
            unit("d", "x", X, importance=5),
        ]
    )
    priors = found(rows, "abcd", "x")
    assert priors["importance"] == pytest.approx([1, -0.8, 0, 0])
    assert priors["recency"] == pytest.approx([1, 0.5, 0.25, 1])
    assert found(rows, "bc", "x")["recency"] == pytest.approx([1, 0.5])


def test_the_best_cosine_of_the_session() -> None:
    """Among the candidates of the same session."""
    rows = rows_of([unit("a", "x", X), unit("b", "y", Y), unit("c", "z", vector(3, 4, 0), scope=AWAY)])
    assert found(rows, "abc", "question")["session_near"] == pytest.approx([1, 1, 0.6], abs=0.01)
    assert found(rows, "bc", "question")["session_near"] == pytest.approx([0, 0.6], abs=0.01)


def test_what_the_best_speak_of_is_looked_for() -> None:
    """The best by words and vectors lead to memories of their other terms; terms of the question lead nowhere."""
    rows = rows_of(
        [
            unit("a", "Anna's sister Melanie", X, turn=False),
            unit("b", "Melanie paints", Z, turn=False),
            unit("c", "Anna swims", Z, turn=False),
            *(unit(f"other{place:03d}", f"filler{place:03d}", -X, scope=AWAY, turn=False) for place in range(60)),
        ]
    )
    score = found(rows, "abc", "what does Anna's sister do", X)["words_second"]
    assert score[1] > 0.1
    assert score[2] == pytest.approx(0, abs=1e-3)
