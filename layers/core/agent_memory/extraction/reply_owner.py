"""Whom a model means by an owner, in the names of the conversation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agent_memory.extraction.facts import Kind
from agent_memory.models import Message
from agent_memory.text import clean, is_blank, normalised

MAX_OWNER = 80

_SPEAKER_WORDS = (
    "i,me,my,myself,we,us,self,user,users,the user,speaker,the speaker,human,person,author,"
    "我,我们,本人,自己,用户,说话人,发言人,使用者"
)
_ASSISTANT_WORDS = "assistant,the assistant,ai,ai assistant,bot,chatbot,model,agent,you,助手,助理,机器人,模型,你"
_SPEAKER = frozenset(_SPEAKER_WORDS.split(","))
_ASSISTANT = frozenset(_ASSISTANT_WORDS.split(","))
_OF_SPEAKER_EN = re.compile(r"(?:my|our|(?:the )?(?:user|speaker)['’]?s['’]?)\s+(?P<who>.+)", re.IGNORECASE)
_OF_SPEAKER_ZH = re.compile(r"(?:我们?|用户|user|说话人)的(?P<who>.+)|我(?!们)(?P<kin>.+)", re.IGNORECASE)


def nameless_assistant(message: Message) -> bool:
    """Whether a program speaks, not a person that a client files under the role."""
    return message.role.casefold() == "assistant" and message.speaker.casefold() == "assistant"


def owner_of(value: Any, kind: Kind, sources: Sequence[Message]) -> str | None:
    """A speaker as the messages name them, somebody of theirs, or a name as it is; None where it is the assistant.

    Without a readable owner it is the first speaker of the sources. An agreement binds whoever asks for it.
    """
    speaker = next(each.speaker for each in sources if not nameless_assistant(each))
    name = " ".join(clean(value[: 4 * MAX_OWNER]).split()) if isinstance(value, str) else ""
    if is_blank(name) or len(name) > MAX_OWNER:
        return speaker
    folded = normalised(name)
    for each in sources:
        if folded == normalised(each.speaker) and not nameless_assistant(each):
            return each.speaker
    if folded in _SPEAKER:
        return speaker
    if folded in _ASSISTANT:
        return speaker if kind == "agreement" else None
    return _somebody_of(speaker, name)


def _somebody_of(speaker: str, name: str) -> str:
    if theirs := _OF_SPEAKER_EN.fullmatch(name):
        return f"{speaker}'s {theirs['who']}"
    if theirs := _OF_SPEAKER_ZH.fullmatch(name):
        return f"{speaker}的{theirs['who'] or theirs['kin']}"
    return name
