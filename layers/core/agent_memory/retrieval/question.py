"""What a question asks for, read from its words alone: no index and no model."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent_memory.retrieval.asked_times import AskedTime, asked_times
from agent_memory.retrieval.tokenizer import folded, query_terms
from agent_memory.retrieval.traits import HAN, text_traits

_WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:year|date|month|day|time)\b|\bhow long ago\b|"
    r"什么时候|何时|哪一?[年天月]|几[年月号点]|多久以?[前后]|哪个月|啥时候"
)
_NUMBER = re.compile(
    r"\bhow (?:many|much|long|old|often|far|tall|big)\b|多少|几[个只次天年岁块位本件]|多[久长大高远]|几岁"
)
_LETTER = re.compile(r"\w")
_ROLES = frozenset({"user", "assistant", "system", "tool", "developer", "function", "agent", "bot", "ai"})


@dataclass(frozen=True, slots=True)
class Question:
    """`terms` are the telling ones; `folded` is for finding names in; `asks_when` and `asks_number` say what is sought.

    `times` are those that it names, `han` whether it is written in Chinese characters.
    """

    folded: str
    terms: tuple[str, ...]
    asks_when: bool
    asks_number: bool
    times: tuple[AskedTime, ...]
    han: bool


def question_of(text: str, now_ms: int) -> Question:
    """The question at that instant."""
    plain = folded(text)
    return Question(
        folded=plain,
        terms=tuple(query_terms(text)),
        asks_when=_WHEN.search(plain) is not None,
        asks_number=_NUMBER.search(plain) is not None,
        times=asked_times(text, now_ms),
        han=bool(text_traits(text) & HAN),
    )


def named(names: tuple[str, ...], question: Question) -> list[int]:
    """Places of the names of speakers that the question mentions as words of their own; roles are no names."""
    return [place for place, name in enumerate(names) if name not in _ROLES and _mentions(question.folded, name)]


def _mentions(text: str, name: str) -> bool:
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not (_joined(text[at - 1 : at], name[0]) or _joined(text[end : end + 1], name[-1])):
            return True
        at = text.find(name, at + 1)
    return False


def _joined(neighbour: str, letter: str) -> bool:
    """Whether two characters belong to one word; Chinese has no ends of words to see."""
    return neighbour.isascii() and letter.isascii() and _LETTER.match(neighbour) is not None
