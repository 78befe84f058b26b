"""The language that a script tells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.languages import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我对虾过敏", "zh"),
        ("請把會議改到三點", "zh"),
        ("请用 Kubernetes 部署", "zh"),
        ("鲜の每日水果到货了", "zh"),
        ("I met 王小明 at the library", "en"),
        ("Order AB-2093 shipped", "en"),
        ("Où est la gare ?", "en"),
        ("東京で雨が降っています", "ja"),
        ("カタカナ", "ja"),
        ("저는 새우 알레르기가 있어요", "ko"),
        ("У меня аллергия на креветки", "ru"),
        ("عندي حساسية من الروبيان", "ar"),
        ("יש לי אלרגיה", "he"),
        ("ฉันแพ้กุ้ง", "th"),
        ("मुझे झींगा से एलर्जी है", "hi"),
        ("Καλημέρα", "el"),
        ("12:30 🎉 -- 42", "und"),
        ("", "und"),
    ],
)
def test_language_follows_the_script_with_most_weight(text: str, language: str) -> None:
    """Mixed texts take the language that says more."""
    assert language_of(text) == language


@given(st.text())
def test_every_text_has_an_answer(text: str) -> None:
    """A lower-case tag of two or three letters, whatever the text."""
    tag = language_of(text)
    assert tag.isalpha()
    assert tag.islower()
    assert 2 <= len(tag) <= 3
