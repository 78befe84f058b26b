"""Strings as language models write them: where one ends although quotes inside of it are not escaped, and what it says.

A quote ends a string where something may follow that ends a string there (a colon after a key; a comma and the next
key, or a bracket, after a member). In valid JSON that is every unescaped quote.
"""

from __future__ import annotations

import re
from enum import Enum


class Place(Enum):
    """What a string is."""

    KEY = 0
    MEMBER = 1
    ITEM = 2


# What opens a string, and what may close it then.
QUOTES = {'"': '"', "'": "'", "“": '“”"', "”": '“”"', "„": '“”"', "‘": "‘’'", "’": "‘’'"}
MAX_KEY = 1_000  # characters

_PLAIN = {opening: re.compile(rf"[^\\{closing}]*+") for opening, closing in QUOTES.items()}
_QUOTED_KEY = r"""(?:"(?:[^"\\\n]|\\.){0,1000}+"|['“”‘’][^"'“”‘’\n\\]{1,64}+['“”‘’])\s*+[:：]"""
_BARE_KEY = r"[^\W\d][\w-]{0,63}+\s{0,8}+:"
_ENDS = r"\s*+(?:[}\]]|//|/\*|\Z)"
_COLON = re.compile(r"\s*+[:：]")
_AFTER = {
    Place.KEY: _COLON,
    Place.MEMBER: re.compile(rf"{_ENDS}|\s*+{_QUOTED_KEY}|\s*+[,，](?:{_ENDS}|\s*+{_QUOTED_KEY}|\s*+{_BARE_KEY})"),
    Place.ITEM: re.compile(rf"{_ENDS}|\s*+,"),
}
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "'": "'", "\n": "\n"}
_CODE = re.compile(r"u([0-9a-fA-F]{4})")
_SURROGATE = re.compile("[\ud800-\udfff]")


def string_at(text: str, start: int, place: Place) -> tuple[str | None, int]:
    """What the string that opens at `start` says, and where it ends; None and where it turned out to be none.

    None and the length of the text: the text ends inside of the string.
    """
    plain, after = _PLAIN[text[start]], _AFTER[place]
    pieces: list[str] = []
    position = start + 1
    while found := plain.match(text, position):
        pieces.append(found.group())
        position = found.end()
        if place is Place.KEY and position - start > MAX_KEY:
            return None, min(position, start + MAX_KEY)
        if position + 1 >= len(text) and text[position:] in ("", "\\"):
            return None, len(text)
        if text[position] == "\\":
            piece, position = _escaped(text, position + 1)
        elif after.match(text, position + 1):
            return with_whole_characters("".join(pieces)), position + 1
        elif place is Place.KEY or _COLON.match(text, position + 1):
            return None, position  # no key; or the end of one, and the string was left open long before
        else:
            piece, position = text[position], position + 1
        pieces.append(piece)
    raise AssertionError("the pattern matches anywhere")


def with_whole_characters(text: str) -> str:
    """Halves of surrogate pairs put together, and U+FFFD for those whose other half is missing."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _escaped(text: str, position: int) -> tuple[str, int]:
    """The character after a backslash; where JSON has no such escape, the backslash was meant."""
    code = _CODE.match(text, position)
    if code:
        return chr(int(code[1], 16)), code.end()
    mark = text[position]
    return _ESCAPES.get(mark, "\\" + mark), position + 1
