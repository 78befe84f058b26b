"""Claims that are narrower than their slot: what holds on weekends, for another sister or beside something else.

Such a claim contradicts nothing, so it keeps its words and loses its attribute; a qualifier that names which one is
meant goes into the owner or the attribute. A slot that is too wide would retire what is still true.
"""

from __future__ import annotations

import re

from agent_memory.extraction.facts import Fact

_BESIDE = re.compile(
    r"\b(?:also|too|as well|another|part[- ]time|sometimes|usually|often|occasionally|half the (?:year|time))\b"
    r"|\b(?:on|every|at|in|during)(?: the)? (?:weekends?|weekdays?|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
    r"|summers?|winters?|spring|autumn|fall|mornings?|evenings?|afternoons?|nights?)\b"
    r"|也|还(?!是)|另外|另一|兼职|副业|周末|平时|工作日|夏天|冬天|春天|秋天|晚上|早上|有时|偶尔",
    re.IGNORECASE,
)
_WHICH = "older|younger|elder|eldest|oldest|youngest|middle|big|little|twin|step|half|first|second|late"
_WHICH_RELATIVE = re.compile(rf"\bmy (?P<which>{_WHICH})[ -](?P<relation>[a-z-]+)", re.IGNORECASE)
_WHICH_CONTACT = re.compile(
    r"\bmy (?P<which>work|home|office|mobile|cell|private|personal|school|shipping|billing|second|other|old) "
    r"(?P<slot>phone|e-?mail|number|address)\b",
    re.IGNORECASE,
)
_CONTACTS = frozenset({"phone", "email", "address"})
_SEVERAL = re.compile(
    r"(?:['’]s (?:friend|colleague|co-?worker|neighbou?r|cousin|classmate|teammate|client|student|uncle|aunt)"
    r"|的(?:朋友|好友|同事|同学|邻居|客户|学生|亲戚))\Z"
)
_SOMEBODY_ZH = re.compile(
    r"我有(?:一)?[个位](?:好|老|大学|高中)?"
    r"(?P<who>朋友|同事|同学|邻居|客户|学生|亲戚|室友|表哥|表姐|表弟|表妹)(?!叫)"
)
_MEASURED = re.compile(
    r"\b(?:I['’]?m|I am|am|is|are)\s+"
    r"(?:0\d*\b|\d+[.,]\d|\d+\s*(?:m|cm|km|kg|kilos?|lbs?|pounds?|%|steps|minutes?|hours?|days|weeks?|months?|miles)\b)",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"\W*I(?:['’]m| am) "
    r"(?:[A-Z][a-z]+(?:ed|ing|line)|Hungry|Thirsty|Done|Busy|Ready|Late|Sick|Happy|Sad|Fine|Good|Okay|Ok|Sorry|Sure|Back|Home|Here|Free|Single|Angry|Cold|Hot|Sleepy|Lost|Broke|Alone|Lucky|Proud|Well|Ill|Serious)\W*"
)
_SOMEWHERE = re.compile(r"\bis (?:from|at|in|with|made|written|under|near|about|by|of|for)\b", re.IGNORECASE)
_MADE = re.compile(r"(?:from|made|written|built)\b")
_WHEN = re.compile(r"\d|day\b|noon|night|周|星期|月", re.IGNORECASE)
_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|周[一二三四五六日天]|星期", re.IGNORECASE)
_BORN = re.compile(r"\bborn (?:and raised )?in\b", re.IGNORECASE)
_GREW_UP = re.compile(r"\bgrew up\b|\braised\b", re.IGNORECASE)
_SLOTS_OF_PLACES = frozenset({"residence", "hometown", "workplace", "work place", "employer", "school", "birthplace"})
_KEPT = frozenset({"dog", "cat", "pet", "狗", "猫", "宠物"})  # of which one may have several
_NO_PLACE_ZH = re.compile(r"[一二三四五六七八九十\d]+[楼层号]|朝[东南西北]|.*房间")
_PEOPLES_OF = """
dutch german french italian spanish polish british english irish scottish american canadian indian chinese japanese
korean russian swiss swedish danish greek turkish mexican brazilian australian belgian austrian portuguese
"""
_PEOPLES = frozenset(_PEOPLES_OF.split())
_FREE = frozenset({"task", "allergic"})  # first words of attributes that a qualifier does not narrow


def narrowed(fact: Fact, sentence: str, speaker: str) -> Fact | None:
    """The fact with a slot as narrow as its sentence; None for one that was misread."""
    if fact.attribute == "age" and _MEASURED.search(sentence):
        return None
    if fact.attribute == "name" and _NO_NAME.fullmatch(sentence):
        return None
    fact = _of_somebody(fact, sentence, speaker)
    if fact.attribute is None:
        return fact
    if fact.attribute == "hometown" and _BORN.search(sentence):
        return fact.model_copy(update={"attribute": "birthplace"})
    contact = _WHICH_CONTACT.search(sentence)
    if contact and fact.attribute in _CONTACTS:
        return fact.model_copy(update={"attribute": f"{contact['which'].casefold()} {fact.attribute}"})
    return fact.model_copy(update={"attribute": None, "value": None}) if _is_narrow(fact, sentence) else fact


def _of_somebody(fact: Fact, sentence: str, speaker: str) -> Fact:
    """The fact under the owner that is meant: the older sister, a friend who is mentioned."""
    which = _WHICH_RELATIVE.search(sentence)
    if which and fact.owner.casefold() == f"{speaker}'s {which['relation']}".casefold():
        return fact.model_copy(
            update={"owner": f"{speaker}'s {which['which'].casefold()} {which['relation'].casefold()}"}
        )
    somebody = _SOMEBODY_ZH.search(sentence)
    if somebody and fact.owner == speaker and fact.kind in ("profile", "preference"):
        return fact.model_copy(update={"owner": f"{speaker}的{somebody['who']}", "attribute": None, "value": None})
    return fact


def _is_narrow(fact: Fact, sentence: str) -> bool:
    value, slot = fact.value or "", fact.attribute or ""
    if slot.partition(" ")[0] in _FREE:
        return False
    if _SEVERAL.search(fact.owner) or _BESIDE.search(sentence) or slot in _KEPT:
        return True
    if slot in _SLOTS_OF_PLACES:
        return _NO_PLACE_ZH.fullmatch(value) is not None or (slot == "hometown" and bool(_GREW_UP.search(sentence)))
    if slot in ("spouse", "partner"):
        return value in _PEOPLES
    timed = any(character.isdigit() for character in value) and _WEEKDAY.search(sentence) is not None
    if timed or _MADE.match(value):
        return True
    return _SOMEWHERE.search(sentence) is not None and not _WHEN.search(value)
