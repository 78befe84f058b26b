"""Secrets in texts are found however they are written, and nothing that only looks like one is touched."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.errors import InvalidParameter
from agent_memory.redaction.finding import credentials_in, redacted, secrets_in
from agent_memory.redaction.policy import Gate, tightest
from agent_memory.redaction.secret import WORDS
from tests.core.redaction_table import LOOK_ALIKES, SECRETS

FEWEST = 60
LONG = 32_000


def test_the_tables_are_long_enough() -> None:
    """Each line is its own kind of trouble."""
    assert len({text for text, _, _ in SECRETS}) >= FEWEST
    assert len(set(LOOK_ALIKES)) >= FEWEST


@pytest.mark.parametrize(("text", "gone", "kind"), SECRETS)
def test_a_secret_is_replaced(text: str, gone: str, kind: str) -> None:
    """Nothing of it is left, its placeholder names the kind, and doing it again changes nothing."""
    clean = redacted(text)
    assert gone not in clean
    assert f"[SECRET:{kind}]" in clean
    assert redacted(clean) == clean


@pytest.mark.parametrize(("text", "gone", "kind"), SECRETS)
@pytest.mark.parametrize("around", ["Hello! {}", "你好，{}", "{}\nThanks, Bob", "- {}", "（{}）", "> {} 谢谢"])
def test_a_secret_is_found_in_company(text: str, gone: str, kind: str, around: str) -> None:
    """Words of either language before and behind it hide nothing, and stay."""
    clean = redacted(around.format(text))
    assert gone not in clean
    assert f"[SECRET:{kind}]" in clean
    before, _, behind = around.partition("{}")
    assert clean.startswith(before)
    assert clean.endswith(behind)


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_a_look_alike_stays(text: str) -> None:
    """To the letter, also between other words."""
    assert redacted(text) == text
    assert secrets_in(f"Note: {text}.") == []
    assert secrets_in(f"记一下：{text}，好的") == []


def test_several_secrets_in_a_text() -> None:
    """Each has its own placeholder, and the words between them stay."""
    text = "Log in as bob with password hunter2, PIN is 4417; card 4111111111111111 (Visa)."
    expected = "Log in as bob with password [SECRET:password], PIN is [SECRET:pin]; card [SECRET:card_number] (Visa)."
    assert redacted(text) == expected


def test_only_the_value_goes() -> None:
    """The words that name it stay, with their marks."""
    assert redacted("登录密码：Aa123456。") == "登录密码：[SECRET:password]。"
    assert redacted("https://bob:s3cr3t@example.com/x") == "https://bob:[SECRET:password]@example.com/x"
    assert redacted('{"password": "a b", "user": "bob"}') == '{"password": "[SECRET:password]", "user": "bob"}'


def test_spans_are_those_of_the_text_as_given() -> None:
    """In order and apart, also where characters are folded or unseen before them."""
    text = "①：\u200b４１１１１１１１１１１１１１１１ 和 hunter2 is my password"
    found = secrets_in(text)
    assert [text[each.start : each.end] for each in found] == ["４１１１１１１１１１１１１１１１", "hunter2"]


@given(st.text(st.sampled_from("a1 4sk-:=.`\n\0[]{}@/密码是pasword") | st.characters(), max_size=200))
@settings(max_examples=200)
def test_any_text_is_read(text: str) -> None:
    """Spans lie inside the text, in order and apart; what is redacted stays as it is."""
    found = secrets_in(text)
    edges = [edge for each in found for edge in (each.start, each.end)]
    assert edges == sorted(edges)
    assert all(0 <= each.start < each.end <= len(text) and each.kind in WORDS for each in found)


@pytest.mark.parametrize(
    "part", ["a", "1 ", "4111 ", "sk-", "eyJ.", "://a:", "?key=", "password is ", "密码是", "`a", "key "]
)
def test_repetition_is_no_way_to_stop_it(part: str) -> None:
    """The patterns are bounded: the longest text costs a small part of what backtracking would."""
    far_from_exponential = 20.0
    started = time.process_time()
    secrets_in((part * LONG)[:LONG])
    assert time.process_time() - started < far_from_exponential


def test_the_tighter_policy_wins() -> None:
    """A call can add to what its store says, and take nothing away."""
    assert tightest() == "off"
    assert tightest("off", None) == "off"
    assert tightest("redact", "off") == "redact"
    assert tightest("off", "redact") == "redact"
    assert tightest("redact", "block") == tightest("block", "off") == "block"


def test_a_refusal_names_the_field_and_the_kind() -> None:
    """And nothing of the secret."""
    with pytest.raises(InvalidParameter) as refused:
        Gate("block").text("messages[2].content", "my key is sk-test-AAAAAAAAAAAAAAAAAAAAAAAA")
    assert refused.value.message == "messages[2].content holds an API key, which this store refuses"


def test_metadata_are_read_with_their_keys() -> None:
    """A value that its key makes a password is one; other values stay."""
    given_words = {"password": "hunter2", "topic": "tea", "note": "PIN is 4417"}
    assert Gate("off").words("metadata", given_words) == given_words
    assert Gate("redact").words("metadata", given_words) == {
        "password": "[SECRET:password]",
        "topic": "tea",
        "note": "PIN is [SECRET:pin]",
    }
    with pytest.raises(InvalidParameter, match=r"^metadata value holds a password, which this store refuses$"):
        Gate("block").words("metadata", given_words)


def test_names_are_refused_only_for_what_their_form_gives_away() -> None:
    """A placeholder would make two names one; digits and words are good names."""
    assert credentials_in("4111111111111111") == credentials_in("password: hunter2") == []
    assert Gate("redact").name("scope.runId", "4111111111111111") == "4111111111111111"
    with pytest.raises(InvalidParameter, match=r"^scope.runId holds a token, which can't be redacted there$"):
        Gate("redact").name("scope.runId", "glpat-abcdefghij1234567890")
