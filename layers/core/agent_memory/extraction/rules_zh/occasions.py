"""When things are due and what takes their place, in Chinese: 周会在周一, 周会改到周二了."""

from __future__ import annotations

import re

from agent_memory.extraction.rules_zh.claim import Claim, Predicate
from agent_memory.extraction.rules_zh.folding import key
from agent_memory.extraction.rules_zh.times import has_time

_OCCASION = (
    "(?:[周例晨早晚月年班站]|部门|项目|评审|家长|股东|同学|发布|讨论|总结|碰头|启动|复盘|座谈|研讨|演唱|音乐|运动)会"
    "|会议|预约|面试|考试|航班|截止(?:日期|时间)|交稿日期|婚礼|体检|手术|聚餐|约会|培训|演出|比赛|答辩|家教课?|上线日期"
    "|发布日期|复查|签约|发车时间|出发时间"
)
_SLOT = rf"(?:的)?(?P<slot>[^,我你您他她它的是在改会]{{0,8}}?(?:{_OCCASION}))(?:的?(?:时间|日期))?"
_NOW = "(?:已经|被|临时|又|现在|刚刚?|就)*"
_IS = re.compile(rf"{_SLOT}{_NOW}(?:安排|定)?(?:是在?|在|于)(?P<when>.{{2,18}}?)(?:举行|开始|召开|出发|起飞|进行)?\Z")
_MOVED = re.compile(
    rf"{_SLOT}{_NOW}(?:从.{{2,14}}?)?(?:改期?|改签|换|调整?|推迟|提前|延期|延后|延长?|顺延|挪|移)"
    r"(?:到|至|在|成|为)了?(?P<when>.{2,18})\Z"
)

_ONLY_WHEN = re.compile(
    r"[\d一二两三四五六七八九十半几点钟分周星期礼拜天日月号年上下午早晚中清晨凌傍夜里今明后大本个这末底初:/. -]+"
)


def found(said: Predicate) -> list[Claim]:
    """The time of an occasion of the speaker's, or of one that nobody is named for."""
    if said.who not in ("speaker", None) or said.kinds & {"former", "past"}:
        return []
    match = _MOVED.match(said.text) or _IS.match(said.text)
    if match is None or not has_time(match["when"]) or not _ONLY_WHEN.fullmatch(match["when"]):
        return []
    return [Claim("fact", 6, key(match["slot"]), key(match["when"]))]
