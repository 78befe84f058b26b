"""Who is who to the speaker."""

from __future__ import annotations

import re

from agent_memory.extraction.facts import Fact
from agent_memory.extraction.rules_en.clauses import Clause
from agent_memory.extraction.rules_en.lexicon import NO_NAME, PARTNER, PERSON, SPOUSE
from agent_memory.extraction.rules_en.phrases import plain

_TITLE = r"(?:(?-i:Mr|Mrs|Ms|Miss|Dr|Prof)\.? )?"
_NAME = _TITLE + r"(?P<name>(?-i:[A-Z])[\w-]{1,20}(?: (?-i:[A-Z])[\w-]{1,20})?)"
_KINSHIP = (
    r"(?:(?:older|elder|little|younger|youngest|oldest|eldest|big|baby|twin|best|good|close|new|old) )?"
    rf"(?P<person>{PERSON})"
)
_IS_CALLED = "(?:'s name is| is called| is named|'s called|'s named| is)(?: (?:now|currently))?"
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_NAME}(?:'s| is) (?:my|our) {_KINSHIP}(?![\w'-])(?! (?:who|that)\b)",
        rf"(?:my|our) {_KINSHIP}{_IS_CALLED} {_NAME}[.!,]?(?:$| )",
        rf"(?:this is|meet|i live with|i am married to|i'm married to|i married) my {_KINSHIP},? {_NAME}[.!]?$",
        rf"(?:i have|i've got|we have) an? {_KINSHIP} (?:called|named) {_NAME}",
        rf"(?:i'm|i am) (?:married|engaged) to (?P<person>(?!my)){_NAME}[.!]?$",
    )
)

_PARTED = re.compile(
    r"(?:(?P<name>(?-i:[A-Z])\w{1,20}) and i (?:have |just |recently )?(?:broke|broken|split) up"
    r"|i (?:just |recently )?(?:broke|split) up with (?P<also>(?-i:[A-Z])\w{1,20}))"
    r"(?=[.,!;]|$| (?:last|yesterday|today|recently|after|because|two|three|\d|a (?:week|month|year|few|couple))\b)",
    re.IGNORECASE,
)
_ROLES = {
    **dict.fromkeys(("boss", "manager", "supervisor"), "manager"),
    **dict.fromkeys(("landlord", "landlady"), "landlord"),
    **{role: role for role in ("team lead", "doctor", "dentist", "therapist")},
}


def find(clause: Clause) -> Fact | None:
    """The tie between the speaker and somebody named, or its end."""
    parted = _PARTED.match(clause.bare)
    if parted and (parted["name"] or parted["also"]).casefold() not in NO_NAME:
        return clause.fact(
            "relation", 8, "partner", plain(parted["name"] or parted["also"]), negated=True, owner=clause.speaker
        )
    for form in _FORMS:
        found = form.match(clause.bare)
        if found and found["name"].split()[0].casefold() not in NO_NAME:
            attribute = _held_once(found["person"] or ("spouse" if "married" in clause.bare else "partner"))
            return clause.fact("relation", 8, attribute, attribute and plain(found["name"]), owner=clause.speaker)
    return None


def _held_once(person: str) -> str | None:
    """The attribute of those of whom people have one at a time; a new boss takes the place of the old one."""
    role = person.casefold()
    if role in _ROLES:
        return _ROLES[role]
    if re.fullmatch(SPOUSE, person, re.IGNORECASE):
        return "spouse"
    return "partner" if re.fullmatch(PARTNER, person, re.IGNORECASE) else None
