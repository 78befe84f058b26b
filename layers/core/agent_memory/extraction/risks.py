"""Text that tries to instruct a model, and our own context block where it comes back as input.

A flag says what a text looks like, never that it is harmful: whoever shows the text to a model decides. Sentences about
rules, or about a message of one's own, are ordinary talk.
"""

from __future__ import annotations

import re

from agent_memory.extraction.risk_words_en import ENGLISH
from agent_memory.extraction.risk_words_zh import CHINESE
from agent_memory.redaction.view import views

INSTRUCTION_LIKE = "instruction_like"

_NAMES = (
    r"memor(?:y|ies)|memory[_-]?context|(?:relevant|user|long[_-]?term)[_-]memor(?:y|ies)|recalled[_-]memor(?:y|ies)"
)
_OPEN = re.compile(
    rf"(?:[<＜]|&lt;)\s*(?P<name>{_NAMES}|context)(?:\s[^<>\n]{{0,200}})?\s*(?:[>＞]|&gt;)", re.IGNORECASE
)
_FULL_WIDTH_CLOSE = r"(?:[<＜]|&lt;)\s*[/／]\s*{name}\s*(?:[>＞]|&gt;)"
_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*(?:(?:relevant|user|long[- ]term|retrieved|recalled|past|stored)[ \t]+)?"
    r"(?:memor(?:y|ies)(?:[ \t]+(?:context|block))?)[ \t]*[:：]?[ \t]*#*[ \t]*$"
    r"|#{1,6}[ \t]*(?:相关|用户|长期|历史)?(?:记忆|記憶)(?:上下文)?[ \t]*[:：]?[ \t]*$"
    r"|【(?:相关|用户|长期|历史)?(?:记忆|記憶)(?:上下文)?(?:开始)?】)",
    re.IGNORECASE | re.MULTILINE,
)
_SECTION_END = re.compile(
    r"【[/／]?(?:相关|用户|长期|历史)?(?:记忆|記憶)(?:上下文)?结束】[ \t]*|【[/／](?:记忆|記憶)】[ \t]*"
    r"|\n(?=[ \t]*#{1,6}[ \t]*\S)|\n(?=[ \t]*【)"
    r"|\n[ \t]*\n(?![ \t]*(?:\n|[-*•·–][ \t]|\d{1,3}[.)、]|\[))"
)
_LOOK_ALIKES = str.maketrans("аеорсухіѕԁһАЕОРСХІΑΕΟΙ", "aeopcyxisdhAEOPCXIAEOI")
_SPACES = re.compile(r"[^\S\n]+")
_WITHIN = re.compile(r"(?<=[A-Za-z,])\n(?=[a-z])")


def risk_flags(text: str) -> tuple[str, ...]:
    """`instruction_like` for text that speaks to a model about its rules, its role or its data; else nothing."""
    read = {_read(each.text) for each in views(text)}
    found = any(pattern.search(each) for each in read for pattern in (*ENGLISH, *CHINESE))
    return (INSTRUCTION_LIKE,) if found else ()


def own_context(text: str) -> list[tuple[int, int]]:
    """Spans of the text that are a block of memories as the service writes it, in order and apart.

    A tag is closed by its own name, the outermost where blocks are nested; one that is not closed goes on to the end.
    `<context>` is one only where it is closed, or stands alone in its line.
    """
    spans: list[tuple[int, int]] = []
    done = 0
    for start, end in sorted([*_tagged(text), *_sections(text)]):
        if start >= done:
            spans.append((start, end))
            done = end
        elif end > done:
            spans[-1] = (spans[-1][0], end)
            done = end
    return spans


def _read(text: str) -> str:
    spaced = _SPACES.sub(" ", text.translate(_LOOK_ALIKES)).replace("’", "'")
    return _WITHIN.sub(" ", spaced)


def _tagged(text: str) -> list[tuple[int, int]]:
    spans = []
    done = 0
    closings: dict[str, list[tuple[int, int]]] = {}
    for opened in _OPEN.finditer(text):
        if opened.start() < done:
            continue
        name = opened["name"].casefold()
        if name not in closings:
            closing = re.compile(_FULL_WIDTH_CLOSE.format(name=re.escape(opened["name"])), re.IGNORECASE)
            closings[name] = [each.span() for each in closing.finditer(text)]
        end = _end_of(opened, closings[name], text)
        if end is not None:
            spans.append((opened.start(), end))
            done = end
    return spans


def _end_of(opened: re.Match[str], closings: list[tuple[int, int]], text: str) -> int | None:
    """Behind the closing tag that belongs to the opening one; None where the tag opens nothing."""
    same = re.compile(_OPEN.pattern.replace(f"{_NAMES}|context", re.escape(opened["name"])), re.IGNORECASE)
    depth, at = 1, opened.end()
    for start, end in (each for each in closings if each[0] >= opened.end()):
        depth += sum(1 for _ in same.finditer(text, at, start)) - 1
        at = end
        if depth <= 0:
            return end
    if at > opened.end():  # closed, though not as often as opened
        return at
    alone = (
        not text[: opened.start()].rpartition("\n")[2].strip() and not text[opened.end() :].partition("\n")[0].strip()
    )
    return len(text) if alone or opened["name"].casefold() != "context" else None


def _sections(text: str) -> list[tuple[int, int]]:
    """Headed blocks: to the next heading, or to an empty line behind which no list goes on."""
    spans = []
    for headed in _HEADING.finditer(text):
        ended = _SECTION_END.search(text, headed.end())
        spans.append((headed.start(), ended.end() if ended else len(text)))
    return spans
