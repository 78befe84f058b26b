"""What kind of text a memory is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.retrieval.traits import HAN, NUMBER, OWN, QUESTION, TIME, text_traits


@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("user: I like tea", 0),
        ("user: Do you like tea?", QUESTION),
        ('user: "Do you like tea?" ', QUESTION),
        ("user: 你喜欢喝茶吗？", QUESTION),
        ("user: why? because.", 0),
        ("user: Is this yours? [photo: a red scarf] ", QUESTION),
        ("user: Is this yours? [photo: a red scarf] It is mine.", 0),
        ("user: I have two cats", NUMBER),
        ("user: order AB-2093", NUMBER),
        ("user: 我有三只猫", NUMBER),
        ("user: 我们一起去", 0),
        ("user: I swim every week", TIME),
        ("user: 我昨天去了西湖", TIME),
        ("user: 我每周三晚上学游泳", TIME),
        ("user: It happened on 3 May 2024, yesterday?", QUESTION | NUMBER | TIME),
        ("", 0),
    ],
)
def test_traits_of_texts(text: str, traits: int) -> None:
    """In English and Chinese."""
    assert text_traits(text) & (QUESTION | NUMBER | TIME) == traits


@given(st.text())
def test_every_text_has_traits(text: str) -> None:
    """At most six bits, which is what the flags of a row have room for."""
    assert 0 <= text_traits(text) < 64


@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("I like tea", OWN),
        ("Give it to me", OWN),
        ("In time, he said", 0),
        ("mining", 0),
        ("我喜欢喝茶", OWN | HAN),
        ("咱去喝茶吧", OWN | HAN),
        ("他喜欢喝茶", HAN),
        ("Caroline 喜欢喝茶", HAN),
        ("小李 likes green tea", 0),
        ("お茶が好き", HAN),
        ("茶", HAN),
        ("2023", 0),
    ],
)
def test_whose_and_in_which_writing(text: str, traits: int) -> None:
    """Whether the speaker talks of himself; whether it is Chinese, names in other letters aside."""
    assert text_traits(text) & (OWN | HAN) == traits


@pytest.mark.parametrize("piece", ["?[", "? ", "?)", "1 ", "1.", "20", "二", "第", "a ", "[?"])
def test_long_texts_end(piece: str) -> None:
    """A hundred thousand characters of what patterns begin with."""
    assert 0 <= text_traits(piece * 50_000) < 64
