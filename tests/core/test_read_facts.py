"""The answer about facts, read for what it meant: what can be used is, the rest is counted, nothing ever breaks."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.extraction.by_model import MAX_TEXT, Reading, read_facts
from agent_memory.extraction.cut_text import cut_text
from agent_memory.extraction.facts import IMPORTANCE, Fact
from agent_memory.extraction.graphemes import break_offsets
from agent_memory.models import Message
from tests.stand_ins import START_MS

MOVED = {"text": "I moved to Leeds.", "evidence": [0]}
CHENGDU = {"text": "我搬到成都了。", "evidence": [1]}


def message(content: str, role: str = "user", speaker: str | None = None) -> Message:
    return Message(message_id="m", role=role, speaker=speaker or role, content=content, timestamp_ms=START_MS)


TALK = [
    message("I moved to Leeds. I can't stand coriander, and I'm allergic to peanuts. Call me Bo. 5 > 3"),
    message("我搬到成都了。我不喜欢香菜，对花生过敏。明天去买牛奶。", speaker="小李"),
    message("I like to keep three pointers in mind.", "assistant"),
    message("My flatmate Lena plays chess on Mondays.", "assistant", "Melanie"),
]


def read(value: Any) -> Reading:
    return read_facts(value, TALK)


def the(item: Any) -> tuple[Fact, tuple[int, ...]]:
    """The one fact of an answer with one item."""
    reading = read({"facts": [item]})
    assert (len(reading.facts), reading.dropped) == (1, 0)
    return reading.facts[0]


@pytest.mark.parametrize(
    "shape",
    [
        {"facts": [MOVED]},
        [MOVED],
        MOVED,
        {"memories": [MOVED]},
        {"items": [MOVED]},
        {"结果": [MOVED]},
        {"事实": [MOVED]},
        {"Facts ": [MOVED]},
        {"facts": MOVED},
        {"result": {"facts": [MOVED]}},
        {"data": {"output": {"facts": [MOVED]}}},
        {"whatever": [MOVED]},
        {"note": "here", "count": 1, "list": [MOVED]},
        {"facts": [MOVED], "notes": [1, 2]},
        {"facts": ["Here they are", MOVED]},
        {"内容": "I moved to Leeds.", "证据": [0]},
        {"FACT": "I moved to Leeds.", "Source": "0"},
        {"memory": "I moved to Leeds.", "sources": ["m0"]},
    ],
)
def test_any_shape_of_list_is_read(shape: Any) -> None:
    """Under other names, bare, wrapped, or alone."""
    facts = read(shape).facts
    assert [(fact.text, evidence) for fact, evidence in facts] == [("I moved to Leeds.", (0,))]


@pytest.mark.parametrize(
    "empty", [{"facts": []}, [], {"facts": None}, {"facts": {}}, {"结果": []}, {"result": {"facts": []}}]
)
def test_nothing_to_remember_is_an_answer(empty: Any) -> None:
    """It needs no second call."""
    assert read(empty) == Reading((), 0)


@pytest.mark.parametrize(
    "useless",
    [
        None,
        True,
        0,
        3.5,
        float("nan"),
        "",
        "I moved to Leeds.",
        "没有",
        {},
        {"facts": "none"},
        {"facts": 3},
        {"error": "I can't do that"},
        {"a": [], "b": []},
        {"a": {"b": {"c": {"d": {"facts": [MOVED]}}}}},
        [1, 2, 3],
        [None],
        [[MOVED]],
        ["Somebody moved", "有人搬家"],
        {"facts": [[], [[]]]},
    ],
)
def test_what_is_no_list_of_facts_says_what_is_wrong(useless: Any) -> None:
    """So that the model can be asked once more."""
    with pytest.raises(ValueError, match="must be"):
        read(useless)


@pytest.mark.parametrize(
    "item",
    [
        None,
        7,
        "Somebody moved to Paris.",
        [],
        [MOVED],
        {},
        {"evidence": [0]},
        {"text": None, "evidence": [0]},
        {"text": 42, "evidence": [0]},
        {"text": ["I moved"], "evidence": [0]},
        {"text": "", "evidence": [0]},
        {"text": " \t\n\u200b", "evidence": [0]},
        {"text": "\x00\x07", "evidence": [0]},
        {"text": "?!…。", "evidence": [0]},
        {"text": "\ud800", "evidence": [0]},
        {"text": "x" * 10_000, "evidence": [0]},
        {"text": "Bo moved.", "evidence": []},
        {"text": "Bo moved."},
        {"text": "Bo moved.", "evidence": None},
        {"text": "Bo moved.", "evidence": [4]},
        {"text": "Bo moved.", "evidence": -1},
        {"text": "Bo moved.", "evidence": 10**40},
        {"text": "Bo moved.", "evidence": "9" * 5_000},
        {"text": "Bo moved.", "evidence": True},
        {"text": "Bo moved.", "evidence": 0.5},
        {"text": "Bo moved.", "evidence": float("inf")},
        {"text": "Bo moved.", "evidence": "the first message"},
        {"text": "Bo moved.", "evidence": "0.5"},
        {"text": "Bo moved.", "evidence": [[[[[0]]]]]},
        {"text": "Bo moved.", "evidence": {"index": 0}},
        {"text": "The assistant keeps three pointers.", "evidence": [2]},
        {"text": "Keeps pointers in mind", "owner": "assistant", "evidence": [0]},
        {"text": "喜欢三个指针", "owner": "助手", "evidence": [1]},
        {"text": "I like to keep three pointers in mind.", "evidence": [0]},
        {"text": "I moved to Quandermere.", "evidence": [0]},
        {"text": "I moved.", "owner": "Orvelle", "evidence": [0]},
        {"text": "我搬到砚鹮镇了。", "evidence": [1]},
    ],
)
def test_an_item_that_cannot_be_used_is_counted(item: Any) -> None:
    """And the items around it are kept."""
    reading = read({"facts": [MOVED, item, CHENGDU]})
    assert [fact.text for fact, _ in reading.facts] == ["I moved to Leeds.", "我搬到成都了。"]
    assert reading.dropped == 1


@pytest.mark.parametrize(
    ("evidence", "positions"),
    [
        (0, (0,)),
        (1.0, (1,)),
        ([0, 1], (0, 1)),
        ([1, 0, 1], (0, 1)),
        ("0", (0,)),
        ("[0]", (0,)),
        ("m1", (1,)),
        ("[m0, m1]", (0, 1)),
        ("0, 1", (0, 1)),
        ("0、1", (0, 1)),
        ("message 1", (1,)),
        ("messages 0 and 1", (0, 1)),
        ("#1", (1,)),
        ("第1条", (1,)),
        ("消息0", (0,)),
        ("０", (0,)),
        (["[0]", "m1"], (0, 1)),
        ([[0], [1]], (0, 1)),
        ([1, 4, 99, -1, None, "x"], (1,)),
        ([0, 2], (0, 2)),
    ],
)
def test_evidence_is_read_in_any_notation(evidence: Any, positions: tuple[int, ...]) -> None:
    """Positions that do not exist are left out."""
    assert the({"text": "Bo moved house", "evidence": evidence})[1] == positions


@pytest.mark.parametrize(
    ("item", "positions"),
    [
        ({"text": "I can't stand coriander", "evidence": [1]}, (0,)),
        ({"text": "明天去买牛奶。", "evidence": [0]}, (1,)),
        ({"text": "我不喜欢香菜", "evidence": [7]}, (1,)),
        ({"text": "我不喜欢香菜"}, (1,)),
        ("I can't stand coriander", (0,)),
        ("明天去买牛奶", (1,)),
        ({"text": "My flatmate Lena plays chess on Mondays", "owner": "Lena", "evidence": [1]}, (3,)),
        ({"text": "I moved to Leeds.", "evidence": [0, 1]}, (0, 1)),
        ({"text": "moved", "evidence": [1]}, (1,)),
    ],
)
def test_words_that_stand_in_a_message_are_its_evidence(item: Any, positions: tuple[int, ...]) -> None:
    """Whatever number a small model gives them."""
    assert the(item)[1] == positions


def test_one_message_needs_no_number() -> None:
    """Evidence that is not told can only be that; one that is told and wrong stays wrong."""
    one = TALK[:1]
    assert [evidence for _, evidence in read_facts(["Bo lives up north"], one).facts] == [(0,)]
    assert [evidence for _, evidence in read_facts({"text": "Bo lives up north"}, one).facts] == [(0,)]
    assert read_facts([{"text": "Bo lives up north", "evidence": [1]}], one).dropped == 1
    assert read_facts([{"text": "Keeps pointers"}], TALK[2:3]).dropped == 1


def test_without_messages_there_are_no_facts() -> None:
    """All evidence is out of range."""
    assert read_facts({"facts": [MOVED]}, []) == Reading((), 1)


@pytest.mark.parametrize(
    ("kind", "meant"),
    [
        ("preference", "preference"),
        ("PREFERENCES", "preference"),
        ("偏好", "preference"),
        ("个人资料", "profile"),
        ("Relationship", "relation"),
        ("to do", "fact"),
        ("todo", "task"),
        ("任务", "task"),
        ("规则", "agreement"),
        ("事件", "event"),
        ("opinion", "fact"),
        ("", "fact"),
        (None, "fact"),
        (3, "fact"),
        (["task"], "fact"),
        ({"kind": "task"}, "fact"),
        ("x" * 100_000, "fact"),
        ("\ud800", "fact"),
    ],
)
def test_unknown_kinds_are_facts(kind: Any, meant: str) -> None:
    """Known ones in both languages."""
    assert the({**MOVED, "kind": kind})[0].kind == meant


@pytest.mark.parametrize("kind", IMPORTANCE)
@pytest.mark.parametrize(
    "given",
    [
        None,
        True,
        "high",
        "重要",
        [9],
        {},
        0,
        -5,
        1,
        5,
        10,
        11,
        10**400,
        6.4,
        float("nan"),
        float("inf"),
        "8",
        " 9 / 10",
        "1e9",
    ],
)
def test_importance_is_within_its_kind(kind: str, given: Any) -> None:
    """Whatever was said of it."""
    lowest, highest = IMPORTANCE[kind]
    importance = the({**MOVED, "kind": kind, "importance": given})[0].importance
    assert lowest <= importance <= highest
    if type(given) is int:
        assert importance == min(max(given, lowest), highest)


@pytest.mark.parametrize(
    ("owner", "evidence", "meant"),
    [
        (None, [0], "user"),
        ("", [0], "user"),
        (7, [0], "user"),
        (["Lena"], [0], "user"),
        ("x" * 1_000, [0], "user"),
        ("\x00", [0], "user"),
        ("User", [0], "user"),
        ("I", [0], "user"),
        ("the speaker", [0], "user"),
        ("用户", [0], "user"),
        (None, [1], "小李"),
        ("user", [1], "小李"),
        ("我", [1], "小李"),
        ("小李", [1], "小李"),
        (None, [2, 1], "小李"),
        (None, [3], "Melanie"),
        ("MELANIE", [3], "Melanie"),
        ("Lena", [0], "Lena"),
        ("Lena\nSmith", [0], "Lena Smith"),
        ("my flatmate", [0], "user's flatmate"),
        ("My flatmate", [3], "Melanie's flatmate"),
        ("user's flatmate", [0], "user's flatmate"),
        ("the user's flatmate", [1], "小李's flatmate"),
        ("user’s sister", [3], "Melanie's sister"),
        ("我室友", [1], "小李的室友"),
        ("我的室友", [1], "小李的室友"),
        ("用户的室友", [0], "user的室友"),
        ("user的室友", [1], "小李的室友"),
        ("我们", [1], "小李"),
    ],
)
def test_the_owner_is_named_as_the_talk_names_them(owner: Any, evidence: list[int], meant: str) -> None:
    """The speaker where nobody else can be read."""
    fact, _ = the({"text": "Something that holds", "owner": owner, "evidence": evidence})
    assert fact.owner == meant


def test_an_agreement_belongs_to_who_asks_for_it() -> None:
    """Models name the one who is asked."""
    assert the({"text": "Call me Bo", "kind": "agreement", "owner": "assistant", "evidence": [0]})[0].owner == "user"


Slot = tuple[str | None, str | None, bool]


@pytest.mark.parametrize(
    ("kind", "attribute", "value", "slot"),
    [
        ("profile", "residence", "Leeds", ("residence", "leeds", False)),
        ("profile", "Current_City", "Leeds.", ("residence", "leeds", False)),
        ("profile", "居住地", "成都", ("residence", "成都", False)),
        ("profile", "user's home address", "the Leeds", ("residence", "leeds", False)),
        ("fact", "my SSH port", 5, ("ssh port", "5", False)),
        ("fact", "my ssh_port", "５", ("ssh port", "5", False)),
        ("fact", "favorite colour", "Leeds", ("favourite colour", "leeds", False)),
        ("preference", "favorite city", "Leeds", ("favourite city", "leeds", False)),
        ("preference", "likes coriander", None, ("likes coriander", None, False)),
        ("preference", "likes", "the coriander", ("likes coriander", None, False)),
        ("preference", "dislikes coriander", None, ("likes coriander", None, True)),
        ("preference", "hates eating coriander", "x", ("likes coriander", None, True)),
        ("preference", "food", "coriander", ("likes coriander", None, False)),
        ("preference", "不喜欢香菜", None, ("likes 香菜", None, True)),
        ("preference", "喜欢吃香菜", None, ("likes 香菜", None, False)),
        ("preference", "likes 雼菜", None, (None, None, False)),
        ("preference", "likes sushi", None, (None, None, False)),
        ("preference", "preferred name", "Bo", ("form of address", "bo", False)),
        ("profile", "allergies", "peanuts", ("allergic to peanuts", None, False)),
        ("profile", "allergy to peanuts", None, ("allergic to peanuts", None, False)),
        ("profile", "peanut allergy", None, ("allergic to peanut", None, False)),
        ("preference", "过敏源", "花生", ("allergic to 花生", None, False)),
        ("fact", "对花生过敏", None, ("allergic to 花生", None, False)),
        ("profile", "allergic to 花果", "none", (None, None, False)),
        ("task", "task", "买牛奶", ("task 买牛奶", None, False)),
        ("task", "任务:买牛奶", "x", ("task 买牛奶", None, False)),
        ("task", "Moved house", None, ("task moved house", None, False)),
        ("event", "move", "Leeds", (None, None, False)),
        ("relation", "friend", "Bo", (None, None, False)),
        ("relation", "wife", "Bo", ("spouse", "bo", False)),
        ("agreement", "rule", "Bo", (None, None, False)),
        ("agreement", "称呼", "Bo", ("form of address", "bo", False)),
        ("profile", "hobby", "coriander", (None, None, False)),
        ("profile", "爱好", "香菜", (None, None, False)),
        ("profile", "residence", None, (None, None, False)),
        ("profile", "residence", "Paris", (None, None, False)),
        ("profile", "", "Leeds", (None, None, False)),
        ("profile", None, None, (None, None, False)),
        ("profile", ["residence"], ["Leeds"], ("residence", "leeds", False)),
        ("profile", "residence", ["Leeds", "York"], (None, None, False)),
        ("profile", {"a": 1}, "Leeds", (None, None, False)),
        ("profile", "residence", True, (None, None, False)),
        ("profile", "residence", 10**4_000, (None, None, False)),
        ("profile", "x" * 100_000, "Leeds", (None, None, False)),
        ("profile", "residence", "Leeds " * 100_000, (None, None, False)),
        ("profile", "\ud800", "\udfff", (None, None, False)),
    ],
)
def test_attributes_have_the_keys_that_facts_share(kind: str, attribute: Any, value: Any, slot: Slot) -> None:
    """One key for both languages; none where many values hold at once, or where nobody said the value."""
    item = {"text": "Something not new", "kind": kind, "attribute": attribute, "value": value, "evidence": [0, 1]}
    fact, _ = the(item)
    assert (fact.attribute, fact.value, fact.negated) == slot


@pytest.mark.parametrize(
    ("given", "negated"),
    [
        *[(each, True) for each in (True, "true", "是", 1, "yes")],
        *[(each, False) for each in (False, "false", "否", 0, None, [], {}, "maybe", 2, float("nan"))],
    ],
)
def test_a_denial_is_read_in_any_notation(given: Any, negated: bool) -> None:
    """Only what is clearly true is."""
    assert the({"text": "I can't stand coriander", "evidence": [0], "negated": given})[0].negated is negated


@pytest.mark.parametrize(
    ("text", "attribute", "slot"),
    [
        ("I can't stand coriander", "likes coriander", ("likes coriander", None, True)),
        ("I hate coriander", "likes coriander", ("likes coriander", None, True)),
        ("I gave up coriander", "likes coriander", ("likes coriander", None, True)),
        ("I used to eat coriander", "likes coriander", ("likes coriander", None, True)),
        ("我不喜欢香菜", "likes 香菜", ("likes 香菜", None, True)),
        ("我讨厌香菜", "likes 香菜", ("likes 香菜", None, True)),
        ("我戒了香菜", "likes 香菜", ("likes 香菜", None, True)),
        ("Не люблю coriander совсем, правда", "likes coriander", ("likes coriander", None, True)),
        ("I enjoy coriander", "likes coriander", (None, None, False)),
        ("我喜欢香菜", "likes 香菜", (None, None, False)),
        ("I enjoy coriander", "dislikes coriander", (None, None, False)),
        ("I'm allergic to peanuts", "allergic to peanuts", ("allergic to peanuts", None, False)),
        ("I'm not allergic to peanuts", "allergic to peanuts", ("allergic to peanuts", None, True)),
        ("我对花生过敏", "allergic to 花生", ("allergic to 花生", None, False)),
        ("我对花生不过敏", "allergic to 花生", ("allergic to 花生", None, True)),
    ],
)
def test_a_denial_needs_a_word_that_says_no(text: str, attribute: str, slot: Slot) -> None:
    """Small models copy the flag; a wrong one would end what holds. An allergy is never lost that way."""
    fact, _ = the({"text": text, "kind": "preference", "attribute": attribute, "negated": True, "evidence": [0, 1]})
    assert (fact.attribute, fact.value, fact.negated) == slot


@pytest.mark.parametrize(
    ("kind", "given", "state"),
    [
        ("task", "done", "done"),
        ("task", "Completed", "done"),
        ("task", "in-progress", "doing"),
        ("task", "In progress", "doing"),
        ("task", "已取消", "cancelled"),
        ("task", "计划中", "planned"),
        ("task", None, "planned"),
        ("task", 3, "planned"),
        ("task", "whenever", "planned"),
        ("event", "done", None),
        ("profile", "planned", None),
    ],
)
def test_only_tasks_have_a_state(kind: str, given: Any, state: str | None) -> None:
    """Planned where none was told."""
    assert the({**MOVED, "kind": kind, "state": given})[0].state == state


def test_the_same_claim_twice_is_one_with_both_evidences() -> None:
    """Folded claims are not lost ones."""
    again = {"text": "i moved to  LEEDS.", "evidence": [1], "importance": 9}
    other = {**MOVED, "owner": "Lena"}
    reading = read([MOVED, again, other, MOVED])
    assert [(fact.owner, evidence) for fact, evidence in reading.facts] == [("user", (0,)), ("Lena", (0,))]
    assert reading.dropped == 0


def test_a_reply_that_never_ends_is_read_to_a_limit() -> None:
    """What is beyond is counted."""
    reading = read([{"text": f"Thing {number} holds", "evidence": [0]} for number in range(2_000)])
    assert (len(reading.facts), reading.dropped) == (500, 1_500)


def test_texts_are_cleaned() -> None:
    """One line, NFC, no control characters, brackets as they were said."""
    fact, _ = the({"text": " Cafe\u0301\x00 in\n\tLeeds\ud83d 5 \u203a 3 ", "evidence": [0]})
    assert fact.text == "Café in Leeds\ufffd 5 > 3"


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("short", "short"),
        ("我" * 200, "我" * 200),
        ("我" * 300, "我" * 200),
        ("word " * 60, ("word " * 40).strip()),
        ("a" * 150 + " " + "b" * 100, "a" * 150),
        ("a" * 300, ""),
        ("搬" * 199 + "e\u0301" * 50, "搬" * 199),
        ("搬" * 199 + "👩‍👩‍👧" * 9, "搬" * 199),
        ("搬" * 199 + "🇩🇪" * 9, "搬" * 199),
        ("搬" * 150 + "x" * 100, "搬" * 150),
        ("ok " * 66 + "don't", ("ok " * 66).strip()),
        ("很好。" * 65 + "我住在Leeds市中心", "很好。" * 65 + "我住在"),
        ("a" * 199 + "." + "b", ""),
        ("a" * 198 + ". b", "a" * 198 + "."),
        ("слово " * 60, ("слово " * 33).strip()),
    ],
)
def test_long_texts_end_between_two_words(text: str, cut: str) -> None:
    """Never inside a grapheme; a text that is one word is none."""
    assert cut_text(text, MAX_TEXT) == cut


@given(st.text(st.sampled_from("ab 我。.\u0301👩\u200d👧🇩🇪'-한\ud83d\ude00"), max_size=60), st.integers(1, 40))
def test_a_cut_is_a_beginning_on_a_boundary(text: str, limit: int) -> None:
    """Of any text, at any length."""
    cut = cut_text(text, limit)
    assert len(cut) <= limit or cut == text
    assert text.startswith(cut)
    if 0 < len(cut) < len(text):
        assert len(cut) in break_offsets(text) or text[len(cut)].isspace()


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=30),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["facts", "text", "evidence", "kind", "owner", "attribute", "value", "结果", "state", "x"]),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_no_answer_breaks_the_reader(value: Any) -> None:
    """It is read, or refused with a ValueError that says why; every fact could be stored."""
    try:
        reading = read(value)
    except ValueError as error:
        assert "must be" in str(error)  # noqa: PT017 - either way is right
        return
    for fact, evidence in reading.facts:
        assert evidence
        assert set(evidence) <= set(range(len(TALK)))
        assert 0 < len(fact.text) <= MAX_TEXT
        fact.model_dump_json().encode()
