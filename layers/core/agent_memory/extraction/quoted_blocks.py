"""Messages within a message that stand in lines of their own: `>` quotes, forwards, pasted chats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from agent_memory.extraction.rules_zh.subjects import KIN, NAME

_NAME = r"[^\W\d_][\w.'’-]*(?:[ \t][^\W\d_][\w.'’-]*){0,2}"
_ADDRESS = r"\s*(?:<[^>\n]*>|\([^)\n]*@[^)\n]*\))?"
_QUOTE_LINE = re.compile(r"[ \t]{0,3}>[ \t>]*(.*)")
_NAMED = re.compile(rf"\s*(?P<name>{_NAME}){_ADDRESS}\s*[:：]\s*(?P<text>\S.*)")
_WROTE = re.compile(
    rf"(?:(?:on|在|于)[^\n]{{1,80}}?(?:,|，|\s)\s*)?(?P<name>{_NAME}){_ADDRESS}\s*"
    r"(?:wrote|said|writes|写道|写到|说)\s*[:：]\s*",
    re.IGNORECASE,
)
_FORWARD = re.compile(
    r"\W*(?:begin |start of )?(?:forwarded message|original message|fwd|转发的?(?:消息|邮件)?|原始邮件|原邮件|轉發)\W*",
    re.IGNORECASE,
)
_FORWARD_FROM = re.compile(
    rf"\W*(?:(?:forwarded (?:message )?|fwd )from|转发自|转自|转发)\W+(?P<name>{_NAME})\W*?(?:[:：]\s*(?P<text>.*))?",
    re.IGNORECASE,
)
_FROM = re.compile(rf"\W*(?:from|发件人|寄件人)\s*[:：]\s*(?P<name>{_NAME}){_ADDRESS}\s*", re.IGNORECASE)
_HEADER = re.compile(r"\s*(?:to|cc|date|sent|subject|收件人|抄送|日期|时间|发送时间|主题)\s*[:：].*", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\b(?:I|I['’]\w+|my|mine|me|we|our|us)\b|[我咱俺]")
_NO_NAME = re.compile(r"[我你您是说的了]|\b(?:said|says|wrote|writes|told|asked|replied|goes|is|was|my|the|and|for)\b")
_HAN_NAME = re.compile(f"(?:{NAME}|{KIN})", re.ASCII)
_LABELS = frozenset(
    {"update", "edit", "note", "notes", "ps", "fyi", "answer", "question", "status", "reminder", "fact", "summary"}
    | {"correction", "me", "user", "assistant", "reason", "context", "background", "problem", "issue", "goal", "plan"}
    | {"warning", "important", "tip", "hint", "example", "re", "subject", "title", "address", "email", "phone", "todo"}
    | {"profile", "preference", "preferences", "about me", "bio", "remember", "please remember", "conclusion", "btw"}
    | {"注意", "备注", "提醒", "更新", "补充", "地址", "电话", "时间", "问题", "原因", "总结", "结论", "例如", "比如"}
    | {"以下", "另外", "最后", "首先", "其次", "答案", "更正", "记住", "请记住", "目标", "计划", "偏好", "自我介绍"}
)


def parted(text: str) -> Iterator[tuple[str | None, str]]:
    """The text in runs of lines: (None, the sender's own), (name, said by that one) or ("", quoted from nobody)."""
    reader = _Reader()
    lines = [said for line in text.split("\n") if (said := reader.read(line)) is not None]
    for speaker, run in groupby(lines, key=lambda said: said[0]):
        yield speaker, "\n".join(line for _, line in run)


@dataclass(slots=True)
class _Reader:
    """Reads line after line. `announced` wrote the `>` lines that follow; `forwarded` what follows up to the end."""

    announced: str = ""
    forwarded: str | None = None

    def read(self, line: str) -> tuple[str | None, str] | None:
        """Who says the line, and what; None for a line that only tells who speaks next."""
        quote = _QUOTE_LINE.fullmatch(line)
        if quote:
            return self._said(quote[1], self.announced or self.forwarded or "")
        if self._announces(line):
            return None
        if self.forwarded is not None:
            return self._said(line, self.forwarded)
        self.announced = self.announced if not line.strip() else ""
        named = _NAMED.fullmatch(line)
        if named and _is_name(named["name"]) and _FIRST_PERSON.search(named["text"]):
            return named["name"], named["text"]
        forward = _FORWARD_FROM.fullmatch(line)
        if forward and _is_name(forward["name"]):
            self.forwarded = forward["name"]
            return (forward["name"], forward["text"]) if forward["text"] else None
        return None, line

    def _said(self, text: str, by: str) -> tuple[str, str]:
        """What is quoted; a name in front of it tells more."""
        named = _NAMED.fullmatch(text)
        return (named["name"], named["text"]) if named and _is_name(named["name"]) else (by, text)

    def _announces(self, line: str) -> bool:
        """Whether the line is a header; what it tells is remembered."""
        if self.forwarded is not None:
            sender = _FROM.fullmatch(line)
            if sender:
                self.forwarded = sender["name"]
            return sender is not None or _HEADER.fullmatch(line) is not None
        wrote = _WROTE.fullmatch(line)
        if wrote:
            self.announced = wrote["name"]
        elif line.strip() and _FORWARD.fullmatch(line):
            self.forwarded = ""
        return wrote is not None or self.forwarded is not None


def _is_name(name: str) -> bool:
    """Whether a person may be called so: capitalised words, or Chinese characters that names are made of."""
    folded = name.casefold().strip()
    if folded in _LABELS or _NO_NAME.search(folded):
        return False
    if "\u4e00" <= name[0] <= "\u9fff":
        return _HAN_NAME.fullmatch(name) is not None
    return all(word[0].isupper() for word in name.split())
