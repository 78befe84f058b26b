"""Cleaning at the border, and the form in which two texts count as the same."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.text import clean, has_control_characters, normalised, utf8_size

ANY_TEXT = st.text(st.characters(categories=None), max_size=30)  # lone surrogates and controls too


@pytest.mark.parametrize(
    ("given_text", "cleaned"),
    [
        ("a\x00b\x07c\x7f", "abc"),
        ("a\tb\nc", "a\tb\nc"),
        ("a\r\nb\rc\x0b\x0c", "a\nb\nc"),
        ("a\ud800b", "a\ufffdb"),
        ("\ud83d\x00\ude00", "\ufffd\ufffd"),
        ("cafe\u0301", "café"),
        ("👨‍👩‍👧 我对虾过敏，", "👨‍👩‍👧 我对虾过敏，"),
        ("ＡＢ", "ＡＢ"),
        ("", ""),
    ],
)
def test_cleaning_removes_only_what_no_store_can_hold(given_text: str, cleaned: str) -> None:
    """Controls go, surrogates become U+FFFD, line ends and accents get one form; full width and emoji stay."""
    assert clean(given_text) == cleaned


@settings(deadline=None)
@given(ANY_TEXT)
def test_cleaned_text_is_utf8_nfc_and_stays_as_it_is(text: str) -> None:
    """Cleaning twice is cleaning once, and the result can be encoded."""
    cleaned = clean(text)
    assert cleaned.encode().decode() == cleaned
    assert clean(cleaned) == cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
    assert "\x00" not in cleaned


@pytest.mark.parametrize("control", ["\x80", "\x85", "\x9f"])
def test_c1_controls_are_controls(control: str) -> None:
    """What identifiers may not hold as a control character is also removed from text."""
    assert has_control_characters(control)
    assert clean(f"a{control}b") == "ab"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hello World", "  hello\t\nWORLD "),
        ("我 爱\u3000你", "我 爱 你"),
        ("ＡＢ１２", "ab12"),
        ("straße", "STRASSE"),
        ("cafe\u0301", "CAFÉ"),
        ("ﬁne", "fine"),
        ("①", "1"),
    ],
)
def test_same_words_in_another_dress_are_the_same(one: str, other: str) -> None:
    """White space, full width, case and compatibility forms do not count."""
    assert normalised(one) == normalised(other)


@pytest.mark.parametrize(
    ("one", "other"), [("我爱你", "我 爱 你"), ("a b", "ab"), ("虾", "蝦"), ("no!", "no"), ("1", "一")]
)
def test_different_words_stay_different(one: str, other: str) -> None:
    """A space that separates, another script or punctuation counts."""
    assert normalised(one) != normalised(other)


@settings(deadline=None)
@given(st.text(max_size=30))
def test_composed_and_decomposed_text_is_the_same(text: str) -> None:
    """Canonical equivalents have one form."""
    assert normalised(unicodedata.normalize("NFD", text)) == normalised(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize("bad", ["\x00", "\n", "\t", "\x1f", "\x7f", "\x85", "\ud800"])
def test_identifiers_may_hold_no_control_or_surrogate(bad: str) -> None:
    """Newline and tab count too: this is about names, not texts."""
    assert has_control_characters(f"用户{bad}1")


@pytest.mark.parametrize("fine", ["", "用户-1", "a b", "👨‍👩‍👧", "%2F*'\"\\"])
def test_other_characters_are_no_controls(fine: str) -> None:
    """Chinese, emoji with joiners and punctuation pass."""
    assert not has_control_characters(fine)


@pytest.mark.parametrize(("text", "size"), [("", 0), ("abc", 3), ("é", 2), ("虾", 3), ("🦐", 4), ("\ud800", 3)])
def test_sizes_are_bytes_of_utf8(text: str, size: int) -> None:
    """A character takes one to four bytes; a lone surrogate three."""
    assert utf8_size(text) == size
