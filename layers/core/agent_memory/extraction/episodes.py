"""Messages to episode memories, without a model: one for each message that says something, several for a long one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent_memory.dates_in_text.time_phrases import TimePhrase, annotate, resolve
from agent_memory.extraction.candidates import Candidate
from agent_memory.extraction.sentences import chunk
from agent_memory.extraction.small_talk import says_something
from agent_memory.languages import language_of
from agent_memory.models import Message
from agent_memory.times import format_ms, format_seconds

NOT_TALK = frozenset({"system", "developer", "tool", "function"})
"""Roles whose text nobody said; it may be our own context block, which must not be remembered again."""

_FIRST_PERSON = re.compile(r"\b(?:I|I['’]\w+|my|mine|me|we|our|us)\b|[我咱俺]")
_QUESTION = re.compile(r"[?？]\W*\Z")


def extract_episodes(messages: Sequence[Message]) -> list[Candidate]:
    """The candidates in the order of the messages; none for small talk and for roles in `NOT_TALK`."""
    names = {message.speaker for message in messages}
    return [
        candidate
        for index, message in enumerate(messages)
        if message.role.casefold() not in NOT_TALK and says_something(message.content, names)
        for candidate in _episodes(index, message)
    ]


def _episodes(index: int, message: Message) -> Iterator[Candidate]:
    for piece in chunk(message.content):
        if any(character.isalnum() for character in piece):
            yield _episode(index, message, piece)


def _episode(index: int, message: Message, piece: str) -> Candidate:
    speaker = message.speaker or message.role
    phrases = resolve(piece, message.timestamp_ms)
    said = f"{speaker}: {annotate(piece, phrases)}"
    dated = next((phrase for phrase in phrases if phrase.precision is not None), None)
    said_at = format_seconds(message.timestamp_ms)
    return Candidate(
        text=f"[{said_at}] {said}",
        search_text=said,
        speaker=speaker,
        role=message.role,
        language=language_of(piece),
        effective_at=dated.date if dated else said_at,
        time_precision=dated.precision if dated and dated.precision else "second",
        time_source="phrase" if dated else "message",
        created_at=format_ms(message.timestamp_ms),
        sources=(index,),
        salience=_salience(piece, phrases),
    )


def _salience(piece: str, phrases: list[TimePhrase]) -> float:
    """A first guess: talk of oneself, numbers and dates count more, a mere question less."""
    tenths = 5 + bool(_FIRST_PERSON.search(piece)) + any(character.isdigit() for character in piece) + bool(phrases)
    return (tenths - 2 * bool(_QUESTION.search(piece))) / 10
