"""Who somebody is: name, age, body, health, family state, pets and habits, in Chinese."""

from __future__ import annotations

import re

from agent_memory.dates_in_text.numerals_zh import number
from agent_memory.extraction.rules_zh.claim import Claim, Predicate
from agent_memory.extraction.rules_zh.folding import key
from agent_memory.extraction.rules_zh.objects import liked, thing
from agent_memory.extraction.rules_zh.subjects import is_name

_NAME = re.compile(
    r"(?:的?(?:(?:中文|英文|本|真|大)?名字?|全名|姓名)(?:是|叫做?)|名叫|叫做?)(?P<name>[^\s,的了].{0,24}?)(?=今年|\Z)"
)
_SURNAME = re.compile(r"(?:的)?姓(?:氏是)?(?P<name>[\u4e00-\u9fff]{1,2})(?:(?:名|叫).{1,3})?\Z")
_AGE = re.compile(r"(?:的?年龄是|年纪是|是)?(?:满)?(?P<age>\d{1,3}|[一二三四五六七八九十]{1,3})(?:周)?岁(?:半|多)?\Z")
_BIRTHDAY = re.compile(
    r"(?:的)?(?:生日(?:就)?(?:是|在)|出生于|生于)(?:每年)?(?P<day>(?:(?:公历"
    r"|农历|阴历|阳历)?(?:\d{4}年)?[\d一二三四五六七八九十正冬腊]{1,3}月[\d一二三四五六七八九十初廿]{1,3}"
    r"[日号]?|\d{4}年))(?:出生|生)?的?\Z"
    r"|(?P<also>\d{4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?)出?生的?\Z"
)
_ALLERGY = re.compile(
    r"(?P<early>不再|已经不|不)?对(?P<what>.{1,16}?)(?:会|严重|有点"
    r"|有些|轻微|重度|非常|很|特别|都|是|一直|从小|天生)*(?P<not>不再"
    r"|已经不|不|没有?)?(?:会|那么)?过敏(?:的|反应)?\Z"
    r"|(?:有|是)?(?P<also>[^有是不没对会皮药在,]{1,6})(?:严重)?过敏\Z"
)
_ILL = re.compile(
    r"(?:有|得了|患有|患了?|患上了?|被(?:医生)?(?:诊断|确诊)(?:出"
    r"|为|了)?(?:患?有)?|查出了?|确诊了?)(?:一?点|轻度|重度|轻微的?"
    r"|严重的?|先天性?|慢性)*"
    r"(?P<what>[^的了这那你我想没不]{0,8}(?:病|症|炎|癌|高血压|低血压"
    r"|高血糖|哮喘|鼻炎|不耐受|抑郁|焦虑|近视|散光|色盲|色弱|痛风"
    r"|贫血|糖尿病|结石|过敏|甲亢|甲减))\Z"
)
_TRAIT = re.compile(
    r"(?:是|有|会)?(?:一?个)?(?P<what>恐高(?:症)?|晕[车船机]|色盲"
    r"|色弱|左撇子|怀孕(?:了?.{1,3}个月|.{1,3}周)?|近视|社恐|失眠症"
    r"|乳糖不耐受?|轮椅使用者|聋哑人|盲人)(?:的)?\Z"
)
_FEARS = re.compile(r"(?:害)?怕(?P<what>狗|猫|蛇|蜘蛛|虫子?|老鼠|黑|高|水|打雷|打针|鬼|冷|热|辣|血|坐飞机|蟑螂|吵)\Z")
_DIET = re.compile(
    r"(?P<not>不再|已经不|不|没)?(?:是|坚持|开始|一直|改)*(?:一?[个名位])?(?P<what>纯?素食"
    r"(?:主义)?者|吃(?:全|纯|奶蛋)?素|素食|不吃肉|不吃荤|吃清真|纯素"
    r"|生酮饮食)(?:的)?\Z"
)
_EATS_MEAT = re.compile(r"(?:又|重新)*开始(?:又|重新)*吃[肉荤]\Z")
_MARITAL = re.compile(
    r"(?P<not>不再是?|已经不是?|不是|没有|没|还没(?:有)?|尚未)?(?:是"
    r"|恢复)?(?P<what>已婚|结婚|离婚|离异|单身|未婚|丧偶|订婚|再婚)(?:的"
    r"|状态|人士|狗|[^,]{0,2}?[\d一二两三四五六七八九十多]{1,3}年多?)?\Z"
)
_BODY = re.compile(
    r"(?:的)?(?P<what>身高|体重)(?:是|有|大概|约)?(?P<value>[\d.]{1,6} ?(?:cm"
    r"|厘米|公分|米|m|kg|公斤|斤|千克)?\d{0,2}|一米[一二三四五六七八九零\d]{1,2})\Z",
    re.IGNORECASE,
)
_BLOOD = re.compile(r"(?:的)?(?:血型)?(?:是)?(?P<value>AB|[ABO])型?(?:血)?(?:rh[阴阳]性)?\Z", re.IGNORECASE)
_ZODIAC = re.compile(
    r"(?:属(?P<animal>[鼠牛虎兔龙蛇马羊猴鸡狗猪])|是(?P<sign>[白金双巨狮处天射摩水][羊牛子蟹女秤蝎手羯瓶鱼]座?"
    r"))(?:的)?\Z"
)
_PET = re.compile(
    r"(?:家里?)?(?:还)?(?:养|领养)(?:了|着|有)?(?P<what>[一二两三四五六几\d]+(?:只|条|头|匹|缸|窝|群|个).{1,14})\Z"
)
_CAR = re.compile(
    r"(?:平时)?开(?:的是|着)?(?:一)?(?:辆|台)(?P<what>[^这那]{2,16})\Z|开的(?:车)?是(?P<also>[^这那]{2,16})\Z"
)
_SPEAKS = re.compile(r"(?:的)?母语是(?P<what>.{2,8})\Z")
_HABIT = re.compile(
    r"(?:每(?:隔|到)?(?:个|一|两|三|半|逢)?(?:[天周月年晚早日]|星期"
    r"|礼拜|季度|周末|工作日|小时)都?|(?:有|的)?习惯(?:是|于)?(?=[早晚睡先喝吃用在每饭]))(?P<rest>.{3,50})\Z"
)
_FEELING = re.compile(r"很|非常|特别开心|感到|觉得|过得|想(?:你|着)|期待|忙|累|感谢|开心|快乐|要疯|都是")
_NO_NAME = re.compile(r"[他她你我它这那不]|外卖|人|车|服务|救|醒|停|出|号|过|起来")


def found(said: Predicate) -> list[Claim]:
    """What a predicate tells of the person, beside work and home."""
    if not said.is_personal or said.kinds & {"former", "future"}:
        return []
    for rule in (_named, _numbers, _health, _family, _belongings, _habit):
        if claims := rule(said):
            return claims
    return []


def _named(said: Predicate) -> list[Claim]:
    surname = _SURNAME.match(said.text)
    match = _NAME.match(said.text)
    if match is None:
        return [Claim("profile", 9, "surname", key(surname["name"]))] if surname else []
    name = match["name"].strip()
    is_said_so = "名" in said.text[: match.start("name")]
    if _NO_NAME.search(name) or not (is_said_so or is_name(name) or (len(name) == 2 and name[0] == name[1])):  # noqa: PLR2004
        return []
    attribute = "english name" if "英文" in said.text[: match.start("name")] else "name"
    return [Claim("profile", 10, attribute, key(name))]


def _numbers(said: Predicate) -> list[Claim]:
    age = _AGE.match(said.text)
    if age and not {"past", "former"} & said.kinds:
        years = number(age["age"])
        return [Claim("profile", 8, "age", str(years))] if years else []
    if born := _BIRTHDAY.match(said.text):
        return [Claim("profile", 9, "birthday", key(born["day"] or born["also"]))]
    if body := _BODY.match(said.text):
        attribute = "height" if body["what"] == "身高" else "weight"
        return [Claim("profile", 7, attribute, key(body["value"]))]
    blood = _BLOOD.match(said.text) if "血" in said.text else None
    return [Claim("profile", 9, "blood type", key(blood["value"]))] if blood else []


def _health(said: Predicate) -> list[Claim]:
    if match := _ALLERGY.match(said.text):
        negated = bool(match["not"] or match["early"])
        return [
            Claim("profile", 10, f"allergic to {one}", negated=negated) for one in liked(match["what"] or match["also"])
        ]
    if match := _DIET.match(said.text):
        value = (
            "素食" if "素" in match["what"] or "荤" in match["what"] or "肉" in match["what"] else key(match["what"])
        )
        return [Claim("profile", 9, "diet", value, negated=bool(match["not"]))]
    if _EATS_MEAT.match(said.text):
        return [Claim("profile", 9, "diet", "素食", negated=True)]
    if match := _ILL.match(said.text):
        return [Claim("profile", 10)] if len(match["what"]) > 1 else []
    if match := _FEARS.match(said.text):
        return [Claim("profile", 7, f"afraid of {match['what']}")]
    return [Claim("profile", 8)] if _TRAIT.match(said.text) else []


def _family(said: Predicate) -> list[Claim]:
    match = _MARITAL.match(said.text)
    if match:
        what = "离婚" if match["what"] == "离异" else "已婚" if match["what"] == "结婚" else match["what"]
        if match["not"] and match["what"] == "结婚":
            return [Claim("profile", 8, "marital status", "未婚")]
        return [Claim("profile", 8, "marital status", what, negated=bool(match["not"]))]
    if zodiac := _ZODIAC.match(said.text):
        return [Claim("profile", 7, "生肖" if zodiac["animal"] else "星座", zodiac["animal"] or key(zodiac["sign"]))]
    speaks = _SPEAKS.match(said.text)
    return [Claim("profile", 8, "language", key(speaks["what"]))] if speaks else []


def _belongings(said: Predicate) -> list[Claim]:
    pet = _PET.match(said.text)
    if pet and "past" not in said.kinds and not said.text.startswith("领养") and thing(pet["what"]):
        return [Claim("profile", 8)]
    car = _CAR.match(said.text)
    what = (car["what"] or car["also"]) if car else None
    return [Claim("profile", 7, "car", key(what))] if what and "past" not in said.kinds else []


def _habit(said: Predicate) -> list[Claim]:
    match = _HABIT.match(said.text)
    if (
        match is None
        or said.is_carried
        or said.kinds & {"past"}
        or _FEELING.search(match["rest"])
        or not thing(match["rest"][:30])
    ):
        return []
    return [Claim("profile", 7)]
