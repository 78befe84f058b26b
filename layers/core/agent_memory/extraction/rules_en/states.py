"""Profile facts told by a predicate: where somebody lives and works, family, health, belongings."""

from __future__ import annotations

import re

from agent_memory.extraction.facts import Fact
from agent_memory.extraction.rules_en import lexicon
from agent_memory.extraction.rules_en.clauses import Clause
from agent_memory.extraction.rules_en.phrases import cut, plain, points, singular, without_dates
from agent_memory.extraction.rules_en.state_form import State, form
from agent_memory.extraction.rules_en.states_of_body import BODY
from agent_memory.extraction.rules_en.states_of_life import LIFE

_STATES = LIFE + BODY
_OF_THINGS = re.compile(r"(?:is|are) (?:from|based)\b|comes? from\b|was born\b(?! on)")
_NAME = form(r"(?:am|go by|is) (?:called |named )?(?P<value>(?-i:[A-Z][a-zà-ÿ]{1,15}(?:-[A-Z][a-z]+)?))[.!]?$")
_NO_PERSONAL_NAME = form(
    rf"(?:{lexicon.DEMONYM}|{lexicon.DIET}|Jewish|Christian|Muslim|Buddhist|Hindu|Catholic|Protestant|Sikh"
    r"|Black|White|Asian|Latina|Latino|Hispanic|European|African|Single|Married|Good|Fine|Ok|Okay|Here"
    r"|Back|Sorry|Team)"
)


def find(clause: Clause) -> Fact | None:
    """The first state that the clause tells of its subject."""
    told = clause.predicate
    if told is None or clause.subject is None:
        return None
    if clause.subject.is_only_named and _OF_THINGS.match(told.words):
        return None
    for state in _STATES:
        found = state.form.match(told.words)
        if found and not (told.negated and not (state.deniable or told.ended)):
            return _fact(clause, state, found, negated=told.negated != state.ends)
    return _name(clause)


def _fact(clause: Clause, state: State, found: re.Match[str], *, negated: bool) -> Fact | None:
    groups = {name: _bare(text) for name, text in found.groupdict().items() if text}
    if any(not text or points(text) for text in groups.values()):
        return None
    attribute = state.attribute.format(**{name: singular(text) for name, text in groups.items()})
    return clause.fact("profile", state.importance, attribute, groups.get("value"), negated=negated)


def _bare(text: str) -> str:
    return plain(text.strip(" .,!")) if text[:1].isdigit() else plain(cut(without_dates(text)))


def _name(clause: Clause) -> Fact | None:
    told, whom = clause.predicate, clause.subject
    if told is None or whom is None or not whom.is_speaker or told.negated:
        return None
    found = _NAME.match(told.words)
    if found is None or _NO_PERSONAL_NAME.fullmatch(found["value"]) or found["value"].casefold() in lexicon.NO_NAME:
        return None
    attribute = "form of address" if told.words.casefold().startswith("go by") else "name"
    return clause.fact("profile", 10, attribute, plain(found["value"]))
