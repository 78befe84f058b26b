"""The language of filters: conditions joined by and, or, not (spec of the API, "Scope filter").

One grammar with its limits; a vocabulary says which operators and fields a filter has. A field that is missing fulfils
no condition; only `not` turns that round.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent_memory.errors import InvalidParameter

MAX_LEVELS = 8
MAX_LEAVES = 64
MAX_WILDCARD = 32  # characters
BOUNDS = ("gt", "gte", "lt", "lte")
_KEYS: dict[str, tuple[str, ...]] = {
    "and": ("conditions",),
    "or": ("conditions",),
    "not": ("condition", "conditions"),
    "eq": ("field", "value"),
    "ne": ("field", "value"),
    "prefix": ("field", "value"),
    "wildcard": ("field", "value"),
    "in": ("field", "values"),
    "range": ("field", *BOUNDS),
    "exists": ("field",),
}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What one kind of filter speaks of. `root` is its field of the request, `operators` what `op` may be.

    `field` and `value` turn what a client wrote into the form that is compared; `field` raises ValueError for a name
    that no field can have.
    """

    root: str
    operators: tuple[str, ...]
    field: Callable[[str], str]
    value: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison of a field: with `value`, for `in` with `values`, for `exists` with nothing."""

    op: str
    field: str
    value: str = ""
    values: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Junction:
    """All of the parts, any of them, or not the only one."""

    op: str
    parts: tuple[Filter, ...]


Filter = Condition | Junction


def parse_filter(node: object, vocabulary: Vocabulary) -> Filter:
    """The filter of a JSON value; raises InvalidParameter naming the place, such as `filter.conditions[1].value`."""
    return _Parser(vocabulary).node(node, vocabulary.root, 1)


def tester(condition: Condition) -> Callable[[str], bool]:
    """Whether a field of some text fulfils the condition; ranges are of the text, character by character."""
    if condition.op == "wildcard":
        return glob(condition.value)
    holds = _HOLDS[condition.op]
    return lambda have: holds(have, condition)


def glob(pattern: str) -> Callable[[str], bool]:
    """Whether a whole text fits the pattern, in which `*` is any run of characters and `?` any one.

    Each piece between two stars is taken where it comes first, so no step back is needed, however hostile the pattern.
    """
    first, *rest = (_piece(part) for part in pattern.split("*"))
    if not rest:
        return lambda text: first.fullmatch(text) is not None
    *middle, last = rest
    length_of_last = len(pattern.rpartition("*")[2])

    def fits(text: str) -> bool:
        found = first.match(text)
        for piece in middle:
            found = found and piece.search(text, found.end())
        end = len(text) - length_of_last
        return found is not None and found.end() <= end and last.match(text, end) is not None

    return fits


def _piece(part: str) -> re.Pattern[str]:
    return re.compile("".join("." if character == "?" else re.escape(character) for character in part), re.DOTALL)


_HOLDS: dict[str, Callable[[str, Condition], bool]] = {
    "eq": lambda have, condition: have == condition.value,
    "ne": lambda have, condition: have != condition.value,
    "prefix": lambda have, condition: have.startswith(condition.value),
    "in": lambda have, condition: have in condition.values,
    "gt": lambda have, condition: have > condition.value,
    "gte": lambda have, condition: have >= condition.value,
    "lt": lambda have, condition: have < condition.value,
    "lte": lambda have, condition: have <= condition.value,
    "exists": lambda _have, _condition: True,
}


class _Parser:
    """Counts the leaves of one filter while it walks down, so that a huge one is refused early."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._words = vocabulary
        self._leaves = 0

    def node(self, node: object, path: str, level: int) -> Filter:
        if level > MAX_LEVELS:
            raise InvalidParameter(path, f"is more than {MAX_LEVELS} levels deep")
        if not isinstance(node, Mapping):
            raise InvalidParameter(path, "must be an object")
        op = _text(node, "op", path).lower()
        if op not in self._words.operators:
            raise InvalidParameter(f"{path}.op", f"must be one of {', '.join(self._words.operators)}")
        for key in node:
            if key != "op" and key not in _KEYS[op]:
                raise InvalidParameter(f"{path}.{str(key)[:64]}", f"is not a known field of {op}")
        return self._leaf(op, node, path) if "field" in _KEYS[op] else self._junction(op, node, path, level)

    def _junction(self, op: str, node: Mapping[Any, Any], path: str, level: int) -> Junction:
        if op == "not" and ("condition" in node) == ("conditions" in node):
            raise InvalidParameter(f"{path}.condition", "is required, and conditions must not stand beside it")
        if "condition" in node:
            return Junction(op, (self.node(node["condition"], f"{path}.condition", level + 1),))
        conditions = node.get("conditions")
        if not isinstance(conditions, list) or not conditions:
            raise InvalidParameter(f"{path}.conditions", "must be an array with at least one condition")
        if op == "not" and len(conditions) != 1:
            raise InvalidParameter(f"{path}.conditions", "must hold exactly one condition below not")
        parts = (self.node(part, f"{path}.conditions[{at}]", level + 1) for at, part in enumerate(conditions))
        return Junction(op, tuple(parts))

    def _leaf(self, op: str, node: Mapping[Any, Any], path: str) -> Filter:
        self._leaves += 1
        if self._leaves > MAX_LEAVES:
            raise InvalidParameter(path, f"is one condition too many: a filter has at most {MAX_LEAVES}")
        try:
            field = self._words.field(_text(node, "field", path))
        except ValueError as error:
            raise InvalidParameter(f"{path}.field", str(error)) from error
        if op == "range":
            return self._range(field, node, path)
        if op == "in":
            return Condition(op, field, values=frozenset(map(self._words.value, _texts(node, path))))
        value = "" if op == "exists" else self._words.value(_text(node, "value", path))
        if op == "wildcard" and len(value) > MAX_WILDCARD:
            raise InvalidParameter(f"{path}.value", f"must have at most {MAX_WILDCARD} characters")
        return Condition(op, field, value)

    def _range(self, field: str, node: Mapping[Any, Any], path: str) -> Junction:
        bounds = [bound for bound in BOUNDS if bound in node]
        if not bounds:
            raise InvalidParameter(path, f"needs at least one of {', '.join(BOUNDS)}")
        for strict, loose in (("gt", "gte"), ("lt", "lte")):
            if strict in node and loose in node:
                raise InvalidParameter(f"{path}.{loose}", f"must not stand beside {strict}")
        values = [self._words.value(_text(node, bound, path)) for bound in bounds]
        return Junction("and", tuple(map(Condition, bounds, [field] * len(bounds), values)))


def _text(node: Mapping[Any, Any], key: str, path: str) -> str:
    if key not in node:
        raise InvalidParameter(f"{path}.{key}", "is required")
    if not isinstance(node[key], str):
        raise InvalidParameter(f"{path}.{key}", "must be a string")
    return str(node[key])


def _texts(node: Mapping[Any, Any], path: str) -> list[str]:
    values = node.get("values")
    if not isinstance(values, list) or not values:
        raise InvalidParameter(f"{path}.values", "must be an array with at least one string")
    for at, value in enumerate(values):
        if not isinstance(value, str):
            raise InvalidParameter(f"{path}.values[{at}]", "must be a string")
    return values
