"""What a question seeks, and whom it names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.retrieval.asked_times import AskedTime
from agent_memory.retrieval.question import named, question_of
from agent_memory.retrieval.tokenizer import folded
from tests.core.little_index import NOW


@pytest.mark.parametrize(
    ("text", "when", "number"),
    [
        ("When did she move?", True, False),
        ("WHENEVER you like", False, False),
        ("what year was that", True, False),
        ("How long ago was it?", True, True),
        ("how many cats has he", False, True),
        ("How  old is it", False, False),
        ("How old is it", False, True),
        ("Where is the key?", False, False),
        ("什么时候搬家", True, False),
        ("什麼時候搬家", True, False),
        ("哪天去", True, False),
        ("哪一年毕业", True, False),
        ("他几点来", True, False),
        ("多少钱", False, True),
        ("他养了几只猫", False, True),
        ("他几岁了", False, True),
        ("钥匙在哪里", False, False),
        ("", False, False),
    ],
)
def test_what_is_sought(text: str, when: bool, number: bool) -> None:
    """A time, a number, or neither, in English and in both writings of Chinese."""
    question = question_of(text, NOW)
    assert (question.asks_when, question.asks_number) == (when, number)


def test_terms_times_and_writing() -> None:
    """Telling words alone; the times that are named; whether it is Chinese, whatever names stand in it."""
    question = question_of("Where were the cats in May 2022?", NOW)
    assert question.terms == ("cat", "may", "2022")
    assert question.times == (AskedTime(2022, 5),)
    assert not question.han
    assert question_of("Caroline 养了什么", NOW).han
    assert not question_of("Does 小李 like tea and cake?", NOW).han


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What did Anna say?", ["anna"]),
        ("ANNA's cat", ["anna"]),
        ("Ａｎｎａ", ["anna"]),
        ("Annabel or Hanna, an annal", []),
        ("Hanna and Anna", ["anna"]),
        ("anna_2 anna3", []),
        ("what do Anna and Bob like", ["anna", "bob"]),
        ("小明喜欢什么", ["小明"]),
        ("昨天小明和Anna去了哪里", ["anna", "小明"]),
        ("问Anna吧", ["anna"]),
        ("劉洋去了哪裡", ["刘洋"]),
        ("mary ann's sister", ["mary ann"]),
        ("mary, ann", []),
        ("José", ["jose"]),
        ("the user asked the assistant", []),
        ("", []),
    ],
)
def test_whom_it_names(text: str, found: list[str]) -> None:
    """Names as words of their own, Chinese ones anywhere; roles are no names."""
    names = ("user", "anna", "bob", "小明", "刘洋", "assistant", "mary ann", "jose")
    assert [names[place] for place in named(names, question_of(text, NOW))] == found


@given(st.text(), st.lists(st.text(min_size=1).map(folded).filter(bool), max_size=5))
def test_any_name_can_be_looked_for(text: str, names: list[str]) -> None:
    """Nothing raises, and what is named stands in the question."""
    question = question_of(text, NOW)
    assert all(names[place] in question.folded for place in named(tuple(names), question))


@given(st.sampled_from(["anna", "小明", "jean-luc", "o'neil"]))
def test_a_name_alone_is_a_question_that_names_it(name: str) -> None:
    """At both ends of the text."""
    assert named((name,), question_of(name, NOW)) == [0]


@pytest.mark.parametrize("letter", ["a", "我", "?", " ", "how ", "几"])
def test_long_questions_end(letter: str) -> None:
    """The greatest length allowed, beside names of one letter."""
    question = question_of((letter * 8_192)[:8_192], NOW)
    assert named(("a", "我", "aa" * 100), question) == ([1] if letter == "我" else [])
