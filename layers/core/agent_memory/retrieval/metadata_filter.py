"""The metadata filter: the scope filter's grammar over metadata keys, plus `ne`. Additive to the API.

A field is any key of 1 to 64 characters. As in the scope filter a key that a memory does not have fulfils no condition:
`ne` means that the key is there with another value. Keys and values are compared in the form in which they are stored.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from typing import TYPE_CHECKING, Any

from agent_memory.retrieval.filter_grammar import BOUNDS, Condition, Filter, Vocabulary, parse_filter, tester
from agent_memory.text import clean
from agent_memory.times import parse_rfc3339

if TYPE_CHECKING:
    from agent_memory.retrieval.metadata_rows import Mask, MetadataRows, Rows

MetadataFilter = Filter

MAX_KEY = 64  # characters
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?", re.ASCII)
_HOLDS_IN_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "gt": lambda have, bound: have > bound,
    "gte": lambda have, bound: have >= bound,
    "lt": lambda have, bound: have < bound,
    "lte": lambda have, bound: have <= bound,
}


def _key(name: str) -> str:
    if not 1 <= len(name) <= MAX_KEY or not clean(name):
        raise ValueError(f"must be a metadata key of 1 to {MAX_KEY} characters")
    return clean(name)


_METADATA = Vocabulary(
    root="metadataFilter",
    operators=("and", "or", "not", "eq", "ne", "prefix", "wildcard", "in", "range", "exists"),
    field=_key,
    value=clean,
)


def parse_metadata_filter(node: object) -> MetadataFilter:
    """The filter of a JSON value; raises InvalidParameter naming the place, such as `metadataFilter.op`."""
    return parse_filter(node, _METADATA)


def filter_mask(wanted: MetadataFilter, rows_of: MetadataRows, size: int) -> Mask:
    """Of `size` rows those that pass; each distinct value of a key is judged once, however many rows have it."""
    return _Masks(rows_of, size).of(wanted)


class _Masks:
    """Reads the values of a key once, however many ranges of one filter ask for them."""

    def __init__(self, rows_of: MetadataRows, size: int) -> None:
        self._rows_of = rows_of
        self._size = size
        self._read: dict[str, list[tuple[_Comparable, Rows]]] = {}

    def of(self, wanted: MetadataFilter) -> Mask:
        import numpy as np

        if isinstance(wanted, Condition):
            mask = np.zeros(self._size, np.bool_)
            for rows in self._passing(wanted):
                mask[rows] = True
            return mask
        masks = (self.of(part) for part in wanted.parts)
        if wanted.op == "not":
            return ~next(masks)
        return reduce(np.logical_and if wanted.op == "and" else np.logical_or, masks)

    def _passing(self, condition: Condition) -> list[Rows]:
        by_value = self._rows_of.get(condition.field, {})
        if condition.op in ("eq", "in"):
            named = condition.values if condition.op == "in" else {condition.value}
            return [by_value[value] for value in named if value in by_value]
        if condition.op in BOUNDS:
            bound, in_order = _Comparable.of(condition.value), _HOLDS_IN_ORDER[condition.op]
            return [rows for have, rows in self._comparables(condition.field) if _compared(have, bound, in_order)]
        fulfils = tester(condition)
        return [rows for value, rows in by_value.items() if fulfils(value)]

    def _comparables(self, key: str) -> list[tuple[_Comparable, Rows]]:
        if key not in self._read:
            by_value = self._rows_of.get(key, {})
            self._read[key] = [(_Comparable.of(value), rows) for value, rows in by_value.items()]
        return self._read[key]


@dataclass(frozen=True, slots=True)
class _Comparable:
    """A text with the number or the instant that it is."""

    text: str
    number: Decimal | None
    instant: int | None

    @classmethod
    def of(cls, text: str) -> _Comparable:
        number = Decimal(text) if _NUMBER.fullmatch(text) else None
        return cls(text, number, _instant(text) if number is None else None)


def _compared(have: _Comparable, bound: _Comparable, in_order: Callable[[Any, Any], bool]) -> bool:
    """As numbers if both are, else as instants if both are, else as text."""
    if have.number is not None and bound.number is not None:
        return in_order(have.number, bound.number)
    if have.instant is not None and bound.instant is not None:
        return in_order(have.instant, bound.instant)
    return in_order(have.text, bound.text)


def _instant(text: str) -> int | None:
    try:
        return parse_rfc3339(text)
    except ValueError:
        return None
