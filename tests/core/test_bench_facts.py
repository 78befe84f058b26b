"""The labels of the bench of extraction, and the verdicts on facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent_memory.extraction.facts import Fact
from agent_memory.language_model import Prompt
from tests.bench.facts_labels import LANGUAGES, Dialogue, Label, judged, read_dialogues
from tests.bench.facts_runs import KeptModel
from tests.scripted_model import ScriptedModel

WANTED = Label(("coriander",), ("user's flatmate",), ("preference",), negated=True)
ALLOWED = Label(("oslo",), ("user",), ("task",), ("planned",), optional=True)
UNSAID = Label(("yacht",))
DIALOGUE = Dialogue("one", (), (WANTED, ALLOWED), (UNSAID,))


def fact(text, owner="user", kind="preference", **fields):
    return Fact(text=text, owner=owner, kind=kind, importance=6, **fields)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_labels_are_said_by_people(language):
    """A label that nothing can match would count as missed for ever."""
    for dialogue in read_dialogues(language):
        told = [each.content for each in dialogue.messages if each.role == "user"]
        everything = fact("\n".join(told))
        assert [label for label in dialogue.wanted if not label.told_by(everything)] == [], dialogue.name


def test_a_fact_is_right_with_its_words_owner_and_polarity():
    """The kind does not decide, but is counted."""
    found = fact("My flatmate can't stand Coriander", "user's flatmate", negated=True)
    verdict = judged(DIALOGUE, [found, found.model_copy(update={"kind": "fact"})])
    assert (len(verdict.right), verdict.found, verdict.missed, verdict.sorted_right) == (2, (WANTED,), (), 1)


@pytest.mark.parametrize(
    "told",
    [
        fact("My flatmate can't stand coriander", negated=True),
        fact("My flatmate can't stand coriander", "user's flatmate"),
        fact("I sold my third yacht", kind="event"),
    ],
)
def test_another_owner_the_other_sense_and_what_nobody_said_are_wrong(told):
    """Each of them leaves the label missed."""
    verdict = judged(DIALOGUE, [told])
    assert (verdict.right, verdict.wrong, verdict.missed) == ((), (told,), (WANTED,))


def test_what_is_allowed_is_right_and_not_counted_as_found():
    """Its state counts where it is a task."""
    verdict = judged(DIALOGUE, [fact("I fly to Oslo", kind="task", state="done")])
    assert (len(verdict.right), verdict.found, verdict.sorted_right) == (1, (), 0)


def test_the_rest_is_for_a_person_to_look_at():
    """No label speaks of it."""
    told = fact("I like plums")
    assert judged(DIALOGUE, [told]).other == (told,)


def test_kept_answers_are_not_asked_for_again(tmp_path):
    """Their time counts again; another prompt is asked."""
    model = ScriptedModel("one", "two")
    prompt = Prompt("facts", "system", "user", {})
    first = KeptModel(model, tmp_path / "kept.jsonl")
    answer = first.complete(prompt)
    again = KeptModel(model, tmp_path / "kept.jsonl")
    assert (again.complete(prompt), again.seconds, model.calls) == (answer, first.seconds, 1)
    assert again.complete(replace(prompt, user="other")).text == "two"
