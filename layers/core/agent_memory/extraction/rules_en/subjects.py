"""Whom a clause is about: the speaker, one of the speaker's people, or somebody named."""

from __future__ import annotations

import re

from agent_memory.extraction.rules_en.lexicon import NO_NAME, PEOPLE, PERSON
from agent_memory.values import Value

_CONTRACTED = r"(?='(?:m|s|ve|re|ll|d)\b|\s)"
_FIRST = re.compile(rf"(?:i{_CONTRACTED}|im\s)", re.IGNORECASE)
_WE = re.compile(
    rf"(?:we{_CONTRACTED}|(?:me and )?my [\w' -]{{2,30}}? and (?:i|me)\s|(?-i:[A-Z]\w{{1,20}}) and i\s)", re.IGNORECASE
)
_MY_PERSON = re.compile(
    r"(?:my|our) (?:(?:older|elder|little|younger|youngest|oldest|eldest|big|baby|twin|best|good|close"
    r"|old|new|late|dear"
    rf"|\w{{2,12}}-year-old) )?(?P<person>{PERSON}|{'|'.join(sorted(PEOPLE))})(?: (?P<name>"
    rf"(?-i:[A-Z][\w-]{{1,20}})))?{_CONTRACTED}",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"(?P<name>[A-Z][\w-]{{1,20}}(?: [A-Z][\w-]{{1,20}})?){_CONTRACTED}")


class Subject(Value):
    """`owner` as facts name it; `rest` what the clause says of it, `person` the kinship word if there is one."""

    owner: str
    rest: str
    is_speaker: bool
    is_plural: bool = False
    person: str | None = None
    name: str | None = None
    is_third_singular: bool = False

    @property
    def is_only_named(self) -> bool:
        """Whether a capitalised word is all that speaks for a person: it may be a firm, a cheese, a program."""
        return not self.is_speaker and self.person is None


def subject(clause: str, speaker: str) -> Subject | None:
    """The subject at the start of the clause, None if it is a thing, a pronoun of the third person or unknown."""
    if found := _FIRST.match(clause):
        rest = f"'m {clause[found.end() :]}" if found.group().casefold().startswith("im") else clause[found.end() :]
        return Subject(owner=speaker, rest=rest, is_speaker=True)
    if found := _WE.match(clause):
        return Subject(owner=speaker, rest=clause[found.end() :], is_speaker=True, is_plural=True)
    if found := _MY_PERSON.match(clause):
        person, name = found["person"].casefold(), found["name"]
        owner = name or f"{speaker}'s {person}"
        return Subject(
            owner=owner,
            rest=clause[found.end() :],
            is_speaker=False,
            person=person,
            name=name,
            is_third_singular=person not in PEOPLE,
        )
    found = _NAMED.match(clause)
    if found is None or any(word.casefold() in NO_NAME for word in found["name"].split()):
        return None
    return Subject(
        owner=found["name"], rest=clause[found.end() :], is_speaker=False, name=found["name"], is_third_singular=True
    )
