"""What somebody likes and cannot stand, in Chinese."""

from __future__ import annotations

import re

from agent_memory.extraction.rules_zh.claim import Claim, Predicate
from agent_memory.extraction.rules_zh.folding import key
from agent_memory.extraction.rules_zh.objects import liked, thing

_NOT = "(?P<not>再也不|已经不再|不再|不太|不怎么|不大|不是很|不是特别|不那么|从来不|从不|并不|没那么|绝不|不)"
_MORE = "(?:那么|怎么|特别|很|太|再|真的?|会|是)*"
_LIKE = (
    "爱好(?!是|者|很|不|和|都)|喜欢上了?|喜欢|喜爱|热爱|钟爱|酷爱"
    "|热衷于?|偏爱|偏好|迷上了?|爱上了?|着迷于|沉迷于|痴迷于|爱(?=吃"
    "|喝|看|听|玩|穿|用|养|打|做|画|唱|去|跑|[^\\s]{2})"
)
_HATE = (
    "讨厌|厌恶|憎恶|痛恨|反感|受不了|忍受不了|忍不了|无法忍受|不能忍受"
    "|接受不了|不能接受|无法接受|嫌弃|吃不了|喝不了|吃不惯|喝不惯"
    "|不能吃|不能喝"
)
_TASTE = re.compile(rf"(?:{_NOT}{_MORE})?(?:(?P<like>{_LIKE})|(?P<hate>{_HATE}))(?P<what>.+)\Z")
_BARE = re.compile(rf"(?:{_NOT}{_MORE})?(?:(?P<like>喜欢|爱吃|爱喝|爱看|爱玩)|(?P<hate>讨厌|反感))\Z")
_ABSTAINS = re.compile(
    r"(?:再也不|已经不再|不再|从来不|从不|一口都?不|一点都?不|完全不"
    r"|不|没法|不会)(?:能|敢|可以)?(?:吃|喝|碰|抽)(?P<what>[^了过着]+)\Z"
)
_GAVE_UP = re.compile(r"(?:把)?(?P<before>[^戒]{1,8}?)?(?:都)?戒(?:掉)?(?:了)?(?P<what>[^了掉过]{1,8})?\Z")
_INDULGES = re.compile(r"(?:每天都?|平时|经常)*(?:抽|吸|喝)(?P<what>烟|酒)\Z")
_SOFTENED = re.compile(r"(?:挺|蛮|还是|还挺).{1,20}的\W*\Z")
_INTEREST = re.compile(
    r"对(?P<what>.{1,24}?)(?:方面)?(?:的兴趣)?(?P<degree>[很非常特别超级十分挺比较一直最也都越来真的有点]*)"
    r"(?P<not>[已经再也都]*(?:不再|不太|不怎么|不|没有?|毫无|完全没有?"
    r"|完全不)(?:太|什么|那么|多少)?)?(?:感|有|大)?兴趣\Z"
)
_FAVOURITE = re.compile(
    r"(?:最(?:喜欢|爱)|偏爱)(?:吃|喝|看|听|玩|读|去)?的(?P<what>[^的是]{1,10})(?:就"
    r"|一直|始终|还)*是(?P<value>.{1,30})\Z"
)
_PREFERS = re.compile(r"(?:更|比较|宁可|宁愿)(?:喜欢|爱|偏好|倾向于)(?P<what>.{1,24})\Z")
_TOPIC = re.compile(
    r"(?P<value>[^我,不]{1,16}?)(?:一直|就|都|还|也|更|才)*是我(?:们?最(?:喜欢|爱)(?:吃"
    r"|喝|看|听|玩|读|去)?的(?P<what>[^的]{1,8})|的最爱)\Z"
)
_HOBBY = re.compile(r"的(?:业余)?(?:爱好|兴趣爱好|兴趣)(?:就|主要|一直)*是(?P<what>.{1,24})\Z")
_INTENSE, _PLAIN = 8, 7


def found(said: Predicate) -> list[Claim]:
    """The tastes that a predicate tells of its subject."""
    if said.who is None and (topic := _TOPIC.match(said.text)):
        value = thing(topic["value"])
        if value and topic["what"] and not topic["what"].endswith("之一"):
            return [Claim("preference", _INTENSE, f"favourite {key(topic['what'])}", value)]
        return [Claim("preference", _INTENSE, f"likes {value}")] if value else []
    if not said.is_personal or "former" in said.kinds or said.kinds & {"past", "future"}:
        return []
    for rule in (_favourite, _interest, _hobby, _prefers, _taste, _abstains, _gave_up, _indulges):
        if claims := rule(said):
            return claims
    return []


def formerly(said: Predicate) -> str | None:
    """What the clause says to have been liked or disliked before: 我以前喜欢香菜."""
    match = _TASTE.match(said.text) if "former" in said.kinds else None
    return match["what"] if match and liked(match["what"]) else None


def _taste(said: Predicate) -> list[Claim]:
    bare = _BARE.match(said.text)
    match = bare or _TASTE.match(said.text)
    what = said.formerly if bare else match["what"] if match else None
    if match is None or what is None:
        return []
    what = what.removesuffix("的") if _SOFTENED.search(said.clause) else what
    negated = bool(match["not"]) != bool(match["hate"])
    if match["not"] and match["hate"]:
        return []  # 不讨厌 is no liking
    importance = _INTENSE if match["hate"] or "最" in said.clause else _PLAIN
    return [Claim("preference", importance, f"likes {one}", negated=negated) for one in liked(what)]


def _abstains(said: Predicate) -> list[Claim]:
    match = _ABSTAINS.match(said.text)
    if match is None or re.match(r"肉\Z|荤|[早午晚]饭|饭|药|[下完到起得惯]|素\Z", match["what"]):
        return []
    return [Claim("preference", _INTENSE, f"likes {one}", negated=True) for one in liked(match["what"])]


def _gave_up(said: Predicate) -> list[Claim]:
    match = _GAVE_UP.match(said.text)
    if match is None or "戒指" in said.text or "了" not in said.clause:
        return []
    what = key(match["what"] or match["before"] or "")
    if not what or bool(match["what"]) == bool(match["before"]) or re.search(r"[想要不没打算得去心备警]", said.text):
        return []
    return [Claim("preference", _PLAIN, f"likes {what}", negated=True)]


def _indulges(said: Predicate) -> list[Claim]:
    """Smoking and drinking, which others give up."""
    match = _INDULGES.match(said.text) if not said.is_carried else None
    return [Claim("preference", _PLAIN, f"likes {match['what']}")] if match else []


def _interest(said: Predicate) -> list[Claim]:
    match = _INTEREST.match(said.text)
    if match is None:
        return []
    return [Claim("preference", _PLAIN, f"likes {one}", negated=bool(match["not"])) for one in liked(match["what"])]


def _favourite(said: Predicate) -> list[Claim]:
    match = _FAVOURITE.match(_with_adverbs(said))
    value = thing(match["value"]) if match else None
    if match is None or value is None or thing(match["what"]) is None:
        return []
    return [Claim("preference", _INTENSE, f"favourite {key(match['what'])}", value)]


def _hobby(said: Predicate) -> list[Claim]:
    match = _HOBBY.match(said.text)
    return [Claim("preference", _PLAIN, f"likes {one}") for one in liked(match["what"])] if match else []


def _prefers(said: Predicate) -> list[Claim]:
    match = _PREFERS.search(said.clause) if re.search(r"更(?:加)?(?:喜欢|爱|偏好|倾向于)", said.clause) else None
    if match is None or not re.match(r"(?:更|比起|相比|喜欢|爱|偏好|倾向|宁)", _with_adverbs(said)):
        return []
    return [Claim("preference", _PLAIN)] if thing(match["what"]) else []


def _with_adverbs(said: Predicate) -> str:
    """The predicate with the 最 or 更 that the adverbs took from it."""
    taken = said.clause.find(said.text)
    start = taken - 1 if taken > 0 and said.clause[taken - 1] in "最更" else taken
    return said.clause[start:].rstrip() if taken >= 0 else said.text
