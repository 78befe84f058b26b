"""What somebody plans, is at, has done or called off, in Chinese."""

from __future__ import annotations

import re

from agent_memory.extraction.facts import State
from agent_memory.extraction.rules_zh.claim import Claim, Predicate
from agent_memory.extraction.rules_zh.folding import key
from agent_memory.extraction.rules_zh.objects import thing
from agent_memory.extraction.rules_zh.times import has_time, without_time

_PLANS = re.compile(
    r"(?P<not>不再|不|没有?|并不)?(?:打算|准备|计划|决定|决心|下定决心)(?:要|将|会)?(?P<what>[^好].*)\Z"
)
_MUST = re.compile(r"(?P<not>不)?(?:要|得|需要|必须|必需|须要|将要?|会|约了|约好了?|预约了)(?P<what>.+)\Z")
_REMIND = re.compile(
    r"(?:请|麻烦|拜托)?(?:你|您)?(?:一定)?(?:要)?(?:记得|别忘了|不要忘了"
    r"|记住要?|到时候|设个闹钟)?(?P<when>(?:[^,我你您他她它]{1,10}(?:[天周月日号点半分午上前后会儿]))??)提醒"
    r"(?:我们?|一下我|下我)(?:一下|一声)?(?:要)?(?P<what>[^这那一了声].{1,40})\Z"
)
_VERBS = (
    "交|提交|还|付|缴|买|订|寄|取|办|修|写|做|完成|搞定|处理|更新"
    "|整理|发|上传|下载|报|报名|预约|预订|申请|退|续|续签|签|搬|换"
    "|洗|审|审核|改|测试|部署|发布|上线|合并|迁移|备份|翻译|打印"
)
_ERRANDS = "提交|交|还|付|缴|订|寄|取|办|报名|预约|预订|申请|退|续|签|搬|审核|部署|发布|上线|备份|修(?!改)"
_NEEDS = re.compile(rf"(?:要去|还?(?:需要|必须|得)去?)(?P<what>(?:{_ERRANDS})[^了过着的]{{1,16}})\Z")
_GO = re.compile(rf"去(?=(?:{_VERBS})[^\s])")
_ABANDONED = re.compile(r"(?:已经)?(?:放弃|停止)了?(?P<what>(?:学|写|准备|备考|减肥|找|装修|考|做|申请|练).{0,14})\Z")
_DO_NOW = re.compile(
    r"(?:正在|正|在)(?P<what>(?:学|写|准备(?!好)|了解|做|开发|排查"
    r"|修|申请|找(?:工作|房|实习)|筹备|备考|装修|研究|处理|整理|翻译"
    r"|重构|迁移|练习?|读(?=.*[书》])|减肥|戒|攒钱|调试|测试|部署"
    r"|设计|搭|办理|编|策划|组织|复习|撰写|优化|升级|实现|创作|录"
    r"|制作)[^着].{0,30}|减肥|备考|装修|找工作)\Z"
)
_FINISHED = re.compile(
    rf"(?:把(?P<object>.{{1,16}}?))?(?:都|也)?(?P<verb>{_VERBS})(?:完"
    rf"|好|掉|上去|出去|过)?(?:了)?(?P<what>(?!到)[^了过着完好掉]{{1,20}})?\Z"
)
_TOPIC = re.compile(
    rf"(?P<object>[^,我你他她它把在是有]{{1,14}}?)(?:我|我们)?(?:都"
    rf"|也)?(?:已经|早就|终于|总算|早已)(?:都|全)?(?P<verb>{_VERBS})(?:完"
    rf"|好|掉|上去|出去|过)?\Z"
)
_CANCELS = re.compile(
    r"(?:把)?(?P<object>[^,我你他她取]{1,16}?)?(?:已经|被|都|也|临时)*(?:给)?取消(?:掉)?(?:了)?"
    r"(?P<what>[^了,]{1,20})?\Z"
)
_MEETING = re.compile(
    r"(?:会|会议|聚餐|聚会|约会|预约|面试|行程|旅行|之旅|航班|计划"
    r"|活动|课|考试|出差|体检|婚礼|派对|晚餐|晚饭|培训|演出|比赛"
    r"|演唱会|露营|旅游)\Z"
)
_NO_MORE = re.compile(r"不(?P<what>[去交买参报办][^,吃喝了成起动到得掉明太好].{0,14})\Z")
_ACTION = re.compile(
    r"(?:去|学|交|提交|写|买|搬|参加|开|考|还|付|缴|面试|体检|出差"
    r"|飞|取|见|签|办|回|带|和|跟|陪|做|完成|准备|接|送|约|看|给"
    r"|把|换|申请|跑|旅|旅行|结婚|辞|复查|复诊|手术|答辩|述职|报"
    r"|寄|拿|修|洗|打|发|上|参|训|拜访|值班|加班|搭|去见|在|到)"
)
_DUE = re.compile(
    r"(?:交|提交|还|付|缴|面试|考试|体检|出差|答辩|述职|搬家|复查|复诊|手术|开会|值班|上台|报到).{0,16}\Z"
)
_VAGUE = re.compile(
    r"\A.\d+\Z|[()]|时(?!间|装|尚|差)|过程|(?<![吉其])他|[她你您它]|[这那](?!个?[周月])"
    r"|一下\Z|睡|走了\Z|怎|什么|竟|居然|还在|到了|次\Z|尽力|加油|继续|努力|更好|先\Z|好好"
    r"|开始\Z|尝试|回来|说|告诉|问|想|知道|看看\Z|我\Z|就\Z|[几一两]\w\Z"
    r"|面对|成为|一直|相信|记得|永远|越来越|很|不|没"
)
_DONE_ADVERB = re.compile(r"已经|终于|总算|早就|早已")


def found(said: Predicate) -> list[Claim]:
    """The plan or task that a predicate tells of."""
    if "former" in said.kinds:
        return []
    if reminded := _REMIND.match(said.text):
        is_asked = re.search("[它他她这那]", said.clause.partition("提醒")[0]) is None
        return _task(reminded["what"], "planned") if is_asked and said.who not in ("kin", "name") else []
    for rule in (_planned, _doing, _done, _cancelled):
        if claims := rule(said):
            return claims
    return []


def _planned(said: Predicate) -> list[Claim]:
    is_timed = bool(said.kinds & {"future"}) or has_time(said.text)
    if said.who is None:
        return _task(said.text, "planned") if "future" in said.kinds and _DUE.match(said.text) else []
    if said.who not in ("speaker", "kin") or "past" in said.kinds:
        return []
    if match := _PLANS.match(said.text):
        return _task(match["what"], "cancelled" if match["not"] else "planned", negated=bool(match["not"]))
    if "了" in said.text[1:-1] and not said.text.startswith("约"):
        return []
    must = _MUST.match(said.text)
    if must and (is_timed or "near" in said.kinds) and not must["not"]:
        what = without_time(must["what"])
        return _task(what, "planned") if _ACTION.match(what) else []
    needs = _NEEDS.match(said.text)
    is_bare = "future" in said.kinds and _ACTION.match(said.text) and said.who == "speaker"
    what = needs["what"] if needs else said.text if is_bare else ""
    return _task(what, "planned") if what else []


def _doing(said: Predicate) -> list[Claim]:
    match = _DO_NOW.match(said.text)
    if match is None or said.who not in ("speaker", "kin") or said.kinds & {"past", "future"}:
        return []
    return _task(match["what"], "doing")


def _done(said: Predicate) -> list[Claim]:
    if said.who not in ("speaker", None) or said.kinds & {"past", "future"} or "了" not in said.clause:
        return []
    topic = _TOPIC.match(said.text)
    if topic and not re.search(r"的\Z|[之以]前\Z|[后时]\Z|不|没|\A.\Z", topic["object"]):
        return _task(topic["verb"] + topic["object"], "done")
    match = _FINISHED.match(said.text)
    if match is None or said.who is None or not (match["object"] or "already" in said.kinds):
        return []
    if bool(match["object"]) == bool(match["what"]):
        return []
    return _task(match["verb"] + (match["object"] or match["what"]), "done")


def _cancelled(said: Predicate) -> list[Claim]:
    if said.who not in ("speaker", None) or "了" not in said.clause:
        return []
    if said.who == "speaker" and (abandoned := _ABANDONED.match(said.text)):
        return _task(abandoned["what"], "cancelled")
    match = _CANCELS.match(said.text.removeprefix("的"))
    if match and bool(match["object"]) != bool(match["what"]):
        if said.who is None and not (match["object"] and _MEETING.search(match["object"].strip())):
            return []
        what = re.sub(r"的(?:计划|打算|安排|预约|行程)\Z", "", (match["object"] or match["what"]).strip())
        what = without_time(what).removeprefix("的")
        return _task(what, "cancelled")
    dropped = (
        _NO_MORE.match(said.text) if said.who == "speaker" and said.clause.rstrip("。!. ").endswith("了") else None
    )
    return _task(dropped["what"], "cancelled", negated=True) if dropped else []


def _task(what: str, state: State, *, negated: bool = False) -> list[Claim]:
    action = without_time(what.strip())
    action = action[1:] if _GO.match(action) else action
    if len(action) < 2 or _VAGUE.search(action) or thing(action) is None:  # noqa: PLR2004
        return []
    return [Claim("task", 6 if state in ("planned", "doing") else 5, f"task {key(action)}", None, negated, state)]
