"""Conversations under other names, and all of a corpus as one tenant of any number of turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.bench.corpora import Corpus
from tests.clients.conversations import Conversation, Question

ECHO = 6  # words of another turn that a repeated one gets
_STEP, _SHIFT = 7, 13  # which other turn: another one for each turn and each time round


def named_apart(corpus: Corpus) -> Corpus:
    """The name of the corpus goes before those of its conversations, since two files may name theirs alike."""
    talks = tuple(replace(talk, name=f"{corpus.name}-{talk.name}") for talk in corpus.conversations)
    return replace(corpus, conversations=talks)


def stretched(corpus: Corpus, turns: int, name: str) -> Corpus:
    """All turns, and again until there are so many, with words of another turn behind a repeated one.

    Turns and sessions are numbered anew; a question is answered by the turns of its own conversation, said first.
    """
    told = [each for talk in corpus.conversations for each in _told(talk)]
    sessions: dict[str, list[dict[str, Any]]] = {}
    new_names: dict[tuple[str, str], str] = {}
    for place in range(turns):
        again, number = divmod(place, len(told))
        talk, run, message = told[number]
        session = sessions.setdefault(f"{talk}-{run}-{again}", [])
        new_name = f"D{len(sessions)}:{len(session) + 1}"
        new_names.setdefault((talk, message["messageId"]), new_name)
        echo = told[(number * _STEP + again * _SHIFT) % len(told)][2]["content"].split()[:ECHO] if again else []
        session.append({**message, "messageId": new_name, "content": " ".join([message["content"], *echo])})
    asked = tuple(
        Question(question.text, tuple(new_names[talk, turn] for turn in sorted(question.evidence)), question.category)
        for talk, question in corpus.questions
        if all((talk, turn) in new_names for turn in question.evidence)
    )
    return replace(corpus, name=name, conversations=(Conversation(name, sessions, asked),))


def _told(talk: Conversation) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(conversation, session, message)."""
    yield from ((talk.name, run, message) for run, messages in talk.sessions.items() for message in messages)
