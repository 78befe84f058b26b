"""When things are due, what they are moved to, and other slots of things that change: tools and colours."""

from __future__ import annotations

import re

from agent_memory.extraction.facts import Fact
from agent_memory.extraction.rules_en.clauses import Clause
from agent_memory.extraction.rules_en.lexicon import PERSON
from agent_memory.extraction.rules_en.phrases import plain, points
from agent_memory.extraction.rules_en.slots import IDENTITY, NO_SLOT, fits, slot_name

_OCCASION = (
    r"(?:appointment|meeting|interview|exam|flight|deadline|due date|surgery|reservation|booking|stand-?up|check-?up"
    r"|review|wedding|party|trip|launch|release|presentation|audition|class|lesson|train|shift|delivery|match|concert)"
)
_ENDS_IN_OCCASION = re.compile(rf"{_OCCASION}$", re.IGNORECASE)
_NOT_OF_PERSON = re.compile(rf"\b(?:{PERSON}) (?={_OCCASION}$)", re.IGNORECASE)
_SLOT = r"(?P<slot>[\w'/-]+(?: [\w'/-]+){0,4}?)"
_DAY = r"(?-i:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_MONTH = (
    r"(?-i:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
_CLOCK = r"(?:\d{1,2}(?::\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|o'clock)|\d{1,2}:\d\d|noon|midnight)"
_DATE = (
    rf"(?:{_DAY}|{_MONTH}|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|the \d{{1,2}}(?:st|nd|rd|th)|\d{{4}}-\d\d-\d\d)"
)
_WHEN = rf"(?P<value>(?:{_DATE}|{_CLOCK}|(?<=at )\d{{1,2}})\b[\w:., ']{{0,30}})"
_IS_ON = re.compile(
    rf"(?:my|our|(?P<the>the)) (?:new )?{_SLOT}(?:'s| is| starts| leaves| departs| begins)(?: now| still| currently)?"
    rf"(?: scheduled| set| due)?(?: for)?(?: on| at)? {_WHEN}$",
    re.IGNORECASE,
)
_MOVED_TO = re.compile(
    rf"(?:my|our|(?P<the>the)) (?:new |old )?{_SLOT}(?: was| is| has been| has|'s been| got| have been| were)?"
    r"(?: now| just| been)? (?:moved|rescheduled|postponed|pushed(?: back)?|changed|extended|brought forward|switched"
    r"|delayed|shifted|updated|raised|increased|lowered|reduced)(?: from [\w.'@/: -]{1,40}?)? (?:to|until|till) "
    r"(?:on |at )?(?P<value>.{1,60})",
    re.IGNORECASE,
)
_USED_AS = re.compile(
    r"(?:uses?|am using|are using|is using|(?:have |has )?switched to|went with|chose) "
    rf"(?P<value>(?-i:[A-Z])[\w.+#-]*(?: (?-i:[A-Z])[\w.+#-]*){{0,3}}) as (?:my|our) (?:new |main |default )?{_SLOT}"
    r"(?: now| these days)?[.!]?$",
    re.IGNORECASE,
)
_COLOUR = (
    "red|blue|green|yellow|orange|purple|violet|pink|brown|black|white|gr[ae]y|silver|gold|golden|beige|turquoise|navy"
)
_COLOURED = re.compile(
    rf"(?:my|our) (?:new )?(?P<slot>[\w-]+(?: [\w-]+)?)(?:'s| is| are)(?: now)? "
    rf"(?P<value>(?:(?:dark|light|bright|pale|navy) )?(?:{_COLOUR}))(?: now)?$",
    re.IGNORECASE,
)
_OF_BODY = re.compile(
    r"(?:face|eyes?|skin|nose|cheeks?|tongue|fingers?|thumbs?|hands?|lips|ears?|hair)$", re.IGNORECASE
)
_IS_WHEN = re.compile(rf"(?:{_DATE}|{_CLOCK}|\d{{1,2}}$)", re.IGNORECASE)
_TAIL = re.compile(r"\s+(?:now|instead|again|already|these days)$", re.IGNORECASE)
_DEFINITE = re.compile(r"\d|(?-i:[A-Z])|noon|midnight", re.IGNORECASE)
_MOST_WORDS = 7


def find(clause: Clause) -> Fact | None:
    """The slot of a thing that the clause fills or changes."""
    return _occasion(clause) or _moved(clause) or _used(clause) or _coloured(clause)


def _bare(clause: Clause) -> str:
    return _TAIL.sub("", clause.bare.strip(" .!"))


def _occasion(clause: Clause) -> Fact | None:
    found = _IS_ON.match(_bare(clause))
    return _when(clause, found) if found and _ENDS_IN_OCCASION.search(found["slot"]) else None


def _moved(clause: Clause) -> Fact | None:
    found = _MOVED_TO.match(_bare(clause))
    if found is None or not _DEFINITE.search(found["value"]) or len(found["value"].split()) > _MOST_WORDS:
        return None
    if _ENDS_IN_OCCASION.search(found["slot"]):
        return _when(clause, found) if _IS_WHEN.match(found["value"]) else None
    if found["the"] and not IDENTITY.search(found["slot"]):
        return None
    return _slot(clause, found["slot"], found["value"])


def _used(clause: Clause) -> Fact | None:
    told = clause.predicate
    if told is None or told.negated or clause.subject is None or not clause.subject.is_speaker:
        return None
    found = _USED_AS.match(told.words)
    return _slot(clause, found["slot"], found["value"]) if found else None


def _coloured(clause: Clause) -> Fact | None:
    found = _COLOURED.match(_bare(clause))
    if found is None or _OF_BODY.search(found["slot"]):
        return None
    return _slot(clause, f"{found['slot']} color", found["value"])


def _when(clause: Clause, found: re.Match[str]) -> Fact | None:
    slot = _NOT_OF_PERSON.sub("", found["slot"])
    if NO_SLOT.search(slot):
        return None
    return clause.fact("fact", 6, slot_name(found["slot"]), plain(found["value"]), owner=clause.speaker)


def _slot(clause: Clause, slot: str, value: str) -> Fact | None:
    name, held = slot_name(slot), plain(value)
    if NO_SLOT.search(slot) or points(held) or not fits(name, value):
        return None
    return clause.fact("profile", 7, name, held, owner=clause.speaker)
