"""The driver itself: filters of other systems in our grammar, recipes of the length they state, key words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases.case_files import NotServed
from tests.cases.recipes import batches, filled, planted
from tests.cases.sayings import says
from tests.cases.wording import body_of, filter_node

EQ = {"op": "eq", "field": "a", "value": "1"}


@pytest.mark.parametrize(
    ("written", "node"),
    [
        ({"a": "1"}, EQ),
        ({"year": {"$gte": "2025", "lt": "2027"}}, {"op": "range", "field": "year", "gte": "2025", "lt": "2027"}),
        ({"year": {"$near": "2024"}}, {"op": "near", "field": "year", "value": "2024"}),
        ({"AND": [{"a": "1"}]}, {"op": "and", "conditions": [EQ]}),
        ({"$not": [{"a": "1"}]}, {"op": "not", "condition": EQ}),
        (
            {"a": "1", "b": {"$in": ["2"]}},
            {"op": "and", "conditions": [EQ, {"op": "in", "field": "b", "values": ["2"]}]},
        ),
        ({"a": {"$exists": False}}, {"op": "not", "condition": {"op": "exists", "field": "a"}}),
        (EQ, EQ),
        ({}, {}),
        ("a = 1", "a = 1"),
    ],
)
def test_filters_of_other_systems_become_nodes(written: Any, node: Any) -> None:
    """What the grammar does not have stays recognisable, for the service to refuse."""
    assert filter_node(written) == node


def test_a_step_says_in_its_own_words_what_the_body_says_in_the_api_s() -> None:
    """A time beside messages is the reference time, a mode a flag; what a model is to say is no part of the body."""
    step = {"op": "AddMemories", "messages": [], "timestamp": "2026-01-01T00:00:00Z", "repeat": 2, "odd": 1}
    expected = {"memoryStoreName": "mem", "messages": [], "referenceTime": "2026-01-01T00:00:00Z", "odd": 1}
    assert body_of(step) == expected
    step = {"op": "SearchMemories", "query": "虾", "mode": "keyword"}
    assert body_of(step) == {"memoryStoreName": "mem", "query": "虾", "keywordOnly": True}
    assert body_of({"op": "AddMemories", "llmReply": "{}"}) == {"memoryStoreName": "mem"}
    with pytest.raises(NotServed):
        body_of({"op": "SearchMemories", "mode": "graph"})


@pytest.mark.parametrize("style", ["", " of Chinese", " without a space"])
def test_a_long_text_has_its_length_and_its_end(style: str) -> None:
    """In characters, with the planted words last."""
    recipe = f"generate: 9,001 characters{style} ending with 'my locker is 88'"
    text = filled(recipe)
    assert (len(text), text[-15:]) == (9_001, "my locker is 88")
    assert planted([{"messages": [recipe]}]) == ["my locker is 88"]


def test_messages_of_a_recipe_come_in_batches() -> None:
    """Numbered or of equal parts; no two are the same; what nobody knows is an error."""
    numbered = list(batches(["generate: 'item NNN' 250 messages in batches of 20"]))
    assert [len(batch) for batch in numbered] == [20] * 12 + [10]
    assert numbered[0][0]["content"] == "item 001"
    (parts,) = batches(["generate: 20 messages, 10,000 characters in all"])
    assert sum(len(each["content"]) for each in parts) == 10_000
    assert len({each["content"] for each in parts}) == 20
    with pytest.raises(NotServed):
        list(batches(["generate: something else"]))


@pytest.mark.parametrize(
    ("text", "wanted", "holds"),
    [
        ("[2026] user: my SSH port is 2222.", "port is 22 ", False),
        ("user: I moved to York", "York", True),
        ("用户:我不喜欢吃香菜", "喜欢吃香菜", True),
        ("订单号ＡＢ－２０９３", "AB-2093", True),
        ("user: Lena is allergic", "user is allergic to peanuts", False),
    ],
)
def test_key_words_are_whole_words_and_chinese_is_found_anywhere(text: str, wanted: str, holds: bool) -> None:
    """Small words do not count."""
    assert says(text, wanted) is holds
