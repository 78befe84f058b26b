"""The scope filter's grammar, its limits, and what passes it."""

from __future__ import annotations

import fnmatch
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.errors import InvalidParameter
from agent_memory.retrieval.filter_grammar import glob
from agent_memory.retrieval.scope_filter import matches, parse, scope_fields

FIELDS = scope_fields(("shop", "u42", "bot", "2026-11-30"))


def leaf(op: str = "eq", field: str = "runId", **rest):
    return {"op": op, "field": field, **rest}


def nested(levels: int):
    node = leaf(value="x")
    for _ in range(levels - 1):
        node = {"op": "not", "condition": node}
    return node


def problem(node: object) -> tuple[str, str]:
    with pytest.raises(InvalidParameter) as raised:
        parse(node)
    return raised.value.field, raised.value.message


@pytest.mark.parametrize(
    ("node", "passes"),
    [
        (leaf("eq", "agentId", value="bot"), True),
        (leaf("eq", "agentId", value="Bot"), False),
        (leaf("EQ", "agentId", value="bot"), True),
        (leaf("prefix", "runId", value="2026-11"), True),
        (leaf("prefix", "runId", value=""), True),
        (leaf("prefix", "wikiId", value=""), False),
        (leaf("wildcard", "runId", value="2026-*-3?"), True),
        (leaf("wildcard", "runId", value="2026-*-3"), False),
        (leaf("wildcard", "scopeKey", value="shop/*/bot/*"), True),
        (leaf("in", "tenantId", values=["u1", "u42"]), True),
        (leaf("in", "tenantId", values=["u1"]), False),
        (leaf("range", "runId", gte="2026-11-01", lt="2026-12-01"), True),
        (leaf("range", "runId", gt="2026-11-30"), False),
        (leaf("range", "runId", lte="2026-11-30"), True),
        (leaf("range", "wikiId", gte=""), False),
        (leaf("exists", "scopeType"), True),
        (leaf("exists", "wikiId"), False),
        (leaf("eq", "scopeType", value="conversation"), True),
        ({"op": "Not", "condition": leaf("exists", "wikiId")}, True),
        ({"op": "not", "conditions": [leaf("exists", "appId")]}, False),
        ({"op": "and", "conditions": [leaf("exists", "appId"), leaf("exists", "wikiId")]}, False),
        ({"op": "or", "conditions": [leaf("exists", "appId"), leaf("exists", "wikiId")]}, True),
        (leaf("eq", "agentId", value="机器人"), False),
    ],
)
def test_what_passes(node: object, passes: bool):
    """Each operator decides on the scope's own fields; one that does not exist fulfils nothing."""
    assert matches(parse(node), FIELDS) is passes


@pytest.mark.parametrize(
    ("node", "field"),
    [
        ([], "filter"),
        ("eq", "filter"),
        (None, "filter"),
        ({}, "filter.op"),
        ({"op": 3}, "filter.op"),
        ({"op": "regex", "field": "appId", "value": "x"}, "filter.op"),
        ({"op": "ne", "field": "appId", "value": "x"}, "filter.op"),
        ({"op": "and"}, "filter.conditions"),
        ({"op": "or", "conditions": []}, "filter.conditions"),
        ({"op": "or", "conditions": {"op": "exists", "field": "appId"}}, "filter.conditions"),
        ({"op": "not"}, "filter.condition"),
        ({"op": "not", "conditions": [leaf(value="x"), leaf(value="y")]}, "filter.conditions"),
        ({"op": "not", "condition": leaf(value="x"), "conditions": [leaf(value="x")]}, "filter.condition"),
        (leaf(), "filter.value"),
        (leaf(value=3), "filter.value"),
        (leaf(value=None), "filter.value"),
        (leaf(value="x", valeu="x"), "filter.valeu"),
        (leaf(value="x", Field="y"), "filter.Field"),
        (leaf("exists", value="x"), "filter.value"),
        (leaf("eq", "9lives", value="x"), "filter.field"),
        (leaf("eq", "a" * 65, value="x"), "filter.field"),
        (leaf("eq", "appId\n", value="x"), "filter.field"),
        (leaf("eq", "应用", value="x"), "filter.field"),
        (leaf("wildcard", value="*" * 33), "filter.value"),
        (leaf("in"), "filter.values"),
        (leaf("in", values=[]), "filter.values"),
        (leaf("in", values=["a", 1]), "filter.values[1]"),
        (leaf("in", values="abc"), "filter.values"),
        (leaf("range"), "filter"),
        (leaf("range", gt="a", gte="a"), "filter.gte"),
        (leaf("range", lt="a", lte="a"), "filter.lte"),
        (leaf("range", gt=1), "filter.gt"),
        ({"op": "and", "conditions": [leaf(value="x"), leaf(value=1)]}, "filter.conditions[1].value"),
        ({"op": "not", "condition": {"op": "and", "conditions": [3]}}, "filter.condition.conditions[0]"),
    ],
)
def test_what_is_refused_and_where(node: object, field: str):
    """The error names the place of the first mistake."""
    assert problem(node)[0] == field


def test_depth_limit():
    """Eight levels are read, a ninth is refused, and ten thousand are refused as quickly."""
    assert parse(nested(8))
    assert "8 levels" in problem(nested(9))[1]
    assert "8 levels" in problem(nested(10_000))[1]


def test_leaf_limit():
    """64 conditions are read over the whole filter, the 65th is refused, and no more of a huge list is looked at."""
    full = {"op": "or", "conditions": [leaf(value="x")] * 64}
    assert parse(full)
    assert "at most 64" in problem({"op": "and", "conditions": [full, leaf(value="x")]})[1]
    assert problem({"op": "or", "conditions": [leaf(value="x")] * 100_000})[0] == "filter.conditions[64]"


def test_a_range_counts_as_one_condition():
    """Two bounds of a range are one leaf of the 64."""
    assert parse({"op": "or", "conditions": [leaf("range", gt="a", lt="b")] * 64})


def test_duplicate_keys_of_the_json_text():
    """JSON readers keep the last of two equal keys; the filter is judged by that one."""
    assert matches(parse(json.loads('{"op":"regex","op":"exists","field":"wikiId","field":"appId"}')), FIELDS)


def test_a_long_unknown_key_is_not_repeated_in_full():
    """The error stays short whatever was sent."""
    assert len(problem(leaf(value="x", **{"k" * 100_000: 1}))[1]) < 200


@given(st.text(alphabet="ab*?", max_size=8), st.text(alphabet="ab", max_size=10))
def test_wildcards_agree_with_the_shell(pattern: str, text: str):
    """`*` and `?` mean what they mean to the standard library's own matcher."""
    assert glob(pattern)(text) == fnmatch.fnmatchcase(text, pattern)


@given(st.text(max_size=20))
def test_other_signs_of_patterns_are_plain(text: str):
    """Brackets, backslashes and dots stand for themselves."""
    assert glob(text.replace("*", "?"))(text)


def test_a_hostile_pattern_ends():
    """A pattern that makes backtracking matchers explode is answered."""
    assert not glob("*a" * 15 + "*b")("a" * 100_000)


KEYS = st.sampled_from(["field", "value", "values", "condition", "conditions", "gt", "lte", "x"])
OPS = st.sampled_from(["and", "or", "not", "eq", "in", "range", "exists", "Prefix", "x"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["appId", "u42", "*", "应用"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.builds(lambda op, rest: {**rest, "op": op}, OPS, st.dictionaries(KEYS, inner, max_size=3))
    ),
    max_leaves=12,
)


def named_place(node: object) -> str:
    """Where the filter is wrong, `filter` if nowhere."""
    try:
        matches(parse(node), FIELDS)
    except InvalidParameter as error:
        return error.field
    return "filter"


@given(JSON)
def test_any_json_is_read_or_refused_by_name(node: object):
    """No JSON value raises anything but the named error, and that starts with `filter`."""
    assert named_place(node).startswith("filter")
