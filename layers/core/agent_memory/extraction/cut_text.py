"""Texts cut to a length where a reader would not notice a broken word."""

from __future__ import annotations

import re

from agent_memory.extraction.graphemes import break_offsets

# Scripts that write words without spaces between them, so that only the grapheme is left to keep whole.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
_JOINERS = frozenset("'’-_.@/")  # inside words, names, addresses


def cut_text(text: str, limit: int) -> str:
    """The longest beginning of at most `limit` code points that ends between two words, without spaces at its end.

    "" where a single word is longer than that.
    """
    if len(text) <= limit:
        return text
    window = text[: limit + 16]  # enough to see whether the character at the limit goes on
    fits = (offset for offset in reversed(break_offsets(window)) if offset <= limit)
    return next((window[:offset].rstrip() for offset in fits if _between_words(window, offset)), "")


def _between_words(text: str, offset: int) -> bool:
    before, after = text[offset - 1], text[offset]
    if _UNSPACED.match(before) or _UNSPACED.match(after):
        return True
    return not (_in_word(before) and _in_word(after))


def _in_word(character: str) -> bool:
    return character.isalnum() or character in _JOINERS or (not character.isascii() and not character.isspace())
