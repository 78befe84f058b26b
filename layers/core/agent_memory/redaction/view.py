"""A text as a reader would copy it: full-width forms plain, nothing invisible, and where each character came from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

MASK = "\0"
"""Stands for each character of a placeholder that is there already; no pattern takes it for part of a value."""

_PLACEHOLDER = re.compile(r"\[SECRET:[a-z_]{1,20}\]")
_MARKS = re.compile(r"`+|\*\*+|~~")
_DASHES = dict.fromkeys("‐‑‒–—―−⁃﹣－", "-")
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800"
)  # blank, and no format characters by category
_WIDE_SPACE = " "


@dataclass(frozen=True, slots=True)
class View:
    """`text` with `places[i]` the index of its i-th character in the text that was given; None where they are equal."""

    text: str
    places: Sequence[int] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span in the given text of a span that is not empty."""
        if self.places is None:
            return start, end
        return self.places[start], self.places[end - 1] + 1


def views(text: str) -> list[View]:
    """The text to be read, and once more without the marks of Markdown where it has any."""
    plain = _plain(_PLACEHOLDER.sub(lambda found: MASK * len(found[0]), text))
    return [plain, _without_marks(plain)] if _MARKS.search(plain.text) else [plain]


def _plain(text: str) -> View:
    if text.isascii():
        return View(text, None)
    forms = {character: _form(character) for character in set(text)}
    if all(character == form for character, form in forms.items()):
        return View(text, None)
    pieces = [forms[character] for character in text]
    places = [index for index, piece in enumerate(pieces) for _ in piece]
    return View("".join(pieces), places)


def _form(character: str) -> str:
    """What the character is read as: nothing, a plain one, or itself."""
    if character.isascii():
        return character
    if character in _INVISIBLE or unicodedata.category(character) == "Cf" or "\ufe00" <= character <= "\ufe0f":
        return ""
    if character in _DASHES:
        return _DASHES[character]
    if character.isspace():
        return "\n" if character in "\u2028\u2029\x85" else _WIDE_SPACE
    digit = unicodedata.decimal(character, None)
    return unicodedata.normalize("NFKC", character) if digit is None else str(digit)


def _without_marks(view: View) -> View:
    """Marks of Markdown can part a secret; a reader does not see them."""
    kept: list[tuple[int, int]] = []
    start = 0
    for mark in _MARKS.finditer(view.text):
        kept.append((start, mark.start()))
        start = mark.end()
    kept.append((start, len(view.text)))
    places = [index if view.places is None else view.places[index] for low, high in kept for index in range(low, high)]
    return View("".join(view.text[low:high] for low, high in kept), places)
