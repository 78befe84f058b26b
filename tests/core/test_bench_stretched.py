"""Conversations of the bench under other names, and as one tenant."""

from __future__ import annotations

from tests.bench.corpora import CATEGORIES, Corpus
from tests.bench.stretched import named_apart, stretched
from tests.clients.conversations import Conversation, Question


def test_two_files_that_name_a_conversation_alike_stay_apart():
    """A tenant is named after the file as well."""
    assert [talk.name for talk in named_apart(_corpus()).conversations] == ["talks-one", "talks-two"]


def test_one_tenant_has_as_many_turns_as_wanted_and_none_twice():
    """Turns that come again say something more, so that no system can take two for one."""
    messages = stretched(_corpus(), 11, "all").messages
    assert len(messages) == 11
    assert len({message["messageId"] for message in messages}) == 11
    assert len({message["content"] for message in messages}) == 11


def test_a_question_keeps_the_turns_of_its_own_conversation():
    """Both conversations have a D1:2; each question is answered by its own."""
    whole = stretched(_corpus(), 8, "all")
    said = {message["messageId"]: message["content"] for message in whole.messages}
    answers = {question.text: [said[turn] for turn in question.evidence] for _, question in whole.questions}
    assert answers == {"of one?": ["猫叫什么 in one"], "of two?": ["猫叫什么 in two"]}


def test_a_question_whose_turns_are_cut_off_is_not_asked():
    """With three turns, only the first conversation is there."""
    assert [question.text for _, question in stretched(_corpus(), 3, "all").questions] == ["of one?"]


def _corpus() -> Corpus:
    return Corpus("talks", CATEGORIES, (_talk("one"), _talk("two")))


def _talk(name: str) -> Conversation:
    words = ("hello", "猫叫什么", "bye")
    turns = [
        {"role": "user", "speaker": "Ann", "content": f"{word} in {name}", "messageId": f"D1:{number}"}
        for number, word in enumerate(words, 1)
    ]
    return Conversation(name, {"session_1": turns}, (Question(f"of {name}?", ("D1:2",), 4),))
