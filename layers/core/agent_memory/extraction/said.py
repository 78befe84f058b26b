"""Who says what in a message: its sender's own words, and what it quotes or forwards as the words of others.

What is quoted from nobody in particular is said by `QUOTED`, never by the sender.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent_memory.extraction.direct_speech import Quote, quotes_in
from agent_memory.extraction.quoted_blocks import parted
from agent_memory.extraction.risks import own_context
from agent_memory.models import Message

NOT_TALK = frozenset({"system", "developer", "tool", "function"})
"""Roles whose text nobody said; it may be our own context block, which must not be remembered again."""
ASSISTANT = "assistant"
QUOTED = "quoted"

_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Said:
    """`text` as `speaker` said it in the message at `index`; `quoted`: the sender only passes it on.

    `nameless` is true of a user or an assistant of whom nothing but the role is known.
    """

    index: int
    message: Message
    speaker: str
    text: str
    quoted: bool = False

    @property
    def by_assistant(self) -> bool:
        """Whether an assistant, not a person, is the source."""
        return self.message.role.casefold() == ASSISTANT

    @property
    def nameless(self) -> bool:
        """Whether only the role of the speaker is known."""
        return not self.quoted and self.speaker.casefold() == self.message.role.casefold()


def said_in(messages: Sequence[Message]) -> list[Said]:
    """What is said in the messages, in order; nothing for roles in `NOT_TALK`, without our own context blocks."""
    return [
        said
        for index, message in enumerate(messages)
        if message.role.casefold() not in NOT_TALK
        for said in _said(index, message)
    ]


def without_code(text: str) -> str:
    """The text without fenced code, which claims nothing."""
    return _CODE.sub(" ", text)


def _said(index: int, message: Message) -> Iterator[Said]:
    sender = message.speaker or message.role
    own: list[str] = []
    quotes: list[Quote] = []
    for speaker, text in parted(_without_context(message.content)):
        if speaker is not None:
            quotes.append(Quote(speaker or QUOTED, text))
            continue
        rest, found = quotes_in(text, sender)
        own.append(rest)
        quotes += found
    text = "\n".join(own)
    if text.strip():
        yield Said(index, message, sender, text)
    for quote in quotes:
        yield Said(index, message, quote.speaker, quote.text, quoted=quote.speaker.casefold() != sender.casefold())


def _without_context(text: str) -> str:
    pieces, done = [], 0
    for start, end in own_context(text):
        pieces.append(text[done:start])
        done = end
    return "".join([*pieces, text[done:]])
