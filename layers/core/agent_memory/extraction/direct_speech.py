"""Direct speech within a sentence: `Lena said: "I'm allergic to peanuts"`, 张三说：“我对花生过敏”."""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPEN, _CLOSE = '"“「『', '"”」』'
_QUOTED = rf"[{_OPEN}](?P<text>[^{_OPEN}{_CLOSE}]{{1,2000}})[{_CLOSE}]"
_VERB = r"(?:said|says|told (?:me|us)|tells me|wrote|writes|texted|replied|answered|messaged|goes|asked)(?: (?:me|us))?"
_NAME = r"[A-Z][\w'’-]{1,30}(?: [A-Z][\w'’-]{1,30})?"
_MINE = r"[Mm]y [a-z][a-z-]{1,20}(?: [a-z-]{1,20})?"
_BEFORE = re.compile(rf"(?P<who>{_NAME}|{_MINE}) {_VERB}(?: that)?[,:]?\s*{_QUOTED}\s*[.!]?")
_BEHIND = re.compile(
    rf"{_QUOTED}[,.]?\s*(?:(?:said|says|wrote) (?P<who>{_NAME}|{_MINE})|(?P<who2>{_NAME}|{_MINE}) {_VERB})\b\s*[.!]?"
)
_WHO_ZH = (
    r"(?P<who>我?[\u4e00-\u9fff]{1,4}?)(?:刚才|昨天|今天|跟我|和我|对我|向我|给我)*"
    r"(?:说道?|告诉我|写道?|回复|发消息说|讲|表示)"
)
_BEFORE_ZH = re.compile(rf"{_WHO_ZH}[：:，,]?\s*{_QUOTED}[。！]?")
_NOBODY_EN = frozenset({"i", "we", "he", "she", "they", "it", "you", "someone", "everyone"})
_SENDER_ZH = frozenset("我俺咱")
_PRONOUNS_ZH = frozenset("他她它你您人")


@dataclass(frozen=True, slots=True)
class Quote:
    """What is passed on as said by `speaker`."""

    speaker: str
    text: str


def quotes_in(text: str, sender: str) -> tuple[str, list[Quote]]:
    """The text without its direct speech of others, and that; a quote of the sender's own words stays."""
    found: list[Quote] = []

    def take(match: re.Match[str]) -> str:
        groups = match.groupdict()
        who = _owner(groups.get("who") or groups.get("who2") or "", sender)
        if who is None:
            return match[0]
        found.append(Quote(who, match["text"].strip().rstrip(",，")))
        return " "

    for pattern in (_BEFORE, _BEHIND, _BEFORE_ZH):
        if any(mark in text for mark in _OPEN):
            text = pattern.sub(take, text)
    return text, found


def _owner(who: str, sender: str) -> str | None:
    """Who says it: a name, or a relation of the sender; None for the sender, and for a pronoun."""
    if who.casefold() in _NOBODY_EN or who in _SENDER_ZH or not who or who[0] in _PRONOUNS_ZH:
        return None
    if who[:3].casefold() == "my ":
        return f"{sender}'s {who[3:]}"
    if who[0] in _SENDER_ZH:
        return f"{sender}的{who[1:].removeprefix('的')}"
    return who
