"""Whom a Chinese clause is about: the speaker, somebody of theirs, somebody named, or nobody that can be told."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Who = Literal["speaker", "kin", "name", "unknown"]

KIN = (
    "(?:爸爸|妈妈|父亲|母亲|爸妈|父母|老爸|老妈|爷爷|奶奶|外公|外婆"
    "|姥姥|姥爷|哥哥|姐姐|弟弟|妹妹|[表堂][哥姐弟妹]|老公|老婆|丈夫"
    "|妻子|太太|先生|爱人|对象|男朋友|女朋友|男友|女友|未婚夫|未婚妻"
    "|大?儿子|小儿子|[大小二]?女儿|室友|舍友|同屋|同事|同学|同桌"
    "|朋友|好友|闺蜜"
    "|发小|老板|上司|领导|经理|导师|老师|教练|邻居|房东|搭档|助理"
    "|客户|叔叔|阿姨|舅舅|姑姑|姨妈|大伯|岳父|岳母|公公|婆婆|侄子"
    "|侄女|外甥女?"
    "|孙子|孙女|前夫|前妻|前任|孩子|宝宝|妈|爸|哥|姐|弟|妹|爷|奶)"
)
_KIN_PREFIX = "(?:最好的|大学|高中|初中|小学|前|大|小|二|三|新|公司)?"
_DOUBLED = {
    "妈": "妈妈",
    "爸": "爸爸",
    "哥": "哥哥",
    "姐": "姐姐",
    "弟": "弟弟",
    "妹": "妹妹",
    "爷": "爷爷",
    "奶": "奶奶",
}

_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴"
    "夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文欧施陶洪翁俞章鲁"
    "葛韦毕聂"
)
_DOUBLE_SURNAMES = "欧阳|司马|诸葛|上官|司徒|东方|夏侯|慕容|令狐|皇甫"
_SOUNDS = (
    "阿艾安奥巴贝本比博布查茨达戴德蒂丁杜多恩尔法菲弗福盖格哈海赫华霍吉加嘉杰金卡凯柯克库拉莱兰朗雷里丽利莉琳林卢"
    "露鲁伦罗洛玛马麦曼梅米莫姆纳娜妮尼诺帕佩皮珀琪奇琼瑞萨莎珊斯苏索塔泰特汤托瓦威维温西希夏谢雅亚伊英尤约扎珍朱"
    "卓桑黛娅蕾伯丝安杰茜乔艾米玫迈科大卫汤姆"
)
_NOT_GIVEN = (
    "人|狗|猫|鸟|朋|友|学|说|店|区|孩|的|了|是|在|不|很|都|也|和"
    "|与|我|你|他|她|们|有|会|天|年|月|日|要|路|子|家|时|候|吃|喝"
    "|车|山"
    "|叫|爱|喜|讨|没|对|来|就|还|住|姓|来|又|从|已|刚|才|正|将"
)
_GIVEN = rf"(?:(?!{_NOT_GIVEN})[\u4e00-\u9fff])"
_LATIN_NAME = r"(?:[A-Z][a-z]+(?:[ ·-][A-Z][a-z]+){0,2}|[A-Z]{2,3}(?![A-Za-z]))"
NAME = (
    rf"(?:{_LATIN_NAME}|(?:{_DOUBLE_SURNAMES}){_GIVEN}{{0,2}}|[{_SURNAMES}]{_GIVEN}{{1,2}}"
    rf"|[小老阿](?!家|师|板|婆|公|是){_GIVEN}"
    rf"|[{_SOUNDS}]{{2,5}}(?:·[{_SOUNDS}]{{1,5}})?|[{_SURNAMES}](?:老师|医生|总|哥|姐|经理|教授|叔|阿姨|工))"
)
_NO_NAME = re.compile(
    r"小(?:说|时|吃|米|麦|学|城|镇|区|组|心|众|鸟|狗|猫|孩|型|动"
    r"|提|费|店|车|票|菜|龙虾)|老(?:是|年|人|家|城|鼠|虎|外|实|早"
    r"|百|大爷|想)"
    r"|黄[瓜油金色豆]|白[天菜色酒糖]|高[中考铁温手兴]|马[路上铃桶拉]"
    r"|金[鱼属色融]|方[法便案式]|万[一圣]|任[何务性]|常[常见]|许[多愿]"
    r"|周[末围一二三四五六日天]|江[湖南]"
    r"|文[学化章件]|石[头油]|夏[天季]|田野|武[术器]|易|雷[雨阵]|龙[虾舟]"
    r"|曾[经]|余[额下]|于是|何[时况必]|程序|林[子]|徐徐|孙子|华[为语]"
    r"|德[国语]|法[国语律]"
    r"|英[国语]|西[瓜红餐方]|加班|特[别]|本[来地人周月]|比[较如]"
    r"|利[用]|大[家概约]|达[到]|多[数年]|海[鲜边洋]|杰作|奇[怪特]"
    r"|兰[花]|桑拿|瓦|金|安[全静]"
    r"|福|博[客物]|(?:[A-Z][a-z]*\s)?(?:The|This|It|My|We|And|But|So|Python|Java|Docker)\b"
)
_SUBJECT = re.compile(
    rf"(?P<kin>我们?(?:的|家)?(?:那个)?(?P<whose>{_KIN_PREFIX}{KIN})(?!们|家|圈)\s*(?P<called>{NAME})?)"
    r"|(?P<speaker>我们俩?(?!的|公司|团队|城市|社区|小区|村|镇|那[里边儿]"
    r"|办公室|产品|项目|客户|老师|这里|家|班|组|学校|单位|部门|国"
    r"|这|那)|我(?!国|司|校|家(?!住|在|搬)|方)|本人|咱们?(?!的|公司|家))"
    rf"|(?P<name>{NAME}(?=[^\u4e00-\u9fff·]|对|不|很|最|特别|非常"
    rf"|讨厌|喜|爱|受不|住|是|在|来自|从|超|也|已|现|姓|的|真|养|吃"
    rf"|每|有))"
    r"|(?P<unknown>[你您他她它]们?|大家|人们|有人|别人|这|那)"
)


class Subject(NamedTuple):
    """Whom the clause is about, and where its predicate begins. `owner` is the owner of a fact."""

    who: Who
    owner: str
    end: int


def subject(folded: str, verbatim: str, start: int, speaker: str) -> Subject | None:
    """The subject that stands at `start` in a clause, given folded and verbatim; None where none does."""
    match = _SUBJECT.match(folded, start)
    if match is None or (match["name"] and _NO_NAME.match(match["name"])):
        return None
    if match["unknown"]:
        return Subject("unknown", "", match.end())
    if match["speaker"]:
        return Subject("speaker", speaker, match.end())
    named = "name" if match["name"] else "called"
    if match[named] and not _NO_NAME.match(match[named]):
        return Subject("name", verbatim[match.start(named) : match.end(named)], match.end(named))
    return Subject("kin", f"{speaker}的{of_kin(match['whose'])}", match.end("whose"))


def of_kin(word: str) -> str:
    """The word for a relative as owners are called: 妈 and 妈妈 are one."""
    return _DOUBLED.get(word, word)


def is_name(text: str) -> bool:
    """Whether the whole folded text looks like somebody's name."""
    return re.fullmatch(NAME, text) is not None and not _NO_NAME.match(text)
