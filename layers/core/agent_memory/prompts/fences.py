"""How the words of others stand in a prompt, so that none of them can end their own fence or pose as a new message.

Fences are tags, and no text inside holds an angle bracket, which also undoes the control tokens of chat models. A line
of a text is indented; only our own headers begin at the margin.
"""

from __future__ import annotations

import re

from agent_memory.text import clean

INDENT = "  "

_OPEN, _CLOSE = "\u2039", "\u203a"  # single angle quotation marks
# With their small and full-width forms, which some tokenizers fold into the ASCII ones.
_BRACKETS = {ord(each): _OPEN for each in "<\ufe64\uff1c"} | {ord(each): _CLOSE for each in ">\ufe65\uff1e"}
# Nothing of these shows; they could part a word that a reader of the answer looks for, or turn a line around.
_UNSEEN = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u2060-\u206f\ufeff\U000e0000-\U000e007f\u202a-\u202e]")


def fenced(text: str) -> str:
    """The lines of the text, indented and without angle brackets; blank lines are left out."""
    lines = (line.strip() for line in _safe(text).splitlines())
    return "\n".join(INDENT + line for line in lines if line)


def on_one_line(text: str) -> str:
    """The text in one line without angle brackets, for headers and lists."""
    return " ".join(_safe(text).split())


def restored(answer: str, source: str) -> str:
    """`answer` with the brackets that `fenced` took from `source`, for texts that a model copied."""
    for bracket, mark in (("<", _OPEN), (">", _CLOSE)):
        if mark in answer and mark not in source and bracket in source:
            answer = answer.replace(mark, bracket)
    return answer


def _safe(text: str) -> str:
    return _UNSEEN.sub("", clean(text)).translate(_BRACKETS)
