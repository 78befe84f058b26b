"""Whether a text says something, by its key words."""

from __future__ import annotations

import re
import unicodedata

SMALL = frozenset(re.findall(r"\w+", "a an the is are am was were be to of at in on for and my i it that this"))
_HAN = "\u2e80-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_STARTS_HAN = re.compile(f"[{_HAN}]")
_WORD = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+(?:[-.:/][^\W_{_HAN}]+)*")


def says(text: str, wanted: str) -> bool:
    """Whether every key word of `wanted` stands in the text: whole words, Chinese wherever it stands."""
    have = _folded(text)
    words = [word for word in _WORD.findall(_folded(wanted)) if word not in SMALL]
    if not words:
        return _folded(wanted) in have
    return all(_stands(word, have) for word in words)


def _stands(word: str, have: str) -> bool:
    if _STARTS_HAN.match(word):
        return word in have
    return re.search(rf"(?<![^\W_{_HAN}]){re.escape(word)}(?![^\W_{_HAN}])", have) is not None


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
