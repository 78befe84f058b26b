"""What a model's JSON holds, whatever it called it: the list of items, the fields of one, and the numbers it meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

MAX_ITEMS = 500  # of one reply; a model that goes round in circles writes more
_MAX_DEPTH = 3
_MAX_NUMBERED = 60  # characters of a text that only names numbers

_WORDS = re.compile(r"[a-z]+|[第条消息号和、]+")
_NUMBERS = re.compile(r"(?<![\d.\-])\d{1,6}(?![\d.])")


def items_of(value: Any, list_names: Collection[str], field_names: Collection[str]) -> list[Any] | None:
    """The items: a list, one under any of `list_names` or as the only list, or one object that has an item's field.

    None where there is no list to read; an empty list is an answer.
    """
    return _items(value, frozenset(list_names), frozenset(field_names), _MAX_DEPTH)


def field(item: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The first value that is not None under one of the names, in any case; None where there is none."""
    named = {str(key).strip().casefold(): value for key, value in item.items()}
    return next((named[name] for name in names if named.get(name) is not None), None)


def numbers_in(value: Any, words: Collection[str], depth: int = _MAX_DEPTH) -> Iterator[int]:
    """The numbers that were meant by 0, "0", "[0]", "m0", "第0条" or lists of such; nothing from any other text.

    `words` are those that may stand beside a number.
    """
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int):
        yield value
    elif isinstance(value, float) and value.is_integer():
        yield int(value)
    elif isinstance(value, str):
        yield from _numbers_in_text(value, words)
    elif isinstance(value, list) and depth:
        for each in value[:MAX_ITEMS]:
            yield from numbers_in(each, words, depth - 1)


def truth(value: Any) -> bool:
    """Whether a flag is set, also as a word or number."""
    if isinstance(value, str):
        return value.strip().casefold() in ("true", "yes", "1", "是", "真", "对")
    return value is True or (isinstance(value, int | float) and value == 1)


def _items(value: Any, lists: frozenset[str], fields: frozenset[str], depth: int) -> list[Any] | None:
    if isinstance(value, list):
        return value
    if not isinstance(value, dict) or not value or not depth:
        return None
    named = {str(key).strip().casefold(): inner for key, inner in value.items()}
    called = [inner for name, inner in named.items() if name in lists]
    for inner in called:
        if isinstance(inner, list):
            return inner
    if fields & named.keys():
        return [value]
    if called:
        return [] if called[0] in (None, {}, "") else _items(called[0], lists, fields, depth - 1)
    nested = [inner for inner in named.values() if isinstance(inner, list | dict)]
    return _items(nested[0], lists, fields, depth - 1) if len(nested) == 1 else None


def _numbers_in_text(text: str, words: Collection[str]) -> Iterator[int]:
    if len(text) > _MAX_NUMBERED:
        return
    folded = unicodedata.normalize("NFKC", text).casefold()
    if all(word in words or set(word) <= set("第条消息号和、") for word in _WORDS.findall(folded)):
        rest = _WORDS.sub(" ", folded)
        if not any(character.isalpha() for character in rest):
            yield from (int(number) for number in _NUMBERS.findall(folded))
