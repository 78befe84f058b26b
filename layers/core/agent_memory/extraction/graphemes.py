"""Where a text may be cut without parting what a reader sees as one character.

After UAX 29 (extended grapheme clusters), with two simplifications: any letter after a virama stays with it, and a
zero-width joiner binds whatever follows.
"""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_EXTENDING_CATEGORIES = frozenset({"Mn", "Me", "Mc"})
_VIRAMA_CLASS = 9  # canonical combining class


def extends(character: str) -> bool:
    """Whether the character belongs to the one before it: marks, joiners, skin tones, tags, half-width sound marks."""
    return (
        unicodedata.category(character) in _EXTENDING_CATEGORIES
        or character in "\u200c\u200d\uff9e\uff9f"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
    )


def break_offsets(text: str) -> list[int]:
    """The offsets between the graphemes of `text`, its two ends left out."""
    offsets = []
    flags = 0  # regional indicators in a row before this offset; they pair up to flags
    for offset in range(1, len(text)):
        before, after = text[offset - 1], text[offset]
        flags = flags + 1 if _is_regional(before) else 0
        half_a_flag = flags % 2 == 1 and _is_regional(after)
        if not (half_a_flag or extends(after) or _binds(before, after)):
            offsets.append(offset)
    return offsets


def _binds(before: str, after: str) -> bool:
    return (
        before == _JOINER
        or (before == "\r" and after == "\n")
        or (_is_high_surrogate(before) and _is_low_surrogate(after))
        or (unicodedata.combining(before) == _VIRAMA_CLASS and after.isalpha())
        or _same_hangul_syllable(before, after)
    )


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _is_high_surrogate(character: str) -> bool:
    return "\ud800" <= character <= "\udbff"


def _is_low_surrogate(character: str) -> bool:
    return "\udc00" <= character <= "\udfff"


def _same_hangul_syllable(before: str, after: str) -> bool:
    """Conjoining jamo: a leading consonant takes anything, a vowel or syllable takes a vowel or a final."""
    if "\u1100" <= before <= "\u115f":
        return "\u1100" <= after <= "\u11a7" or "\uac00" <= after <= "\ud7a3"
    takes_more = "\u1160" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"
    return takes_more and "\u1160" <= after <= "\u11ff"
