"""Which messages a model means by the evidence of a fact."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agent_memory.extraction.reply_owner import nameless_assistant
from agent_memory.extraction.sentences import cost
from agent_memory.models import Message
from agent_memory.prompts.replies import numbers_in
from agent_memory.text import normalised

_WORDS = frozenset({"m", "msg", "message", "messages", "no", "and"})
_ENDS = re.compile(r"^\W+|\W+$")
_LEAST_COST = 36  # five Chinese characters or twelve Latin ones: what is shorter may stand anywhere
_MAX_LOOKED_FOR = 800  # characters


def evidence_of(text: Any, named: Any, messages: Sequence[Message]) -> tuple[int, ...]:
    """Positions of messages that exist, in order; () where none can be told.

    Small models name the wrong number: where the text stands word for word decides. Of one message alone nobody needs
    to be told.
    """
    cited = sorted({each for each in numbers_in(named, _WORDS) if 0 <= each < len(messages)})
    holding = _holding(text, messages)
    if holding and not set(holding) & set(cited):
        spoken = [each for each in holding if not nameless_assistant(messages[each])]
        return tuple(spoken or holding)
    if not cited and named is None and len(messages) == 1:
        return (0,)
    return tuple(cited)


def _holding(text: Any, messages: Sequence[Message]) -> list[int]:
    if not isinstance(text, str) or len(text) > _MAX_LOOKED_FOR or cost(text) < _LEAST_COST:
        return []
    looked_for = _ENDS.sub("", normalised(text))
    return [position for position, each in enumerate(messages) if looked_for and looked_for in normalised(each.content)]
