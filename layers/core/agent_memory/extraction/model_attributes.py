"""What a model calls an attribute, in the keys that facts share, so that two languages and two wordings meet.

None where the name is of something that holds many values at once: a second hobby must not retire the first.
"""

from __future__ import annotations

import re

from agent_memory.extraction.facts import Kind
from agent_memory.text import normalised

MAX_KEY = 80
MAX_VALUE = 120

_NAMES = {
    "residence": "address home home_address live lives lives_in living location city current_city home_city "
    "place_of_residence 住处 住址 居住地 住所 地址 现居 现居地 所在地 城市 居住城市 家",
    "name": "full_name real_name first_name 姓名 名字 名称 全名",
    "form of address": "nickname addressed_as call_me preferred_name salutation 称呼 昵称 称谓 叫法",
    "age": "years_old 年龄 岁数 年纪",
    "birthday": "birth_date date_of_birth birthdate dob 生日 出生日期",
    "job": "occupation profession work job_title position career role works_as 工作 职业 职位 岗位",
    "employer": "company workplace works_at works_for 公司 雇主 单位 工作单位",
    "school": "university college studies_at 学校 大学 就读学校",
    "hometown": "home_town birthplace place_of_birth from 家乡 老家 故乡 籍贯 出生地",
    "nationality": "citizenship 国籍",
    "marital status": "relationship_status married marriage 婚姻状况 婚姻 婚姻状态",
    "phone": "phone_number telephone mobile mobile_number cell_phone 电话 手机 手机号 电话号码 手机号码",
    "email": "e-mail email_address mail 邮箱 电子邮箱 邮件地址 邮箱地址",
    "diet": "dietary_preference eating_habit 饮食 饮食习惯",
    "language": "native_language mother_tongue spoken_language 语言 母语",
    "height": "身高",
    "weight": "体重",
    "reply language": "answer_language response_language language_of_replies 回复语言 回答语言",
    "spouse": "wife husband 配偶 妻子 丈夫 老婆 老公 爱人",
}
_CANONICAL = {word.replace("_", " "): key for key, words in _NAMES.items() for word in [*words.split(), key]}
_MANY = frozenset(
    each
    for words in (
        "hobby hobbies interest interests skill skills pet pets friend friends family child children kid kids sibling",
        "siblings sister brother colleague food foods drink activity activities topic event events plan plans goal",
        "goals task tasks item items possession possessions fact facts info information other others misc none null",
        "unknown relation relationship preference preferences health condition experience experiences travel",
        "爱好 兴趣 技能 宠物 朋友 家人 孩子 同事 食物 饮料 活动 话题 事件 计划 目标 任务 物品 事实 信息 其他",
        "无 关系 偏好 健康 经历",
    )
    for each in words.split()
)
_LIKES = re.compile(
    r"(?:(?P<no>(?:dislikes?|hates?|can(?:'t|not) stand|does ?n[o']t like)\b|不喜欢|不爱吃?|讨厌|受不了)"
    r"|(?:likes?|loves?|enjoys?|prefers?)\b|喜欢|喜爱|爱吃|爱喝|爱)\s*:?\s*(?P<what>.*)"
)
_LIKED_HOW = re.compile(r"^(?:(?:eating|drinking|to eat|to drink|having)\s+|[吃喝](?=.))")
_ALLERGY = re.compile(
    r"(?:allerg(?:y|ies|ic|en)\b|过敏[源原]?)\s*(?:to\b)?\s*:?\s*(?P<what>.*)|对?(?P<before>.+?)\s*(?:allergy|过敏)"
)
_TASK = re.compile(r"^(?:(?:tasks?|todo)\b|任务|(?:plans?|计划|待办)$)\s*:?\s*")
_PREFIX = re.compile(r"^(?:likes|allergic to|task) ")
_WORD = re.compile(r"[^\W_]+")
_STEM = 4  # letters that inflection leaves alone
_OWNED = re.compile(r"^(?:(?:my|his|her|their|our|your|the|a|an|user's|speaker's)\s+|(?:我|他|她|用户|user)的)")


Keyed = tuple[str | None, str | None, bool]

NOTHING: Keyed = (None, None, False)


def keyed(kind: Kind, attribute: str | None, value: str | None) -> Keyed:
    """Attribute, value, and whether the name of the attribute says no ("dislikes coriander")."""
    name, held = key_form(attribute or ""), key_form(value or "")
    if not name or len(name) > MAX_KEY or len(held) > MAX_VALUE:
        return NOTHING
    if allergy := _ALLERGY.fullmatch(name):
        return _about("allergic to", allergy["what"] or allergy["before"] or held)
    if kind == "event":
        return NOTHING
    if kind == "task":
        return _about("task", _TASK.sub("", name) or held)
    if name not in _MANY and (liked := _LIKES.fullmatch(name)):
        return _likes(liked["what"] or held, bool(liked["no"]))
    return _slot(kind, name, held)


def is_allergy(named: Keyed) -> bool:
    """Whether the attribute is an allergy, which nobody denies by accident."""
    return (named[0] or "").startswith("allergic to ")


def is_told(named: Keyed, said: str) -> bool:
    """Whether what the attribute is about, or its value, has a word in common with what was said.

    A model that copies fields from elsewhere must not set one fact against another.
    """
    attribute, value, _ = named
    about = value if value is not None else _PREFIX.sub("", attribute or "")
    return any(word in normalised(said) for word in _stems(about))


def _stems(text: str) -> list[str]:
    """Words without their endings; of Chinese ones every two characters."""
    words = _WORD.findall(text)
    pairs = [word[at : at + 2] for word in words if not word.isascii() for at in range(max(1, len(word) - 1))]
    return pairs + [word if len(word) <= _STEM else word[:_STEM] for word in words if word.isascii()]


def key_form(text: str) -> str:
    """Folded, without possessives, articles, underscores and the stop at the end; favorite is favourite."""
    folded = normalised(text).replace("_", " ").replace("favorite", "favourite").strip(" .,;:!。，；：！\"'“”‘’")
    return _OWNED.sub("", folded).strip()


def _slot(kind: Kind, name: str, held: str) -> Keyed:
    name = _CANONICAL.get(name, name)
    known = name in _NAMES or name.startswith("favourite ")
    if kind == "preference" and not known:  # "food": "sushi" names a taste, and tastes are many
        return _likes(held, no=False)
    if (kind in ("relation", "agreement") and not known) or name in _MANY or not held:
        return NOTHING
    return name, held, False


def _likes(what: str, no: bool) -> Keyed:
    key, value, _ = _about("likes", _LIKED_HOW.sub("", key_form(what)))
    return key, value, no and key is not None


def _about(prefix: str, what: str) -> Keyed:
    key = f"{prefix} {key_form(what)}"
    return (key, None, False) if key_form(what) and len(key) <= MAX_KEY else NOTHING
