"""What kind of text a memory is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.retrieval.traits import NUMBER, QUESTION, TIME, text_traits


@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("user: I like tea", 0),
        ("user: Do you like tea?", QUESTION),
        ('user: "Do you like tea?" ', QUESTION),
        ("user: 你喜欢喝茶吗？", QUESTION),
        ("user: why? because.", 0),
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
