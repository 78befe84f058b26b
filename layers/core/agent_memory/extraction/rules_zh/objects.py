"""The objects of Chinese predicates: which ones name a thing that can be kept, and the single things of a list."""

from __future__ import annotations

import re

from agent_memory.extraction.rules_zh.folding import key

_LONGEST = 30
_BARE_VERB = frozenset("做看听用玩去来吃喝穿说买读写学想")
_POINTS_ELSEWHERE = re.compile(
    r"(?<![\s》A-Za-z])这|这(?!样的|类|种)|(?<![吉其])他|[那它她你您妳]|照片|图片|[图画]里|[书文剧片歌]中|里面的"
    r"|作者|太过|的(?:也|都|用不|不)|让[人我]|第.{1,2}\Z|咱|自己\Z|\A一个人\Z|我(?!们?的)|人家|什么"
    r"|东西\Z|一切\Z|一样\Z|如此|某|其(?!他|实|中)|前者|后者|彼此"
    r"|\A(?:上(?!海)|到|过|得|的|个|着|死(?!海)|者|极\Z)"
    r"|(?<!不)是不|不是|并不|没有|还是|的时候|的(?:原因|理由)|\A(?:就"
    r"|都|也|很|最|太|更|在于)|怎|为什|\Z(?<=和)|、\Z|归|但|所以"
    r"|因为|一下\Z"
)
_IDIOM = re.compile(r"莫能助|憎分明|屋及乌|不释手|理不理|答不理|面子\Z|慕虚荣|极生悲|新厌旧|得不行|不得了|得要命|咋咋")
_VERB = re.compile(r"(?:吃|喝|看|听|玩|用|抽|穿)(?=[^\s了过着的])")
_WHOLE = re.compile(
    r"(?:吃(?:货|力|醋|亏|素|苦|播)|喝彩|看(?:法|病|护|台|书)|听(?:力"
    r"|觉|众|课)|玩(?:具|偶|伴|笑)|用(?:户|品|力|心)|抽(?:奖|屉|象)"
    r"|穿(?:越|搭|孔))"
)
_LIST = re.compile(r"(?<!温|随|暖|总|共|平|柔)(?:和|跟|与|以及|还有|、)(?!平|谐|服|睦|蔼|解|踪|进)")
_DOES = re.compile(r"[在到画打弹学做写读拍养种骑逛去跟陪带收拉吹穿用玩]")
_LONGEST_PART = 8
_MOST_PARTS = 5


def thing(text: str) -> str | None:
    """The normalised object, or None where it is no thing: a pronoun, a question, an idiom, a whole story."""
    if not text or len(text) > _LONGEST or _POINTS_ELSEWHERE.search(text) or _IDIOM.search(text):
        return None
    found = key(text)
    if found in _BARE_VERB:
        return None
    return found if found and any(character.isalnum() for character in found) else None


def liked(text: str) -> list[str]:
    """What is liked, each without 吃, 喝, 看 and the like: 吃香菜和芹菜 is 香菜, 芹菜. Empty where it is no thing."""
    if thing(text) is None:
        return []
    parts = _LIST.split(text)
    if not _is_list(text, parts):
        parts = [text]
    found = [found for part in parts if (found := thing(_without_verb(part.strip())))]
    return list(dict.fromkeys(found)) if len(found) == len(parts) else []


def _is_list(text: str, parts: list[str]) -> bool:
    if not 1 < len(parts) <= _MOST_PARTS or "的" in text or "一起" in text:
        return False
    if _DOES.match(parts[0]) and not any(_DOES.match(part.strip()) for part in parts[1:]):
        return False  # 画风景和静物 is one thing to do
    return all(0 < len(part.strip()) <= _LONGEST_PART for part in parts)


def _without_verb(text: str) -> str:
    match = _VERB.match(text)
    if match is None or _WHOLE.match(text):
        return text
    return text[match.end() :]
