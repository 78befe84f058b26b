"""What happened to somebody, in Chinese: with 了 or 过 and a time, or a thing that is done once."""

from __future__ import annotations

import re

from agent_memory.extraction.rules_zh.claim import Claim, Predicate
from agent_memory.extraction.rules_zh.times import without_time

_HAPPENED = re.compile(r".{1,12}?(?:了|过(?!敏|期|去|来|程|年|节|于)|完(?!全|美)|到(?=[^底处]))")
_ONCE = re.compile(
    r"(?:领养|收养|生|考上|考过|考到|通过|拿到|拿下|赢得|赢|获得"
    r"|荣获|加入|创办|成立|创立|出版|发表|中|录取|做完|跑完|完成"
    r"|买|养|报名|参加|搬进|换|拔|摔断|骨折|确诊|升职|毕业|搬家|出院"
    r"|住院"
    r"|订婚|入职|流产|当上|学会|攒够|签|卖|报|考)(?:了|到了|完了)(?P<what>[^的].{1,40})\Z"
    r"|(?:考上|当上|学会|拿到|通过|加入|领养|赢得|获得|买到)[^了的到]{2,20}\Z"
    r"|(?:刚|终于|已经)?(?:毕业|搬家|升职|出院|住院|入职|换工作|换了工作|脱单|当爸爸|当妈妈|骨折)\Z"
)
_COUNTED = re.compile(
    r"(?:做|画|写|遇到|认识|申请|种|买|卖|装|修|拍|看|读|跑|爬|丢"
    r"|收到|找到|录|织|烤|参观|办|举办|组织|换|打|订|约|租|见|丢"
    r"|摔坏|弄丢|退|借|捐|送|搬)(?:完|掉)?了"
    r"(?:一|两|三|四|五|六|七|八|九|十|半|几|\d|人生第一|第一|好几)(?!下"
    r"|次|趟|分|天|会|阵|眼|点|些|声|口|把|番|遍|直|起|样).{2,30}\Z"
)
_WENT = re.compile(r"(?:去|回(?!想|忆|头)|参加|(?:带|和|跟|陪)[^,]{1,10}去|从.{1,10}回|搬)")
_THOUGHT = re.compile(
    r"\A(?:想|非|要|能|可|只|发现|[看见听问][他她它你]|觉得|感到"
    r"|感觉|知道|喜欢|爱|认为|以为|说|听|忘|变得|有点|很|好|太|一直"
    r"|明白|意识|担心|希望|开心|高兴|没想|看起来|懂|相信|决定|打算"
    r"|准备|计划|差点|记得|意识到)"
)
_VAGUE = re.compile(
    r"[让使](?:我|人)|提醒|的\Z|\A(?:[^,]{0,3}到|[^,]{1,4}[了过])的"
    r"|[他她它这那你您](?:了|过)?\Z|什么|一下\Z|(?:了|过)(?:你|您"
    r"|它|这个|那个|这|那)|的时候\Z|时\Z|[之以]?[前后]\Z|好久|发生"
    r"|还是|居然|竟然|就"
)
_NOT = re.compile(r"(?:没有?|未|不)")


def found(said: Predicate) -> list[Claim]:
    """The event that a predicate tells of."""
    if said.who not in ("speaker", "kin") or said.is_carried or "future" in said.kinds:
        return []
    text = without_time(said.text)
    if _VAGUE.search(text) or _THOUGHT.match(text):
        return []
    is_past = bool(said.kinds & {"past"}) or (
        bool(said.kinds & {"near", "former"}) and _HAPPENED.match(text) is not None
    )
    is_told = (_HAPPENED.match(text + _ending(said)) is not None and len(text) > 1) or (
        "past" in said.kinds and _WENT.match(text) is not None and len(text) > 2  # noqa: PLR2004
    )
    if _NOT.match(text) and "past" not in said.kinds:
        return []
    if is_past and is_told:
        return _event(text)
    return _event(text) if (_ONCE.match(text) or _COUNTED.match(text)) and "了" in said.clause else []


def _ending(said: Predicate) -> str:
    return "了" if said.clause.rstrip("。!. ~").endswith("了") else ""


def _event(text: str) -> list[Claim]:
    negated = _NOT.match(text) is not None
    if not negated and re.search(r"没|不(?!错|同|少|久|止)", text):
        return []
    return [Claim("event", 5, negated=negated)]
