"""Open slots in Chinese: 我的X是V, 我把X改成V, X换成了V, 订单号是V."""

from __future__ import annotations

import re

from agent_memory.extraction.rules_zh.claim import Claim, Predicate
from agent_memory.extraction.rules_zh.folding import key
from agent_memory.extraction.rules_zh.objects import thing

_CHANGED = (
    "(?:(?:改|换|调|设|设置|调整|更改|更换|修改|更新|切换|变更|升级|迁移)(?:成|为|到|作)"
    "|(?:提高|降低|增加|减少|上调|下调|涨|升|降)(?:到|至|为))了?"
)
_NOW = "(?:现在|目前|这个?[周月]|本[周月]|今[天年]|还|就|已经|一直)*"
_IS = re.compile(
    rf"的(?P<slot>[^的是在,:]{{1,12}}?(?:的[^的是在,:]{{1,8}})?){_NOW}"
    r"(?:是|叫做?|为|:)\s*(?P<value>[^:].{0,40})\Z"
)
_SET = re.compile(
    rf"(?:已经)?(?:把|将)(?:我的?)?(?P<slot>[^,我你他她]{{1,14}}?)(?:从[^,]{{1,14}}?)?(?:给"
    rf"|都|也)?{_CHANGED}(?P<value>.{{1,30}})\Z"
)
_BECAME = re.compile(
    rf"(?P<mine>的)?(?P<slot>[^,我你他她的]{{1,14}}?)(?:已经|现在"
    rf"|刚|都|从[^,]{{1,14}}?)*{_CHANGED}(?P<value>.{{1,30}})\Z"
)
_NUMBERED = (
    "订单号|订单编号|快递单号|运单号|单号|收货地址|家庭住址|邮寄地址"
    "|手机号码?|电话号码|电话|手机|邮箱(?:地址)?|微信号?|qq号?|工号"
    "|学号|会员号|会员卡号|航班号?|车牌号?|房间号"
    "|门牌号|座位号|护照号码?|身份证号码?|银行卡号|账号|用户名|取件码"
    "|取货码|储物柜密码|wi-?fi密码|(?:[A-Za-z]{2,12} ?|(?:服务器|数据库|网站|应用|后台|代理)的?)?"
    "端口号?|预算"
    "|版本号?|ip地址?|域名|邮编|(?:门禁|储物柜|更衣柜|保险箱|开机|邮箱|电脑|手机)密码|号码|尺码|鞋码"
)
_BARE = re.compile(
    rf"(?:的)?(?:这个?[周月]的?|本[周月]的?|今天的?)?(?P<slot>新?(?:{_NUMBERED})){_NOW}"
    r"(?:是|为|:|在)\s*(?P<value>.{1,40})\Z",
    re.IGNORECASE,
)
_NO_SLOT = re.compile(
    r"[很都总全却还也将就]\Z|将|评|居然|竟|办法|方法|感想|心得|经验"
    r"|做法|要求|脑|意思|看法|观点|想法|感觉|问题|建议|印象|态度"
    r"|天哪|天\Z|妈呀|心里|目标|目的|愿望|梦想|心愿|希望|生活|人生"
    r"|经历|故事|世界|心情?\Z|责任|错\Z|荣幸|感受|体验|一部分|决定"
    r"|选择|理解|意见|回答|答案"
    r"|重点|优点|缺点|支柱|动力|骄傲|英雄|榜样|后盾|(?<!电)话|行为"
    r"|过去|未来|一切|时候|理由|原因|作品|画|照片|最爱|们\Z|[朋]友"
    r"|人\Z|孩子|家人|父|母|支持|力量|旅程|情况|方式|意图|那|这|哪"
    r"|脸|眼|头|手\Z|身体|爱\Z|猜|直觉|判断"
    r"|任务|问|声音|勇气|成长|路|不|没"
)
_NO_VALUE = re.compile(
    r"[\u4e00-\u9fff]不|没|\A(?:第|很|最|真|非常|太|特别|不|没|更|越|这|那|你|他|她|它|因为"
    r"|由于|为了|要|能|让|想|在|如|有|从|对|用来|去|一个(?:很|非常)"
    r"|比|被|当)|[呢吧]\Z|[你您]|了\Z|什么|怎|的\Z|多少|最|我|[就才]"
)
_ALIASES = {
    "名字": "name", "姓名": "name", "邮箱": "email", "邮箱地址": "email", "电子邮箱": "email", "email": "email",
    "电话": "phone", "号码": "phone", "电话号码": "phone", "手机": "phone", "手机号": "phone",
    "手机号码": "phone", "联系电话": "phone",
    "生日": "birthday", "年龄": "age", "职业": "job", "国籍": "nationality", "身高": "height", "体重": "weight",
    "血型": "blood type", "母语": "language", "专业": "major", "老家": "hometown", "家乡": "hometown", "学校": "school",
    "婚姻状况": "marital status",
}  # fmt: skip
_FEWEST_DIGITS = 5
_LONGEST_OPEN = 10


def found(said: Predicate) -> list[Claim]:
    """The slot that a predicate, or a clause without a subject, fills or changes."""
    if said.kinds & {"former", "future"} or said.who in ("unknown", "name"):
        return []
    match = _set(said) or _BARE.match(said.text)
    if match is None and (became := _BECAME.match(said.text)):
        match = became if became["mine"] or re.fullmatch(_NUMBERED, became["slot"], re.IGNORECASE) else None
    if match is None and said.who is not None and not said.is_carried:
        match = _IS.match(said.text)
    return _claim(match["slot"], match["value"]) if match else []


def _set(said: Predicate) -> re.Match[str] | None:
    """把X改成V: done by the speaker, or done at all; without either it tells somebody else to do it."""
    match = _SET.match(said.text)
    is_done = (said.who == "speaker" and not said.is_carried) or "了" in said.clause
    return match if is_done else None


def _claim(named: str, value_text: str) -> list[Claim]:
    slot, value = key(named), thing_or_code(value_text)
    if value is None or not slot or len(slot) > _LONGEST_OPEN or _NO_SLOT.search(slot) or _NO_VALUE.search(value_text):
        return []
    slot = slot.removeprefix("新")
    attribute = _ALIASES.get(slot, slot)
    if attribute == "phone" and sum(character.isdigit() for character in value) < _FEWEST_DIGITS:
        return [Claim("profile", 7, slot, value)] if slot == "手机" else []
    favourite = re.fullmatch(r"最(?:喜欢|爱)的(.+)", slot)
    if favourite:
        return [Claim("preference", 8, f"favourite {favourite[1]}", value)]
    return [Claim("profile", 8, attribute, value)]


def thing_or_code(text: str) -> str | None:
    """The normalised value of a slot; a code, number or address is one whatever it holds."""
    bare = text.strip()
    return key(bare) if re.fullmatch(r"[\w .+@:/#-]+", bare, re.ASCII) else thing(bare)
