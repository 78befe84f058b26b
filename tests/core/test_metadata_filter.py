"""The metadata filter: its vocabulary, how values compare, and masks that agree with a look at each row."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.errors import InvalidParameter
from agent_memory.retrieval.filter_grammar import Condition, Filter
from agent_memory.retrieval.metadata_filter import filter_mask, parse_metadata_filter
from agent_memory.retrieval.metadata_rows import JoinedMetadata, merged_metadata, metadata_rows, renumbered_metadata


def passes(node: object, *rows: dict[str, str]) -> list[bool]:
    mask: list[bool] = filter_mask(parse_metadata_filter(node), metadata_rows(rows), len(rows)).tolist()
    return mask


def in_range(value: str, **bounds: str) -> bool:
    return passes({"op": "range", "field": "k", **bounds}, {"k": value})[0]


@pytest.mark.parametrize(
    ("value", "bounds", "holds"),
    [
        ("10", {"gt": "9"}, True),
        ("10", {"gt": "9a"}, False),  # one side is no number: text
        ("1e3", {"gt": "999.5"}, True),
        ("+.5", {"lte": "0.50"}, True),
        ("-0", {"gte": "0", "lte": "-0.0"}, True),
        ("9007199254740993", {"gt": "9007199254740992"}, True),  # beyond the whole numbers of a float
        ("1e9999", {"gt": "1e9998"}, True),
        ("1e99999", {"gt": "2"}, False),  # such an exponent is no number
        ("nan", {"gt": "1"}, True),  # nor is this, and as text it stands behind
        ("Infinity", {"gt": "1"}, True),
        ("1_000", {"gt": "999"}, False),
        ("１０", {"gt": "9"}, True),  # full-width digits are text
        ("2026-01-01T00:00:00+08:00", {"lt": "2025-12-31T20:00:00Z"}, True),
        ("2026-01-01T00:00:00.001Z", {"gt": "2026-01-01t00:00:00z"}, True),
        ("2026-01-01", {"lt": "2026-01-01T00:00:00Z"}, True),  # a day is text
        ("2026-02-30T00:00:00Z", {"gt": "2026-02-28T00:00:00Z"}, True),  # no calendar has it: text
        ("乙", {"gt": "中", "lt": "乚"}, True),
        ("杭州", {"gte": "杭州", "lte": "杭州"}, True),
        ("", {"lt": "0"}, True),
    ],
)
def test_numbers_then_times_then_text(value: str, bounds: dict[str, str], holds: bool) -> None:
    """Both sides must be of a kind, else they are compared as text."""
    assert in_range(value, **bounds) is holds


def test_each_bound_finds_its_own_kind() -> None:
    """A range may compare one bound as a number and the other as text."""
    assert in_range("10", gt="9", lt="a")
    assert not in_range("10", gt="9", lt="1")


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3), st.integers(-1_000, 1_000))
def test_numbers_compare_as_numbers(left: Decimal, right: int) -> None:
    """Exactly, whatever their length."""
    assert in_range(f"{left:f}", gt=str(right)) is (left > right)
    assert in_range(f"{left:f}", lte=str(right)) is (left <= right)


def test_a_key_may_be_any_text() -> None:
    """1 to 64 characters, not the names of fields only, compared in the form in which metadata are stored."""
    for key in ("9 lives", "城市", "a.b", "*", "🧠", "x" * 64):
        assert passes({"op": "exists", "field": key}, {key: ""}, {}) == [True, False]
    assert passes({"op": "eq", "field": "e\u0301\x07", "value": "e\u0301"}, {"é": "é"}) == [True]
    assert passes({"op": "in", "field": "k", "values": ["e\u0301"]}, {"k": "é"}) == [True]


def test_different_means_there_and_different() -> None:
    """`ne` says nothing of a row without the key; `not` of `eq` does."""
    rows = ({"k": "x"}, {"k": "y"}, {})
    assert passes({"op": "ne", "field": "k", "value": "x"}, *rows) == [False, True, False]
    assert passes({"op": "not", "condition": {"op": "eq", "field": "k", "value": "x"}}, *rows) == [False, True, True]


@pytest.mark.parametrize(
    ("node", "field"),
    [
        ({"op": "ne", "field": "k"}, "metadataFilter.value"),
        ({"op": "$near", "field": "k", "value": "x"}, "metadataFilter.op"),
        ({"op": "not", "condition": {"op": "ge", "field": "k", "value": "x"}}, "metadataFilter.condition.op"),
        ({"op": "or", "conditions": [{"op": "range", "field": "k", "lt": 1}]}, "metadataFilter.conditions[0].lt"),
        ({"op": "exists", "field": "x" * 65}, "metadataFilter.field"),
        ({"op": "exists", "field": "\u0000"}, "metadataFilter.field"),
        ({"op": "wildcard", "field": "k", "value": "*" * 33}, "metadataFilter.value"),
    ],
)
def test_mistakes_are_named_by_their_place(node: object, field: str) -> None:
    """Below `metadataFilter`, as far down as it is."""
    with pytest.raises(InvalidParameter) as raised:
        parse_metadata_filter(node)
    assert raised.value.field == field


KEYS, VALUES = st.sampled_from("ab"), st.sampled_from(["", "1", "10", "9", "x", "2026-01-01T00:00:00Z", "红"])
ROWS = st.lists(st.dictionaries(KEYS, VALUES), max_size=8)
LEAVES = (
    st.builds(Condition, st.sampled_from(["eq", "ne", "prefix"]), KEYS, VALUES)
    | st.builds(Condition, st.sampled_from(["gt", "lte"]), KEYS, VALUES)
    | st.builds(lambda key, values: Condition("in", key, values=values), KEYS, st.frozensets(VALUES, min_size=1))
)


def as_json(condition: Condition) -> dict[str, Any]:
    """The node that means the condition."""
    if condition.op == "in":
        return {"op": "in", "field": condition.field, "values": sorted(condition.values)}
    if condition.op in ("gt", "lte"):
        return {"op": "range", "field": condition.field, condition.op: condition.value}
    return {"op": condition.op, "field": condition.field, "value": condition.value}


NODES = st.recursive(
    st.builds(as_json, LEAVES),
    lambda inner: (
        st.builds(
            lambda op, parts: {"op": op, "conditions": parts},
            st.sampled_from(["and", "or"]),
            st.lists(inner, min_size=1, max_size=3),
        )
        | st.builds(lambda part: {"op": "not", "condition": part}, inner)
    ),
    max_leaves=5,
)


def judged(wanted: Filter, row: dict[str, str]) -> bool:
    """One row by itself: the meaning that the masks must have."""
    if isinstance(wanted, Condition):
        one = filter_mask(wanted, metadata_rows([{wanted.field: row[wanted.field]}]), 1) if wanted.field in row else [0]
        return bool(one[0])
    parts = [judged(part, row) for part in wanted.parts]
    return {"and": all(parts), "or": any(parts), "not": not parts[0]}[wanted.op]


@given(NODES, ROWS)
def test_masks_are_the_rows_one_by_one(node: dict[str, Any], rows: list[dict[str, str]]) -> None:
    """However conditions are joined, a row passes or not whatever stands beside it."""
    try:
        wanted = parse_metadata_filter(node)
    except InvalidParameter as error:
        assert "levels" in error.message  # noqa: PT017 - both outcomes are right
        return
    assert filter_mask(wanted, metadata_rows(rows), len(rows)).tolist() == [judged(wanted, row) for row in rows]


def listed(rows_of: Any) -> dict[tuple[str, str], list[int]]:
    return {(key, value): found.tolist() for key, by_value in rows_of.items() for value, found in by_value.items()}


@given(ROWS, ROWS)
def test_parts_read_or_merged_as_one(first: list[dict[str, str]], second: list[dict[str, str]]) -> None:
    """Two parts are as one that was built from all rows, whether they are merged or only read together."""
    parts = metadata_rows(first), metadata_rows(second)
    direct = metadata_rows([*first, *second])
    joined = JoinedMetadata([(parts[0], 0), (parts[1], len(first))])
    assert listed(merged_metadata(*parts, len(first))) == listed(direct) == listed(joined)
    assert len(joined) == len(direct)
    assert {key: len(joined[key]) for key in joined} == {key: len(direct[key]) for key in direct}
    assert joined.get("absent") is None


@given(st.lists(st.tuples(st.dictionaries(KEYS, VALUES), st.booleans()), max_size=8), st.integers(0, 8), st.randoms())
def test_renumbered_rows_are_those_of_what_is_kept(rows: Any, cut: int, chance: Any) -> None:
    """In any new order, with what is left out gone."""
    kept = [row for row, (_, keep) in enumerate(rows) if keep]
    chance.shuffle(kept)
    numbers = np.full(len(rows), -1, np.int32)
    numbers[kept] = np.arange(len(kept))
    cut = min(cut, len(rows))
    parts = [(metadata_rows(pairs for pairs, _ in part), at) for part, at in [(rows[:cut], 0), (rows[cut:], cut)]]
    direct = metadata_rows(rows[row][0] for row in kept)
    assert listed(renumbered_metadata(parts, numbers)) == listed(direct)
