"""JSON in what models say: what is repaired, what is left out, and that no text takes long or breaks the reader."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.lenient_json import Found, NoJson, json_values, read_json, salvage_json

FACT = {"text": "我对虾过敏", "evidence": [0]}
ONE = json.dumps({"facts": [FACT]}, ensure_ascii=False)

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=50), inner), max_leaves=20
)
containers = st.lists(values) | st.dictionaries(st.text(max_size=50), values)


@given(containers, st.booleans(), st.sampled_from([None, 1]))
def test_what_is_json_is_read_as_json(value: Any, ascii_only: bool, indent: int | None) -> None:
    """The leniency changes nothing for what is right."""
    assert read_json(json.dumps(value, ensure_ascii=ascii_only, indent=indent)) == value


@given(st.text(alphabet="{}[]\"'\\:,/*#“”‘’ \n\ud800abNu0123-.tn虾。", max_size=80))
@settings(max_examples=400)
def test_no_text_breaks_the_reader(text: str) -> None:
    """Whatever comes out can be stored as UTF-8, and comes from the text."""
    for found in json_values(text):
        json.dumps(found.value, ensure_ascii=False, allow_nan=False).encode()
        assert isinstance(found.value, dict | list)


@pytest.mark.parametrize(
    "text",
    [
        f"Sure! Here you go:\n```json\n{ONE}\n```\nAnything else?",
        f"好的，结果如下：{ONE}。还需要什么？",
        f"\ufeff{ONE}",
        json.dumps(ONE),
        f"The set {{name}} is {ONE}",
        f"{ONE}}}}}",
        f"{ONE} {{}}",
        f"<think>I could say {{}} or []</think>\n{ONE}",
        f"I could say {{}} or []\n</think>\n{ONE}",
        '{"facts":[{"text":"我对虾过敏","evidence":[0],},],}',
        '{"facts":[{"text":"我对虾过敏","evidence":[0]}}]}',
        '{"facts":[{"text":"我对虾过敏","evidence":[0]}}',
        '{"facts":[{"text":"我对虾过敏","evidence":[0]]}',
        '{"facts":[{"text":"我对虾过敏"\n"evidence":[0]}]}',
        "{'facts':[{'text':'我对虾过敏','evidence':[0]}]}",
        "{“facts”：[{“text”：“我对虾过敏”，“evidence”：[0]}]}",
        '{facts: [{text: "我对虾过敏", evidence: [0]}]}',
        '{"facts": [ // the facts\n {"text": "我对虾过敏", /* only one */ "evidence": [0]} # done\n]}',
        '{"facts": [{"text": "我对虾过敏", "evidence": [0]}, ...]}',
        '{"facts":[{"text":"\\u6211\\u5bf9虾过敏","evidence":[0]}]}',
    ],
)
def test_an_answer_is_found_and_repaired(text: str) -> None:
    """Prose, fences, thoughts, commas, brackets, quotes, comments."""
    assert read_json(text) == {"facts": [FACT]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'"C:\Users\x"', r"C:\Users\x"),
        (r'"\x41 \ü \u12 \' \/"', r"\x41 \ü \u12 ' /"),
        ('"two\nlines\tand a tab"', "two\nlines\tand a tab"),
        (r'"\ud83d\ude00 \ud800x"', "😀 \ufffdx"),
        ('"\ud83d"', "\ufffd"),
        ('"he said "hi" to me, "no", and left"', 'he said "hi" to me, "no", and left'),
        ('"他说"好"，然后走了"', '他说"好"，然后走了'),
        ("'I don't know'", "I don't know"),
        ("“我说“好””", "我说“好”"),
        ('"// no comment, see http://a.b/*c*/ #1"', "// no comment, see http://a.b/*c*/ #1"),
        ("True", True),
        ("False", False),
        ("None", None),
        ("NaN", None),
        ("-Infinity", None),
        ("1e999", None),
        ("9" * 5000, None),
        ("-0.5e-3", -0.0005),
        (".5", 0.5),
        ("+7", 7),
    ],
)
def test_values_are_repaired(text: str, value: Any) -> None:
    """Escapes that JSON lacks keep their backslash; no number is beyond JSON; lone surrogates become U+FFFD."""
    assert read_json(f'{{"a": {text}, "b": 1}}') == {"a": value, "b": 1}


def test_of_two_members_with_one_name_the_last_counts() -> None:
    """As in Python's own reader."""
    assert read_json('{"a": 1, "a": 2}') == {"a": 2}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I can't do that.",
        "没有",
        "null",
        "{",
        "}{",
        '{"facts": [',
        '{"facts": [{"text": "I like',
        '{"text": "I like tea", "b": "gre',
        "<think>" + ONE,
        "[" * 100 + "]" * 100,
        '{"a":' * 100 + "1" + "}" * 100,
    ],
)
def test_nothing_is_a_named_error(text: str) -> None:
    """Also where the text ends before one item is whole, where it is all thought, and where it is too deep."""
    with pytest.raises(NoJson):
        read_json(text)
    with pytest.raises(NoJson):
        salvage_json(text)


@pytest.mark.parametrize(
    "end", ["", '{"text": "I li', '{"text": "I like tea", "evidence": [0', '{"text": "a", "evidence": [0]', "{"]
)
def test_a_list_that_is_cut_off_keeps_its_whole_items(end: str) -> None:
    """Half an item is none; read_json wants all of it."""
    text = f"{ONE[:-2]}, {end}"
    assert salvage_json(text) == Found({"facts": [FACT]}, complete=False)
    with pytest.raises(NoJson):
        read_json(text)


@pytest.mark.parametrize("bad", ['{"text": oops}', '{"text": "I like, "evidence": [0]}', '{"text" 1}', '{"e": [0, x]}'])
def test_a_broken_item_does_not_take_the_others_along(bad: str) -> None:
    """It is left out, and the caller knows that."""
    fact = json.dumps(FACT)
    assert salvage_json(f'{{"facts": [{fact}, {bad}, {fact}]}}') == Found({"facts": [FACT, FACT]}, complete=False)


def test_values_come_one_after_the_other() -> None:
    """Those inside of others are no values of their own."""
    assert [found.value for found in json_values('[1] and {"a": [2]} or [3]')] == [[1], {"a": [2]}, [3]]


UNITS = [
    *("[", "{", '{"a":', "[1,", "[{x", '{"', "[/*", "[//", '{"":\'', '{"a":[{"a":', '{"\\', "},{", 'x"y{[,:', "[{},"),
    *("[+", '{"a":"', '{"k":"v" ', '[" ," ', "{“a“:“", " ", "[[", "</think>", "<think>", "我说：{“", "[...", '{"a": '),
]


@pytest.mark.parametrize("unit", UNITS)
def test_garbage_takes_time_in_proportion(unit: str) -> None:
    """Work that grew with the square of the length would take minutes here."""
    for found in json_values(unit * (300_000 // len(unit))):
        assert isinstance(found.value, dict | list)
