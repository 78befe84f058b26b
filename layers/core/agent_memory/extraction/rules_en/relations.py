"""Who is who to the speaker."""

from __future__ import annotations

import re

from agent_memory.extraction.facts import Fact
from agent_memory.extraction.rules_en.clauses import Clause
from agent_memory.extraction.rules_en.lexicon import NO_NAME, PARTNER, PERSON, SPOUSE
from agent_memory.extraction.rules_en.phrases import plain

_NAME = r"(?P<name>(?-i:[A-Z])[\w-]{1,20}(?: (?-i:[A-Z])[\w-]{1,20})?)"
_KINSHIP = (
    r"(?:(?:older|elder|little|younger|youngest|oldest|eldest|big|baby|twin|best|good|close|new|old) )?"
    rf"(?P<person>{PERSON})"
)
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_NAME}(?:'s| is) (?:my|our) {_KINSHIP}(?![\w'-])(?! (?:who|that)\b)",
        rf"(?:my|our) {_KINSHIP}(?:'s name is| is called| is named|'s called|'s named| is) {_NAME}[.!,]?(?:$| )",
        rf"(?:this is|meet|i live with|i am married to|i'm married to|i married) my {_KINSHIP},? {_NAME}[.!]?$",
        rf"(?:i have|i've got|we have) an? {_KINSHIP} (?:called|named) {_NAME}",
        rf"(?:i'm|i am) (?:married|engaged) to (?P<person>(?!my)){_NAME}[.!]?$",
    )
)


def find(clause: Clause) -> Fact | None:
    """The tie between the speaker and somebody named."""
    for form in _FORMS:
        found = form.match(clause.bare)
        if found and found["name"].split()[0].casefold() not in NO_NAME:
            attribute = _held_once(found["person"] or ("spouse" if "married" in clause.bare else "partner"))
            return clause.fact("relation", 8, attribute, attribute and plain(found["name"]), owner=clause.speaker)
    return None


def _held_once(person: str) -> str | None:
    if re.fullmatch(SPOUSE, person, re.IGNORECASE):
        return "spouse"
    return "partner" if re.fullmatch(PARTNER, person, re.IGNORECASE) else None
