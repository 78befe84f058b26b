"""Messages within a message that stand in lines of their own: `>` quotes, forwards, pasted chats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from agent_memory.extraction.chat_lines import ADDRESS, NAME, NAMED, is_name, said_line, turns_of

_QUOTE_LINE = re.compile(r"[ \t]{0,3}>[ \t>]*(.*)")
_NAMED = re.compile(rf"\s*(?P<name>{NAME}){ADDRESS}\s*[:：]\s*(?P<text>\S.*)")
_WROTE = re.compile(
    rf"(?:(?:on|在|于)[^\n]{{1,80}}?(?:,|，|\s)\s*)?(?P<name>{NAME}){ADDRESS}\s*"
    r"(?:wrote|said|writes|写道|写到|说)\s*[:：]\s*",
    re.IGNORECASE,
)
_WROTE = re.compile(
    rf"(?:(?:on|在|于)[^\n]{{1,80}}?(?:,|，|\s)\s*)?(?P<name>{NAME}){ADDRESS}\s*"
    r"(?:wrote|said|writes|写道|写到|说)\s*[:：]\s*",
    re.IGNORECASE,
)
_FORWARD = re.compile(
    r"\W*(?:begin |start of )?(?:forwarded message|original message|fwd|转发的?(?:消息|邮件)?|原始邮件|原邮件|轉發)\W*",
    re.IGNORECASE,
)
_FORWARD_FROM = re.compile(
    rf"\W*(?:(?:forwarded (?:message )?|fwd )from|转发自|转自|转发)\W+(?P<name>{NAME})\W*?(?:[:：]\s*(?P<text>.*))?",
    re.IGNORECASE,
)
_FROM = re.compile(rf"\W*(?:from|发件人|寄件人)\s*[:：]\s*(?P<name>{NAME}){ADDRESS}\s*", re.IGNORECASE)
_HEADER = re.compile(r"\s*(?:to|cc|date|sent|subject|收件人|抄送|日期|时间|发送时间|主题)\s*[:：].*", re.IGNORECASE)
_CLOCK = r"(?:\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?[ ,T]*)?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?"
_STAMPED = re.compile(
    rf"\s*[\[(]?{_CLOCK}[\])]?\s*[-–—,:]?\s+(?={NAME}\s*[:：])|(?<=\S)\s*[\[(]{_CLOCK}[\])](?=\s*[:：])"
)
_HEADER = re.compile(r"\s*(?:to|cc|date|sent|subject|收件人|抄送|日期|时间|发送时间|主题)\s*[:：].*", re.IGNORECASE)
_CLOCK = r"(?:\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?[ ,T]*)?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?"
_STAMPED = re.compile(
    rf"\s*[\[(]?{_CLOCK}[\])]?\s*[-–—,:]?\s+(?={NAME}\s*[:：])|(?<=\S)\s*[\[(]{_CLOCK}[\])](?=\s*[:：])"
)


def parted(text: str) -> Iterator[tuple[str | None, str]]:
    """The text in runs of lines: (None, the sender's own), (name, said by that one) or ("", quoted from nobody)."""
    lines = text.split("\n")
    reader, turns = _Reader(), turns_of(lines)
    read: list[tuple[str | None, str]] = []
    for at, line in enumerate(lines):
        if at in turns:
            reader.turn_to(turns[at])
        elif (said := reader.read(line)) is not None:
            read.append(said)
    for speaker, run in groupby(read, key=lambda said: said[0]):
        yield speaker, "\n".join(line for _, line in run)


@dataclass(slots=True)
class _Reader:
    """Reads line after line. `announced` wrote the `>` lines that follow; `forwarded` what follows up to the end."""

    announced: str = ""
    forwarded: str | None = None

    def turn_to(self, speaker: str) -> None:
        """In a pasted chat all that follows is said by that one, up to the next turn."""
        self.forwarded = speaker

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
        return said_line(line) or self._own(line)

    def _own(self, line: str) -> tuple[str | None, str] | None:
        """The sender's words, unless a forward begins here."""
        forward = _FORWARD_FROM.fullmatch(line)
        if forward is None or not is_name(forward["name"]):
            return None, line
        self.forwarded = forward["name"]
        return (forward["name"], forward["text"]) if forward["text"] else None

    def _said(self, text: str, by: str) -> tuple[str, str]:
        """What is quoted; a name in front of it tells more."""
        named = NAMED.fullmatch(text)
        return (named["name"], named["text"]) if named and is_name(named["name"]) else (by, text)

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
