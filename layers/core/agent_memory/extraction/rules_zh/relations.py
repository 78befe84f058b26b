"""Who is who to the speaker, in Chinese."""

from __future__ import annotations

import re

from agent_memory.dates_in_text.numerals_zh import number
from agent_memory.extraction.rules_zh.claim import Claim, Predicate
from agent_memory.extraction.rules_zh.folding import key
from agent_memory.extraction.rules_zh.subjects import KIN, NAME, is_name

_SPOUSE = re.compile(r"老公|老婆|丈夫|妻子|太太|先生|爱人")
_IS_MINE = re.compile(
    rf"(?P<not>已经不再|已经不|不再|不)?是我们?的?(?:最好的|大学|高中"
    rf"|初中|小学|前|亲|好|新|顶头|隔壁)*(?P<kin>{KIN}|表亲|恩师|偶像"
    rf"|粉丝|学生|徒弟|下属)\Z"
)
_CALLED = re.compile(rf"(?:的名字)?(?:叫做?|名叫)\s*(?P<name>{NAME}|[\u4e00-\u9fff]{{2,3}})\Z")
_IS_NAME = re.compile(rf"是(?P<name>{NAME})\Z")
_HAS = re.compile(
    rf"(?P<not>还没有?|没有?)?有?(?:一|1|两|二|三|2|3|几)?(?:个|位)?(?P<kin>{KIN}"
    rf"|双胞胎|兄弟姐妹|兄弟|姐妹)(?:叫(?P<name>{NAME}|[\u4e00-\u9fff]{{2,3}}))?\Z"
)
_WITH = re.compile(
    rf"(?:和|跟|与)(?P<name>{NAME})(?:是|做了.{{1,4}}年的?)(?:好|最好的"
    rf"|多年的?|大学|高中|老)*(?P<kin>{KIN}|夫妻|情侣|恋人|兄妹|姐弟"
    rf"|姐妹|兄弟|老乡)\Z"
)
_SPLIT = re.compile(
    rf"(?:和|跟|与)(?P<name>{NAME}|{KIN}|我?们?的?{KIN})(?:已经)?(?P<what>分手|离婚|结婚|订婚|绝交|复合|在一起)\Z"
)
_ROLES = {
    **dict.fromkeys(("老板", "上司", "领导", "经理", "主管"), "manager"),
    **dict.fromkeys(("男朋友", "女朋友", "男友", "女友", "对象", "未婚夫", "未婚妻"), "partner"),
    "房东": "landlord", "导师": "advisor",
}  # fmt: skip
_ROLE = re.compile("|".join(sorted(_ROLES, key=len, reverse=True)))
_BECAME = re.compile(rf"(?:已经|刚刚?)?(?:换成|变成|改为|换为)了?(?P<name>{NAME}|[\u4e00-\u9fff]{{2,3}})\Z")
_CHILDREN = re.compile(r"有(?P<count>\d|[一两三四五六])个?(?:孩子|小孩|娃)\Z")
_NO_NAME = re.compile(r"[我你他她它这那不醒来去人车]|什么|外卖")


def found(said: Predicate) -> list[Claim]:
    """The relation between the speaker and somebody."""
    if said.kinds & {"former", "future"}:
        return []
    if said.who == "name":
        match = _IS_MINE.match(said.text)
        return [_relation(match["kin"], "", negated=bool(match["not"]))] if match else []
    if said.who == "kin":
        match = _CALLED.match(said.text) or _IS_NAME.match(said.text) or _BECAME.match(said.text)
        return [_relation(said.clause, match["name"])] if match and _may_be_name(match["name"]) else []
    return _own(said.text) if said.who == "speaker" else []


def _own(text: str) -> list[Claim]:
    if children := _CHILDREN.match(text):
        return [Claim("relation", 7, "children", str(number(children["count"])))]
    if re.match(r"还没|没有?|有", text) and (has := _HAS.match(text)):
        return [Claim("relation", 7, negated=bool(has["not"]))]
    if together := _WITH.match(text) or _SPLIT.match(text):
        return [_together(together)]
    return []


def _together(found: re.Match[str]) -> Claim:
    """Who parts has had somebody: whom, if they are named."""
    what = found.groupdict().get("what")
    attribute = {"分手": "partner", "离婚": "spouse"}.get(what or "")
    value = key(found["name"]) if attribute and is_name(found["name"]) else None
    return Claim("relation", 8, attribute, value, negated=what in {"分手", "离婚", "绝交"})


def _relation(kin_text: str, name: str, *, negated: bool = False) -> Claim:
    attribute = _held_once(kin_text) if name else None
    return Claim("relation", 8, attribute, key(name) if attribute else None, negated=negated)


def _held_once(kin_text: str) -> str | None:
    """The attribute of those of whom people have one at a time; a new boss takes the place of the old one."""
    if _SPOUSE.search(kin_text):
        return "spouse"
    role = _ROLE.search(kin_text)
    return _ROLES[role[0]] if role else None


def _may_be_name(text: str) -> bool:
    return is_name(text) or not _NO_NAME.search(text)
