"""Lines of a pasted chat: who is named in front, with or without a time, and lines that only say who speaks next."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent_memory.extraction.rules_zh.subjects import KIN
from agent_memory.extraction.rules_zh.subjects import NAME as HAN

NAME = r"[^\W\d_][\w.'’-]*(?:[ \t][^\W\d_][\w.'’-]*){0,2}"
ADDRESS = r"\s*(?:<[^>\n]*>|\([^)\n]*@[^)\n]*\))?"
NAMED = re.compile(rf"\s*(?P<name>{NAME}){ADDRESS}\s*[:：]\s*(?P<text>\S.*)")
_DAY = r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?"
_CLOCK = rf"(?:{_DAY}[ ,T]*)?\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:\s?[AaPp]\.?[Mm]\.?)?"
_STAMPED = re.compile(
    rf"\s*[\[(]?{_CLOCK}[\])]?\s*[-–—,:]?\s+(?={NAME}\s*[:：])|(?<=\S)\s*[\[(]{_CLOCK}[\])](?=\s*[:：])"
)
_TURN = re.compile(rf"\s*(?P<name>{NAME})\s+[\[(]?(?P<clock>{_CLOCK})[\])]?\s*[:：]?\s*")
_MARKED = re.compile(rf"\s*(?:\*\*|__)(?P<name>{NAME})\s*[:：]?(?:\*\*|__)\s*[:：]?\s*(?=\S)")
_SAYING = re.compile(r"\s+(?:wrote|said|says|writes|texted|replied|写道|说)\Z")
_FIRST_PERSON = re.compile(r"\b(?:I|I['’]\w+|[Mm]y|[Mm]ine|me|[Ww]e|[Oo]ur|us)\b|[我咱俺]")
_OPENING_QUOTES = '"“「『'
_NO_NAME = re.compile(
    r"[我你您是说的了]|\b(?:said|says|wrote|writes|told|asked|replied|goes|is|was|my|the|and|for)\b"
    r"|^(?:\w|(?:\w\.)+\w?)\Z"
)
_DATED = re.compile(_DAY)
_HAN_NAME = re.compile(f"(?:{HAN}|{KIN})", re.ASCII)
_NOBODY_S = frozenset(
    {"translate", "translation", "example", "for example", "e.g", "sample", "quote", "lyrics", "text", "original"}
    | {"翻译", "翻译一下", "例如", "例句", "比如", "举例", "原文", "转发", "歌词", "台词"}
)
"""Labels of words that nobody in particular says."""
_LABELS = frozenset(
    {"update", "edit", "note", "notes", "ps", "fyi", "answer", "question", "status", "reminder", "fact", "summary"}
    | {"correction", "me", "user", "assistant", "reason", "context", "background", "problem", "issue", "goal", "plan"}
    | {"warning", "important", "tip", "hint", "example", "re", "subject", "title", "address", "email", "phone", "todo"}
    | {"profile", "preference", "preferences", "about me", "bio", "remember", "please remember", "conclusion", "btw"}
    | {"注意", "备注", "提醒", "更新", "补充", "地址", "电话", "时间", "问题", "原因", "总结", "结论", "例如", "比如"}
    | {"以下", "另外", "最后", "首先", "其次", "答案", "更正", "记住", "请记住", "目标", "计划", "偏好", "自我介绍"}
)


def said_line(line: str) -> tuple[str, str] | None:
    """Who says the line of a chat, "" for nobody in particular, and what; None for the sender's own words."""
    named = NAMED.fullmatch(_MARKED.sub(r"\g<name>: ", _STAMPED.sub("", line, count=1), count=1))
    if named is None:
        return None
    name = _SAYING.sub("", named["name"])
    if name != named["name"] and named["text"][0] in _OPENING_QUOTES:
        return None  # direct speech, which ends where its quotes do
    if name.casefold() in _NOBODY_S:
        return "", named["text"]
    speaks = _FIRST_PERSON.search(named["text"]) or _STAMPED.search(line)
    return (name, named["text"]) if speaks and is_name(name) else None


def turns_of(lines: Sequence[str]) -> dict[int, str]:
    """The lines that hold a name and a time alone, in a chat that was pasted with them.

    One such line makes a chat if it has the day as well, and words behind it; else it takes two.
    """
    matches = {
        at: match for at, line in enumerate(lines) if (match := _TURN.fullmatch(line)) and is_name(match["name"])
    }
    followed = {at: match for at, match in matches.items() if any(line.strip() for line in lines[at + 1 :])}
    dated = any(_DATED.match(match["clock"]) for match in followed.values())
    return {at: match["name"] for at, match in followed.items()} if dated or len(followed) > 1 else {}


def is_name(name: str) -> bool:
    """Whether a person may be called so: capitalised words, or Chinese characters that names are made of."""
    folded = name.casefold().strip()
    if folded in _LABELS or _NO_NAME.search(folded):
        return False
    if "\u4e00" <= name[0] <= "\u9fff":
        return _HAN_NAME.fullmatch(name) is not None
    return all(word[0].isupper() for word in name.split())
