"""What somebody does, where, and where they learn, in Chinese."""

from __future__ import annotations

import re

from agent_memory.extraction.rules_zh.claim import Claim, Predicate
from agent_memory.extraction.rules_zh.folding import key
from agent_memory.extraction.rules_zh.places import is_place

_TITLE = (
    "师|老师|医生|护士|护工|程序员|产品经理|经理|总监|主管|主任"
    "|司机|厨师|记者|编辑|作家|作者|画家|歌手|演员|导演|警察|军人"
    "|公务员|研究员|飞行员|消防员|运动员|教练|服务员"
    "|售货员|收银员|快递员|外卖员|业务员|销售|会计|出纳|审计|法官"
    "|检察官|学生|大学生|研究生|博士生|硕士生|高中生|初中生|小学生"
    "|博士后|博士|顾问|老板|创始人|合伙人|创业者|自由职业者"
    "|自由职业|全职妈妈|全职爸爸|家庭主妇|科学家|艺术家|企业家|音乐家"
    "|教授|讲师|翻译|导游|店长|农民|工人|电工|木工|保安|保姆|社工"
    "|志愿者|义工|[前后]端(?:开发)?|开发|算法|数据分析|运维|测试|设计|运营|客服"
    "|财务|人事|行政|秘书|助理|实习生|模特|主播|博主|up主|空姐|船长|牧师|开发者|爱好者协会会长|ceo|cto|cfo|hr|员工"
)
_JOB = rf"(?P<job>(?:[^的了是我你他她这那]{{0,14}}的?)?(?:{_TITLE}))"
_IS = re.compile(
    rf"(?P<not>不再是|已经不是|不是)?(?:是)?(?:(?:在|的)?职业是)?(?:一)?(?:名|个|位)?{_JOB}(?:了)?\Z", re.IGNORECASE
)
_WORKS_AS = re.compile(
    rf"(?P<not>不再|不)?(?:当(?:上|了|上了)?|担任(?:了)?|从事|升(?:职)?(?:为"
    rf"|成|到)了?|晋升为了?|转行(?:当|做)了?|改行(?:当|做)了?)"
    rf"(?:一)?(?:名|个|位)?{_JOB}(?:工作)?(?:了)?\Z",
    re.IGNORECASE,
)
_TRADE = re.compile(r"是(?:做|搞|干|教|卖|开)(?P<job>[^这那什我你了]{1,10})的\Z")
_PROFESSION = re.compile(r"(?:的)?(?:职业|工作|本职工作|职位|岗位)是(?P<job>[^这那你我他她很最]{2,14})\Z")
_AT = re.compile(
    rf"(?P<not>不再|已经不|不)?(?:就职于|任职于|供职于|入职了?|跳槽到了?|加入了?|(?:工作)?在)(?P<where>[^,]{{2,20}}?)"
    rf"(?P<verb>工作|上班|任职|就职|供职|实习|打工|(?:做|当|担任)(?:一)?(?:名"
    rf"|个|位)?{_JOB})?(?:的)?(?:了?(?:.{{1,3}}年|.{{1,3}}个?月)?(?:多)?)?\Z",
    re.IGNORECASE,
)
_COMPANY = re.compile(
    r".*(?:公司|集团|银行|医院|学校|大学|学院|中学|小学|幼儿园|机构"
    r"|研究所|研究院|实验室|事务所|工作室|工厂|厂|店|餐厅|饭店|酒店"
    r"|超市|图书馆|博物馆|出版社|报社|杂志社|电视台|局|部门|委|基金会"
    r"|协会|诊所|律所|券商|咖啡馆|书店|科技|网络|传媒|大厂|国企|外企"
    r"|央企|私企|创业公司|阿里巴巴?|腾讯|百度|字节(?:跳动)?|华为"
    r"|美团|京东|小米|网易|滴滴|拼多多|快手|微软|谷歌|苹果"
    r"|亚马逊|特斯拉|比亚迪|联想|中兴|三星|索尼|丰田|英特尔|中心|俱乐部|农场|[A-Za-z][A-Za-z0-9 .&-]*)"
)
_NO_PLACE = re.compile(
    r"[这那它他她你哪我]|努力|认真|拼命|忙|好好|家|一起|晚上|白天"
    r"|周末|周[一二三四五六日]|考虑|找|准备|不同|各|早|继续|兼职"
    r"|全职|远程|线上|压力|外面|外地|里面|同一|什么|年|月|点|室内"
    r"|户外"
)
_STUDIES = re.compile(
    r"(?:(?:在|就读于|考上了?|考进了?|入读)(?P<where>[^,这那]{2,16}?)(?:读书"
    r"|上学|念书|就读|求学|留学|读(?:大学|研究生|研|博士|博|本科"
    r"|硕士|高中|初中|书|大[一二三四]|研[一二三])|上(?:大学|高中"
    r"|大[一二三四]))?)(?:了.{0,4})?\Z"
)
_SCHOOL = re.compile(
    r".*(?:大学|学院|中学|小学|高中|一中|附中|学校|分校|清华|北大"
    r"|复旦|交大|浙大|南大|人大|哈佛|麻省理工|斯坦福|牛津|剑桥)\Z"
)
_GRADUATED = re.compile(r"(?:(?:.{0,4})?毕业于.{2,20}|从.{2,16}毕业(?:了|的)?|.{2,12}(?:大学|学院|专业)毕业的?)\Z")
_MAJOR = re.compile(
    r"(?:(?:的)?专业是|读的是|学的是|主修)(?P<what>[^这那什你我他]{2,14}?)(?:专业)?\Z"
    r"|[读学]的?(?P<also>[^这那什你我的]{2,10})专业(?:的)?\Z"
)
_LEFT = re.compile(
    r"(?:刚)?(?:辞职|离职|辞掉了?(?:.{0,6})?工作|辞去了?.{0,8}(?:工作"
    r"|职务)|失业|被(?:公司)?(?:裁员?|辞退|开除|炒鱿鱼)|不在(?P<where>.{2,14})(?:工作"
    r"|上班|干|做)|从(?P<out>.{2,14})(?:辞职|离职)|离开了?(?P<left>.{2,14}))(?:了)?\Z"
)
_RETIRED = re.compile(r"(?:去年|今年)?(?P<not>不再|没有?|还没)?退休\Z")


def found(said: Predicate) -> list[Claim]:
    """The work or school that a predicate tells of its subject."""
    if not said.is_personal or said.kinds & {"former", "future"}:
        return []
    return _left(said) or _job(said.text) or _employer(said.text) or _school(said.text)


def _job(text: str) -> list[Claim]:
    match = _IS.match(text) if re.match(r"(?:不再|已经不|不)?是|(?:的)?职业是", text) else None
    match = match or _WORKS_AS.match(text) or _PROFESSION.match(text)
    if match is None:
        trade = _TRADE.match(text)
        return [Claim("profile", 8, "job", key(trade["job"]))] if trade else []
    job = key(match["job"])
    negated = bool(match.groupdict().get("not"))
    if len(job) < 2 or re.search(r"好(?:老师|学生)|律己|粉丝|[^\w ()/+-]", job):  # noqa: PLR2004
        return []
    return [Claim("profile", 8, "job", job, negated=negated)]


def _employer(text: str) -> list[Claim]:
    match = _AT.match(text)
    if match is None:
        return []
    where, named = (
        key(match["where"]),
        re.match(r"就职|任职|供职|入职|跳槽|加入", re.sub(r"\A(?:不再|已经不|不)", "", text)),
    )
    is_company = _COMPANY.fullmatch(where) is not None
    if (
        not (match["verb"] or (named and is_company and not re.search("组织|俱乐部|协会|中心|委", where)))
        or _NO_PLACE.search(where.removesuffix("一家"))
        or text.endswith("过")
    ):
        return []
    job = [Claim("profile", 8, "job", key(match["job"]))] if match["job"] and not match["not"] else []
    if is_place(where) and not is_company:
        return [Claim("profile", 7, "workplace", where, negated=bool(match["not"])), *job]
    if not is_company and match["verb"] == "工作":
        return []
    return [Claim("profile", 8, "employer", where, negated=bool(match["not"])), *job]


def _school(text: str) -> list[Claim]:
    match = _STUDIES.match(text)
    if match and _SCHOOL.match(key(match["where"])) and not re.search("以前|过", text):
        return [Claim("profile", 8, "school", key(match["where"]))]
    major = _MAJOR.match(text)
    if major:
        return [Claim("profile", 7, "major", key(major["what"] or major["also"]))]
    return [Claim("profile", 7)] if _GRADUATED.match(text) else []


def _left(said: Predicate) -> list[Claim]:
    if _RETIRED.match(said.text):
        return [] if "不" in said.text or "没" in said.text else [Claim("profile", 8, "job", "退休")]
    match = _LEFT.match(said.text)
    if match is None or ("了" not in said.clause and "已经" not in said.clause):
        return []
    where = key(match["where"] or match["out"] or match["left"] or "")
    if match["left"] and not _COMPANY.fullmatch(where):
        return []
    return [Claim("profile", 8, "employer", where or None, negated=True)]
