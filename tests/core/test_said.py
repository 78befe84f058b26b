"""Who says what: quotes, forwards and direct speech belong to others, our own context block to nobody."""

from __future__ import annotations

import pytest

from agent_memory.extraction.direct_speech import quotes_in
from agent_memory.extraction.quoted_blocks import parted
from agent_memory.extraction.recall_questions import only_asks_back
from agent_memory.extraction.said import QUOTED, said_in, without_code
from agent_memory.models import Message

ALLERGIC, VEGAN = "I'm allergic to peanuts", "I am vegan."


def said(content: str, role: str = "user", speaker: str = "") -> list[tuple[str, str]]:
    message = Message(message_id="m", role=role, speaker=speaker, content=content, timestamp_ms=1)
    return [(each.speaker, each.text.strip()) for each in said_in([message])]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (f"> Lena: {ALLERGIC}\nPlease remind me.", [("user", "Please remind me."), ("Lena", ALLERGIC)]),
        (f"> {ALLERGIC}\nWhat now?", [("user", "What now?"), (QUOTED, ALLERGIC)]),
        (f"Lena Park wrote:\n> {VEGAN}\n> Bye\n\nOk", [("user", "Ok"), ("Lena Park", f"{VEGAN}\nBye")]),
        (f"On Mon, Jan 5, 2026, Lena <l@x.com> wrote:\n> {VEGAN}", [("Lena", VEGAN)]),
        (f"Forwarded message from Tom:\n{VEGAN}\nBye", [("Tom", f"{VEGAN}\nBye")]),
        (f"---- Forwarded message ----\nFrom: Tom Lee <t@x.y>\nSubject: hi\n\n{VEGAN}", [("Tom Lee", VEGAN)]),
        (f"See this:\nLena: {ALLERGIC}", [("user", "See this:"), ("Lena", ALLERGIC)]),
        ("张三：我对花生过敏\n帮我记一下", [("user", "帮我记一下"), ("张三", "我对花生过敏")]),
        ("【转发】李四：我下周去上海", [("李四", "我下周去上海")]),
        ("> 我不吃肉\n你怎么看", [("user", "你怎么看"), (QUOTED, "我不吃肉")]),
        (f'Lena said: "{ALLERGIC}". I like her.', [("user", "I like her."), ("Lena", ALLERGIC)]),
        (f'"{ALLERGIC}," said my sister.', [("user's sister", ALLERGIC)]),
        ("张三说：“我对花生过敏”，你记一下", [("user", "，你记一下"), ("张三", "我对花生过敏")]),
        ("我妈妈说“我不吃辣”", [("user的妈妈", "我不吃辣")]),
        ("[10:21] Bob: I live in Nice", [("Bob", "I live in Nice")]),
        ("2024/1/1 10:21 - Bob: ok then", [("Bob", "ok then")]),
        ("Bob (10:21): I am vegan", [("Bob", "I am vegan")]),
        ("**Bob:** I like tea", [("Bob", "I like tea")]),
        ("Bob 2024-01-01 10:21\nI hate coffee", [("Bob", "I hate coffee")]),
        ("小明 10:21\n我住在北京\n小红 10:22\n我对虾过敏", [("小明", "我住在北京"), ("小红", "我对虾过敏")]),
        ("Bob wrote: I am 40", [("Bob", "I am 40")]),
        ("Customer: My email is c@d.e", [("Customer", "My email is c@d.e")]),
        ("Translate: I live in Rome", [(QUOTED, "I live in Rome")]),
        ("翻译一下：我住在罗马", [(QUOTED, "我住在罗马")]),
    ],
)
def test_what_is_passed_on_is_said_by_someone_else(content: str, expected: list[tuple[str, str]]) -> None:
    """By the one who is named, else by nobody in particular; never by the sender."""
    assert said(content) == expected


@pytest.mark.parametrize(
    "content",
    [
        "Update: I moved to York.\nMy address: 5 High St",
        'My favourite song is "I will survive".',
        'I said "I quit" to my boss.',
        'He told me "I am fine".',
        "Shopping list:\n- eggs\n- milk: I like oat",
        "我想说的是：我对虾过敏",
        "备注：我不吃香菜",
        "我说“我不去”",
        "Time: 5 > 3",
        "Meeting notes: I moved to York.",
        "P.S.: I moved to York",
        "A: I live in York",
        "Bus 10:30",
        "Standup 9:30\nI will join",
        "The train leaves at 10:21: I hate that",
        "会议记录：我喜欢喝茶",
        "About the trip: I like trains.",
    ],
)
def test_own_words_stay_the_sender_s(content: str) -> None:
    """Labels, titles, one's own words and pronouns name nobody."""
    assert said(content) == [("user", content)]


@pytest.mark.parametrize(
    ("content", "left"),
    [
        ("<memories>\n- user drives a car\n</memories>\nI live in York.", "I live in York."),
        ("I live in York.\n<memories>\n- user drives a car", "I live in York."),
    ],
)
def test_our_own_context_block_is_never_said(content: str, left: str) -> None:
    """Whole or unclosed, whoever sends it back."""
    assert said(content) == [("user", left)]
    assert said("<memories>- user drives a car</memories>") == []


@pytest.mark.parametrize("role", ["system", "developer", "tool", "function", "System"])
def test_roles_that_are_no_speakers_say_nothing(role: str) -> None:
    """What they hold was made by machines."""
    assert said("I drive a car.", role=role) == []


def test_code_claims_nothing() -> None:
    """Fenced, closed or not."""
    assert without_code("a ```\nI live in Leeds\n``` b") == "a   b"
    assert without_code("a ``` rest").strip() == "a"


@pytest.mark.parametrize(
    "text",
    [
        "What car do I have?",
        "Where do I live?",
        "Do you remember my name?",
        "hey, what's my SSH port?",
        "How old am I? And where did I say I live?",
        "我住在哪里？",
        "你还记得我喜欢吃什么吗",
        "我的订单号是多少",
    ],
)
def test_questions_back_say_nothing(text: str) -> None:
    """They ask for what is remembered."""
    assert only_asks_back(text)


@pytest.mark.parametrize(
    "text",
    [
        "How do I reverse a list?",
        "Could you show me how to reverse a linked list?",
        "I live in York. Where do I vote?",
        "What time does the shop open?",
        "Can I bring my dog Rex to the 5 pm class?",
        "我对虾过敏，可以吃蟹吗？",
        "怎么部署应用？",
    ],
)
def test_other_questions_may_tell_something(text: str) -> None:
    """They are kept as they were asked."""
    assert not only_asks_back(text)


@pytest.mark.parametrize(
    "text", ["> " * 16_000 + "x", "A" * 32_000 + ":", 'said "' * 5_000, "On " + "a, " * 10_000, "说“" * 9_000]
)
def test_hostile_text_takes_no_longer_than_its_length(text: str) -> None:
    """No pattern goes back over what it read, or this would not end."""
    assert "".join(said for _, said in parted(text))
    assert quotes_in(text, "user")[0]
    assert not only_asks_back(text)
