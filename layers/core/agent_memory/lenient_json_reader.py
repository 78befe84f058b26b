"""Reads one JSON value that may be broken in the ways language models break it; linear in the text, bounded in depth.

Taken beyond JSON: comments, missing and superfluous commas, extra closing brackets, single and typographic quotes,
bare keys, Python's literals, raw line breaks and unescaped quotes in strings, escapes that JSON does not have.
"""

from __future__ import annotations

import math
import re
from typing import Any

from agent_memory.lenient_json_strings import QUOTES, Place, string_at

MAX_DEPTH = 64
_COMMENT = r"(?://|#)[^\n]*+|/\*[^*]{0,1000}+\*/"
_BLANK = re.compile(rf"(?:[\s\ufeff]|{_COMMENT})*+")
_SEPARATORS = re.compile(rf"(?:[\s\ufeff,，]|{_COMMENT}|\.\.\.|…)*+")
_BARE_KEY = re.compile(r"[^\W\d][\w-]{0,63}+(?=\s{0,8}:)")
_COLON = re.compile(r"\s*+[:：]")
_NUMBER = re.compile(r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?")
_WORD = re.compile(r"[-+]?[A-Za-z]\w{0,15}+")
_NEXT_ITEM = re.compile(r"\}\s*+(?:,\s*+(?=\{)|(?=\]))")
_LITERALS = {"true": True, "false": False, "null": None, "none": None, "nan": None, "infinity": None, "undefined": None}
_LONGEST_WHOLE_NUMBER = 300  # digits


class Broken(Exception):
    """What stands at the reader's position cannot be part of a value."""


class Ended(Exception):
    """The text ends inside of a value of which nothing can be kept."""


class JsonReader:
    """`position` is where the reader is. Not `whole`: items were left out; `ended`: the text ended before the value."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position
        self.whole = True
        self.ended = False
        self.too_deep = False
        self._depth = 0

    def value(self, place: Place = Place.ITEM) -> Any:
        """The value at the position; raises Broken or Ended."""
        mark = self._next(_BLANK)
        if mark in ("{", "["):
            self._depth += 1
            if self._depth > MAX_DEPTH:
                self.too_deep = True
                raise Broken
            self.position += 1
            found: Any = self._members() if mark == "{" else self._items()
            self._depth -= 1
            return found
        return self._string(place) if mark in QUOTES else self._number() if mark in "-+.0123456789" else self._word()

    def _next(self, skipped: re.Pattern[str]) -> str:
        """The character after what is skipped; raises Ended."""
        blank = skipped.match(self.text, self.position)
        self.position = blank.end() if blank else self.position
        if self.position >= len(self.text):
            self._end()
            raise Ended
        return self.text[self.position]

    def _end(self) -> None:
        self.ended, self.whole, self.position = True, False, len(self.text)

    def _members(self) -> dict[str, Any]:
        members: dict[str, Any] = {}
        try:
            while (mark := self._next(_SEPARATORS)) not in "}]":
                key = self._key(mark)
                members[key] = self.value(Place.MEMBER)
                if self.ended:
                    return members
        except Ended:
            return members
        if mark == "}":  # the other bracket ends the list around an object that was left open
            self.position += 1
        return members

    def _key(self, mark: str) -> str:
        if mark in QUOTES:
            key = self._string(Place.KEY)
        elif bare := _BARE_KEY.match(self.text, self.position):
            key, self.position = bare.group(), bare.end()
        else:
            raise Broken
        self._next(_BLANK)
        colon = _COLON.match(self.text, self.position)
        if colon is None:
            raise Broken
        self.position = colon.end()
        return key

    def _items(self) -> list[Any]:
        items: list[Any] = []
        try:
            while (mark := self._next(_SEPARATORS)) != "]":
                if mark == "}":
                    if not self._superfluous():
                        return items  # the list was left open, and the object around it ends
                elif (item := self._item(mark, items)) is not None and not self.ended:
                    items.extend(item)
                if self.ended:
                    return items
        except Ended:
            return items
        self.position += 1
        return items

    def _superfluous(self) -> bool:
        """Whether a closing brace inside of a list is followed by more of the list; then it is stepped over."""
        after = _BLANK.match(self.text, self.position + 1)
        more = after is not None and self.text[after.end() : after.end() + 1] in (",", "]")
        self.position += more
        return more

    def _item(self, mark: str, items: list[Any]) -> list[Any]:
        """The item as a list of one; of none where it is broken and the next one of a list of objects can be found."""
        depth = self._depth
        try:
            return [self.value()]
        except Broken:
            if mark != "{" and not (items and isinstance(items[-1], dict)):
                raise
            following = _NEXT_ITEM.search(self.text, self.position)
            self.whole, self._depth = False, depth
            if following is None:
                self._end()
                raise Ended from None
            self.position = following.end()
            return []

    def _string(self, place: Place) -> str:
        value, self.position = string_at(self.text, self.position, place)
        if value is not None:
            return value
        if self.position < len(self.text):
            raise Broken
        self._end()
        raise Ended

    def _number(self) -> int | float | None:
        found = _NUMBER.match(self.text, self.position)
        if found is None:
            return self._word()
        self.position = found.end()
        if self.position >= len(self.text):
            self._end()
            raise Ended  # more digits may be missing
        digits = found.group()
        if digits.lstrip("+-").isdecimal() and len(digits) <= _LONGEST_WHOLE_NUMBER:
            return int(digits)
        number = float(digits)
        return number if math.isfinite(number) else None

    def _word(self) -> bool | None:
        found = _WORD.match(self.text, self.position)
        word = found.group().lstrip("+-").lower() if found else ""
        if found is None or word not in _LITERALS:
            raise Broken
        self.position = found.end()
        return _LITERALS[word]
