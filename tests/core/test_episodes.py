"""Episodes: what people said becomes candidates with their speaker, time and evidence, and nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.extraction.by_rules import extract_by_rules
from agent_memory.extraction.sentences import PIECE_BUDGET, cost
from agent_memory.models import Message
from agent_memory.text import clean
from agent_memory.times import FIRST_MS, LAST_MS, parse_rfc3339

SAID = parse_rfc3339("2023-05-08T13:56:00Z")


def candidates_of(messages):
    return list(extract_by_rules(messages).candidates)


def message(content, role="user", speaker="Lena", said=SAID):
    return Message(message_id="m", role=role, speaker=speaker, content=content, timestamp_ms=said)


def test_a_message_becomes_a_memory_with_speaker_time_and_evidence():
    """The phrase is resolved against the message's own time; its date is in both texts and in effective_at."""
    hello, run = message("Hi!"), message("Could be that the half marathon was yesterday.")
    (candidate,) = candidates_of([hello, run])
    assert candidate.to_json() == {
        "text": "[2023-05-08T13:56:00Z] Lena: Could be that the half marathon was yesterday (2023-05-07).",
        "search_text": "Lena: Could be that the half marathon was yesterday (2023-05-07).",
        "speaker": "Lena",
        "role": "user",
        "language": "en",
        "unit_type": "episode",
        "effective_at": "2023-05-07",
        "time_precision": "day",
        "time_source": "phrase",
        "created_at": "2023-05-08T13:56:00.000Z",
        "sources": [1],
        "salience": 0.6,
        "risk_flags": [],
    }


def test_a_chinese_message_is_dated_in_its_own_language():
    """Text, date and language of the evidence."""
    (candidate,) = candidates_of([message("我昨天去了医院", speaker="小林")])
    assert candidate.search_text == "小林: 我昨天(2023-05-07)去了医院"
    assert (candidate.language, candidate.effective_at) == ("zh", "2023-05-07")


@pytest.mark.parametrize("content", ["We adopted a dog.", "I was busy last week.", "我们领养了一只狗"])
def test_without_a_dated_phrase_the_message_time_counts(content):
    """Never empty; a week is a range, which has no precision."""
    (candidate,) = candidates_of([message(content)])
    assert candidate.effective_at == "2023-05-08T13:56:00Z"
    assert (candidate.time_precision, candidate.time_source) == ("second", "message")


def test_the_first_phrase_with_a_precision_dates_the_episode():
    """A range before it doesn't."""
    (candidate,) = candidates_of([message("Last week was busy, last month too, and 2022-03-05 worse.")])
    assert (candidate.effective_at, candidate.time_precision) == ("2023-04", "month")


@pytest.mark.parametrize("role", ["system", "developer", "tool", "function", "System"])
def test_what_nobody_said_is_no_input(role):
    """Instructions, tool output and recalled memories are not remembered again."""
    assert candidates_of([message("user drives a blue hatchback", role=role)]) == []


@pytest.mark.parametrize("content", ["", "   \n", "👍", "嗯嗯,好的,谢谢", "Ok, thanks! Talk to you soon", "-" * 5000])
def test_small_talk_gives_nothing(content):
    """Blank, emoji, courtesies."""
    assert candidates_of([message(content)]) == []


def test_the_speaker_is_kept_and_falls_back_to_the_role():
    """What the assistant said stays the assistant's; others in the conversation may be called by name."""
    talk = [
        message("How do I reverse a list?"),
        message("I wrote it in Rust.", "assistant", ""),
        message("Thanks, Lena!"),
    ]
    candidates = candidates_of(talk)
    assert [(c.search_text, c.role, c.sources) for c in candidates] == [
        ("Lena: How do I reverse a list?", "user", (0,)),
        ("assistant: I wrote it in Rust.", "assistant", (1,)),
    ]


@pytest.mark.parametrize(
    ("filler", "last"),
    [("We talked about the garden again. ", "my locker is number 88"), ("我们又聊了花园。", "我的柜子是88号")],
)
def test_a_long_message_becomes_several_episodes(filler, last):
    """Nothing is cut off, each piece carries speaker and time, none is over what an embedder reads."""
    content = filler * (31_000 // len(filler.encode())) + last
    candidates = candidates_of([message(content)])
    said = [candidate.search_text.removeprefix("Lena: ") for candidate in candidates]
    fact, *episodes = said
    assert "".join("".join([*episodes, fact]).split()) == "".join(content.split())
    assert all(candidate.text == f"[2023-05-08T13:56:00Z] {candidate.search_text}" for candidate in candidates)
    assert all(cost(piece) <= PIECE_BUDGET for piece in said)
    assert fact == last
    assert len({candidate.search_text for candidate in candidates}) > 1


def test_questions_weigh_less_than_what_one_tells_of_oneself():
    """Salience lies between 0 and 1 and is a first guess."""
    told, asked = candidates_of([message("I moved to flat 12 yesterday."), message("Which colour was it?")])
    assert 0 <= asked.salience < told.salience <= 1


@given(
    st.lists(
        st.tuples(st.sampled_from(["user", "assistant", "tool"]), st.text(), st.integers(FIRST_MS, LAST_MS)), max_size=4
    )
)
def test_any_conversation_is_extracted(talk):
    """No Unicode text that passed the border raises, and each candidate names a message that people said."""
    messages = [message(clean(content), role, said=said) for role, content, said in talk]
    for candidate in candidates_of(messages):
        (source,) = candidate.sources
        assert messages[source].role == candidate.role != "tool"
        assert 0 <= candidate.salience <= 1
