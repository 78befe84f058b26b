"""What the things of a person are called, and what sort of value each holds."""

from __future__ import annotations

import re

from agent_memory.extraction.rules_en.lexicon import LANGUAGE, OCCUPATION, PERSON
from agent_memory.extraction.rules_en.phrases import plain

IDENTITY = re.compile(
    r"(?:name|number|port|address|code|birthday|birth ?date|colou?r|size|model|version|budget|time ?zone"
    r"|language|phone"
    r"|e-?mail|job|occupation|profession|hometown|home town|nationality|height|weight|user ?name|handle|plate|branch"
    r"|database|editor|os|operating system|ssid|nickname|pronouns|blood type|major|degree|title|employer"
    r"|company|school|university|star sign"
    r"|religion|diet|shell|framework|distro|keyboard layout|hobby|role|surname|password|pin|postcode"
    r"|zip code|id|extension|address)$",
    re.IGNORECASE,
)
NO_SLOT = re.compile(
        rf"\b(?:{PERSON}|guess|point|thing|part|goal|dream|plan|hope|day|life|love|heart|mind|goodness|god"
        r"|family|families|friends|kids|children"
        r"|fans|old|former|previous|last|first|next|best|only|biggest|favou?rite|fave|turn|experience|question"
        r"|problem|bad|focus|advice|feeling|opinion"
        r"|passion|journey|motto|reason|idea|people|all|of|who|that|which|and|was|with|in|on|at|for|to|from|so"
        r"|mum|mom|dad|parents)\b",
    re.IGNORECASE,
)  # fmt: skip
_SLOTS = {
    "phone number": "phone", "mobile number": "phone", "cell number": "phone", "telephone number": "phone",
    "number": "phone", "cell phone number": "phone", "mobile phone number": "phone", "mobile": "phone",
    "email address": "email", "e-mail": "email", "e-mail address": "email", "mail address": "email",
    "full name": "name", "first name": "name", "nickname": "form of address", "native language": "language",
    "mother tongue": "language", "first language": "language", "home town": "hometown", "university": "school",
    "date of birth": "birthday", "birth date": "birthday", "birthdate": "birthday", "occupation": "job",
    "profession": "job", "company": "employer",
}  # fmt: skip
_QUALITY = re.compile(
    r"(?:not|so|too|really|very|pretty|quite|still|all|also|great|good|hard|tough|fine|awesome|nice|broken"
    r"|dead|new|old|fun|long|short"
    r"|bad|cool|easy|intense|weird|slow|fast|full|gone|wrong|right|important|huge|big|small|about|like"
    r"|where|how|what|when)\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile("[A-Z]")
_OCCUPATION = re.compile(rf"(?:{OCCUPATION})\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_SORTS = {
    "phone": re.compile(r"\d{3}"),
    "email": re.compile("@"),
    "job": _OCCUPATION,
    "role": _OCCUPATION,
    "employer": _CAPITAL,
    "school": _CAPITAL,
    "hometown": _CAPITAL,
    "birthday": re.compile(r"\d|[A-Z]"),
    "age": _DIGIT,
    "height": _DIGIT,
    "weight": _DIGIT,
    "name": re.compile(r"^[\w'.-]+(?: [\w'.-]+){0,3}$"),
    "language": re.compile(rf"(?:{LANGUAGE})", re.IGNORECASE),
}
CANONICAL = frozenset(
    {
        "phone",
        "email",
        "name",
        "birthday",
        "language",
        "hometown",
        "job",
        "employer",
        "school",
        "nationality",
        "form of address",
        "height",
        "weight",
        "diet",
    }
)


def slot_name(slot: str) -> str:
    """The key of the slot: canonical where there is one, without articles and words for "at present"."""
    name = plain(slot).replace("colour", "color").replace("this week", "").strip()
    name = re.sub(r"^(?:(?:new|current) )", "", name)
    return _SLOTS.get(name, name)


def fits(slot: str, value: str) -> bool:
    """Whether the value is of the sort that the slot holds; "my job is stressful" names no job."""
    form = _SORTS.get(slot)
    return (form is None or form.search(value) is not None) and not _QUALITY.match(value)
