"""Open slots: my X is V, I changed my X to V."""

from __future__ import annotations

import re

from agent_memory.extraction.facts import Fact
from agent_memory.extraction.rules_en.clauses import Clause
from agent_memory.extraction.rules_en.lexicon import NO_NAME, PERSON, PET
from agent_memory.extraction.rules_en.phrases import cut, plain, points
from agent_memory.extraction.rules_en.slots import CANONICAL, IDENTITY, NO_SLOT, fits, slot_name

_MY = re.compile(
    r"(?:my|our) (?:(?:new|current|own|work|home|main|actual) (?=\w))?(?P<slot>[\w'/-]+(?: [\w'/-]+){0,4}?)"
    r" ?(?:'s| is| are)(?: (?:now|currently|still|called|named|actually|just|always|set to))* (?P<value>.+)",
    re.IGNORECASE,
)
_THEIR = re.compile(
    rf"(?:(?:my|our) (?P<person>{PERSON})|(?P<name>(?-i:[A-Z])[\w-]+))'s (?P<slot>[\w-]+"
    rf"(?: [\w-]+){{0,2}}?) (?:is|are)"
    r"(?: (?:now|currently|still|on|in))* (?P<value>.+)",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"(?:(?:have|has) )?(?:changed|switched|updated|reset|renamed|set|moved|upgraded|bumped|increased"
    r"|decreased|raised|lowered"
    r"|rescheduled|migrated)"
    r" (?:my|our|(?P<the>the)) (?:new |old |current )?(?P<slot>[\w'/-]+(?: [\w'/-]+){0,4}?)"
    r"(?: from [\w.'@/: -]{1,40}?)? to (?P<value>.+)",
    re.IGNORECASE,
)
_PET_NAME = re.compile(
    rf"(?:my|our) (?P<pet>{PET})(?:'s name is|'s called| is called| is named)(?: called)? (?P<name>[\w-]+)",
    re.IGNORECASE,
)
_VALUE = re.compile(r"\d|(?-i:[A-Z])[\w]|@", re.IGNORECASE)
_MEASURED = re.compile(
    r"\d[\d.,]* ?(?:cm|mm|m|km|kg|g|inch(?:es)?|feet|ft|l|litres?|years?|months?|weeks?|days?|hours?"
    r"|minutes?|%)\b",
    re.IGNORECASE,
)
_SCHEDULED = re.compile(
    r"(?:at|on|in) (?=\d|(?-i:[A-Z]))|at (?=noon|midnight|half|quarter|one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve)",
    re.IGNORECASE,
)
_ADJECTIVE_ONLY = re.compile(r"(?:[a-z]+ly )?[a-z]+(?:ed|ing|ful|ous|able|ible|ly)$")
_DIMENSION = re.compile(r"\d.* (?:long|wide|tall|deep|high|thick|heavy|away|old)$", re.IGNORECASE)
_EMPTY = re.compile(
    r"(?:not|no|to|so|too|really|very|use|be|have|make|do|include|support|work|run|return|match|fit|avoid"
    r"|get|allow|handle) ",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_PLACED = re.compile(r"(?:the|an?) [a-z]")
_MOST_WORDS = 7
_WHEN = re.compile(r"(?:in|on) (?=\S)", re.IGNORECASE)
_ADDRESS = re.compile(r"\d+[a-z]? (?-i:[A-Z])[\w' ]{2,40}, (?-i:[A-Z])", re.IGNORECASE)
_PREFIX = re.compile(r"(?:number|nr\.?|no\.|#|on|at|called|named) ?(?=[\w@])", re.IGNORECASE)
_REACHED = re.compile(
    r"(?:you can (?:reach|email|e-mail|call) me (?:at|on) )(?P<value>[+\w.@ ()-]{5,60})", re.IGNORECASE
)


def find(clause: Clause) -> Fact | None:
    """What the clause says that something of the speaker's is."""
    pet = _PET_NAME.match(clause.bare)
    if pet:
        return clause.fact("profile", 8, f"pet {plain(pet['name'])}", plain(pet["pet"]), owner=clause.speaker)
    reached = _REACHED.match(clause.bare)
    if reached:
        value = plain(cut(reached["value"]))
        return clause.fact("profile", 9, "email" if "@" in value else "phone", value, owner=clause.speaker)
    return _is(clause) or _theirs(clause) or _changed(clause)


def _is(clause: Clause) -> Fact | None:
    found = _MY.match(clause.bare)
    if found is None or NO_SLOT.search(found["slot"].casefold().replace("phone number", "")):
        return None
    slot, value = found["slot"], _value(found["value"])
    is_identity = IDENTITY.search(slot) is not None
    is_definite = _VALUE.search(value) is not None and len(value.split()) <= _MOST_WORDS
    if not _names(slot, value) or (_ADJECTIVE_ONLY.match(value) if is_identity else not is_definite):
        return None
    if _DIMENSION.search(value) or (_MEASURED.search(value) and not is_identity):
        return clause.fact("fact", 5, owner=clause.speaker)
    if is_identity:
        return _slot(clause, slot, value)
    if _SCHEDULED.match(value):
        when = plain(_SCHEDULED.sub("", found["value"].strip(" .!"), count=1))
        return clause.fact("fact", 6, slot_name(slot), when, owner=clause.speaker)
    return _slot(clause, slot, value)


def _names(slot: str, value: str) -> bool:
    """Whether the value stands by itself and is of the sort that the slot holds."""
    return bool(value) and not points(value) and _EMPTY.match(value) is None and fits(slot_name(slot), value)


def _theirs(clause: Clause) -> Fact | None:
    """My wife's birthday is 5 May."""
    found = _THEIR.match(clause.bare)
    if found is None or (found["name"] and found["name"].casefold() in NO_NAME):
        return None
    slot, value = slot_name(found["slot"]), _value(found["value"])
    if not IDENTITY.search(found["slot"]) or slot == "name" or not _names(found["slot"], value):
        return None
    owner = found["name"] or f"{clause.speaker}'s {found['person'].casefold()}"
    fact = _slot(clause, found["slot"], value)
    return fact and fact.model_copy(update={"owner": owner})


def _changed(clause: Clause) -> Fact | None:
    told = clause.predicate
    if told is None or told.negated or not (clause.subject and clause.subject.is_speaker):
        return None
    found = _CHANGED.match(told.words)
    if found is None or NO_SLOT.search(found["slot"]):
        return None
    value = _value(found["value"])
    if not _names(found["slot"], value) or _PLACED.match(value):
        return None
    if found["the"] and not _DIGIT.search(value):
        return None
    return _slot(clause, found["slot"], value)


def _slot(clause: Clause, slot: str, value: str) -> Fact | None:
    name, held = slot_name(slot), plain(_PREFIX.sub("", value, count=1) if _PREFIX.match(value) else value)
    held = _WHEN.sub("", held, count=1) if name == "birthday" and _WHEN.match(held) else held
    importance = 9 if name in CANONICAL else 7
    return clause.fact("profile", importance, name, held, owner=clause.speaker)


def _value(text: str) -> str:
    value = text.strip(" .!")
    if _ADDRESS.match(value):
        return value
    return value if re.fullmatch(r"[+\d][\d ()-]+|\S+@\S+", value) else cut(value)
