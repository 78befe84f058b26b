"""What is agreed for the time to come: how to answer, how to call somebody, what comes before what, in Chinese."""

from __future__ import annotations

import re

from agent_memory.extraction.rules_zh.claim import Claim, Predicate
from agent_memory.extraction.rules_zh.folding import key

_FROM_NOW = (
    "(?:以后|今后|往后|从今以后|从此以后|从现在起|从现在开始|从今天起|从今天开始|从今往后|从下次开始|接下来都?|之后都?)"
)
_YOU = (
    "(?:请|麻烦|拜托|希望|你|您|你们|大家|我们|咱们|都|就|也|可以"
    "|要|得|应|务必|必须|一律|统一|始终|一直|总是|永远|记得|只|每次"
    "|每次都|直接|尽量|先| |,)"
)
_CALL = re.compile(
    rf"(?:{_FROM_NOW}|{_YOU})*(?:叫|称呼|喊)我(?:为|做)?(?P<name>[^,的了不这那我你他她它过来去什]{{1,12}}?)"
    rf"(?:就行|就好|就可以|即可|好|就成)?(?:了|吧)?\Z"
)
_REPLY = re.compile(
    rf"(?P<lead>(?:{_FROM_NOW}|{_YOU})*)用(?P<language>(?:简体|繁体"
    rf"|美式|英式)?(?:中文|汉语|普通话|英文|英语|日语|日文|法语|德语"
    rf"|韩语|西班牙语|粤语|俄语|葡萄牙语|意大利语))"
    r"(?:来|跟|和|与|给)?(?:我们?)?(?:回答|回[复覆]|答复|回我|交流"
    r"|沟通|对话|聊天|聊|说|写|作答|输出)?(?:我们?)?(?:吧|就行|就好)?\Z"
)
_STANDING = re.compile(rf"{_FROM_NOW}|都|始终|一直|总是|一律|统一|永远|每次")
_TALK = re.compile(r"交流|沟通|对话|聊")
_RULE = re.compile(
    rf"{_FROM_NOW},?(?:{_YOU})*(?P<do>(?:用|别|不要|不用|无需|不必"
    rf"|不准|不能再?|先|在.{{1,12}}[前后时]|给我|把|保持|回答|回[复覆]"
    rf"|写|使用|按照?|以|发(?!生|现|展|觉)|提交|称呼|改用|每|输出|生成|提醒|遇到"
    rf"|避免|禁止|只).{{2,40}})\Z"
)
_ASKED = re.compile(
    r"(?:请|麻烦)(?:你|您)?(?P<how>(?:不要|别|勿)再?(?=用|发|给我"
    r"|打|叫|称呼|在|回[复覆]|推荐|使用|加|写|改|动|删|直接|推送"
    r"|把|透露|安排|联系我|自动|随意|擅自)|务必|(?:始终|一直|总是"
    r"|永远|每次都?)(?=用|使用|以|按|先|把|在|保持|给|回答|回[复覆]"
    r"|叫|称呼|写|跟|与|和|附|加)|一律|统一|尽量不要|尽量|避免)(?P<do>.{2,40})\Z"
)
_FORBIDDEN = re.compile(
    r"(?:别|不要)再?(?P<do>(?:用|叫我|给我(?:发|打)|加(?=注释|表情"
    r"|班)|使用|推送|打我?电话|在.{1,14}(?:给|发|打|用|推|提交|部署)"
    r"|回[复覆]|称呼).{1,30})\Z"
)
_ALWAYS = re.compile(
    r"(?:永远|始终|每次(?:都)?|一律|统一)(?:要|都|请|先)*(?P<do>(?:用"
    r"|使用|先|按|不要|别|在|以|回答|回[复覆]|写|跑|提交|加|检查"
    r"|备份).{2,40})\Z"
)
_WORK = (
    "部署|上线|发布|提交(?:代码)?|合并(?:代码)?|推送|修改|改代码"
    "|改动|重启|发版|删除|迁移|回[复覆]|发邮件|发送|下单|付款|升级"
    "|测试|打电话|写代码|动手|编码|开会|交付|打包|提测|push|commit"
    "|merge|deploy|"
    "评审|封板|release|备份|执行|运行"
)
_BEFORE = re.compile(
    rf"(?:我们|咱们|大家)?(?:每次)?(?:在)?(?P<what>[^,我你他她不了]{{0,10}}?(?:{_WORK})[^,我你他她不了]{{0,6}}?"
    rf")(?P<when>之?前|之?后|以前|以后|的时候|时)(?:都|请|就|一律"
    rf"|务必|一定|必须|得|要|需要|应该?|先|记得)+(?P<do>.{{2,40}})\Z",
    re.IGNORECASE,
)
_FLOW = re.compile(
    r"(?:(?:我们的)?[^,我你他她的]{2,10}(?:流程|步骤)|我们的[^,我你他她的]{0,8}(?:规范"
    r"|约定|规则))(?:是|为|:)[^这那什样吗很太一].{2,60}(?<!的)\Z"
)
_AGREED = re.compile(r"(?:我们|咱们)(?:都|已经)?(?:约定|约好|说好|商定|规定)(?:好|了)?,?(?P<do>[^的去].{3,40})\Z")
_COMFORT = re.compile(
    r"担心|客气|难过|哭|怕|急|生气|忘|放弃|介意|开玩笑|闹|见怪|打扰|误会|灰心|[这那它他她]|再说|再聊|联系\Z|一下\Z|看看"
)


def found(said: Predicate) -> list[Claim]:
    """The agreement that a clause makes; it is read whole, for it is about the hearer."""
    clause = re.sub(r"\A\s*(?:那|好的?|对了|还有|另外|嗯)?[,\s]*", "", said.clause)
    clause = re.sub(r"[。!.\s~啦哦喔啊呀]+\Z", "", clause)
    if call := _CALL.match(clause):
        return _called(call, said)
    if reply := _REPLY.match(clause):
        is_standing = _STANDING.search(reply["lead"]) or _TALK.search(clause)
        is_ours = re.search(r"我(?!们)", reply["lead"]) is None
        return [Claim("agreement", 9, "reply language", key(reply["language"]))] if is_standing and is_ours else []
    for rule in (_RULE, _ASKED, _FORBIDDEN, _ALWAYS, _BEFORE, _FLOW, _AGREED):
        match = rule.match(clause)
        if match and not _COMFORT.search(clause) and said.who != "kin":
            return [Claim("agreement", 7)]
    return []


def _called(match: re.Match[str], said: Predicate) -> list[Claim]:
    """叫我小王, but not 他们叫我小王 or 叫我起床."""
    name = key(match["name"])
    is_order = re.match(r"起床|帮忙|吃|去|来|过|怎|一声|早|加班", name) is None
    if not is_order or said.who in ("kin", "name") or said.kinds & {"past", "former"}:
        return []
    return [Claim("agreement", 9, "form of address", name)]
