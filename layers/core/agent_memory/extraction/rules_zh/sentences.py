"""The facts of one Chinese sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from agent_memory.extraction.facts import IMPORTANCE, Fact
from agent_memory.extraction.rules_zh import (
    agreements,
    events,
    occasions,
    preferences,
    profile,
    relations,
    residence,
    slots,
    tasks,
    work,
)
from agent_memory.extraction.rules_zh.claim import Claim, Predicate
from agent_memory.extraction.rules_zh.clauses import LONGEST, Clause, clauses
from agent_memory.extraction.rules_zh.folding import fold, without_tail
from agent_memory.extraction.rules_zh.subjects import Subject, subject
from agent_memory.extraction.rules_zh.times import adverbs

_RULES: tuple[Callable[[Predicate], list[Claim]], ...] = (
    agreements.found,
    preferences.found,
    relations.found,
    residence.found,
    work.found,
    profile.found,
    occasions.found,
    tasks.found,
    slots.found,
    events.found,
)
_LEAD = re.compile(
    r"(?:[\s,]|其实(?=[,我])|[嗯哦噢啊哎唉嗨嘿哇欸诶呃额]+(?=[^\u4e00-\u9fff]|我|对"
    r"|你|其实|不过)|那个(?=我)|对了|另外|还有|而且|并且|但是|可是"
    r"|不过|但(?=我|不|现|还|也|讨|喜)|所以|因此|因为|然后|顺便说一下"
    r"|顺便一提|说实话|老实说|说真的|坦白说|话说|总之|不瞒你说|你好"
    r"|您好|大家好|是的|没错|好的|好吧|好(?=我)|那(?=我)|毕竟|同时"
    r"|此外|结果|于是|于是乎|最后|后来(?=我)|告诉你|跟你说|记一下"
    r"|记住|请记住|帮我记一下|[-*•·>#:(（])+"
)
_SUBORDINATE = re.compile(r"(?:的时候|之后|以后|之前|以前|时|期间|的话|后|前)\Z")
_OPINION = re.compile(r"觉得|认为|想|感觉|相信|感到|发现|看到|听|知道|建议|推荐")
_SHORT = 10  # what is not understood of a clause may name somebody else, unless it is short
_LONGEST_TEXT = 200
_LONGEST_WHOLE = 80


class _Read(NamedTuple):
    """A clause as read: where its text begins, the subject that it lacks, whom it is about, its claims."""

    clause: Clause
    begins: int
    subject: str
    owner: str
    claims: list[Claim]


def facts_in(sentence: str, speaker: str) -> list[Fact]:
    """The facts that one sentence of the speaker's own, in the first person, claims; mostly none.

    The texts are parts of the sentence: a clause, behind the subject of an earlier one where it has none, or all of
    the sentence where it claims only one thing and nothing in it is doubtful.
    """
    folded = fold(sentence)
    parts = clauses(folded)
    read = [one for one in _readings(sentence, parts, speaker) if one.claims]
    is_single = len(read) == 1 and len(sentence) <= _LONGEST_WHOLE and not any(part.doubt for part in parts)
    facts: list[Fact] = []
    for one in read:
        start, end = (_after_lead(folded, 0), len(sentence)) if is_single else (one.begins, one.clause.end)
        text = ("" if is_single else one.subject) + sentence[start:end].strip(" ,，、;；\n\t")
        facts.extend(_fact(claim, text, speaker if claim.kind == "relation" else one.owner) for claim in one.claims)
    return list(dict.fromkeys(facts))


def _readings(sentence: str, parts: list[Clause], speaker: str) -> Iterator[_Read]:
    """Each clause with its subject, which is that of an earlier clause where it names none itself."""
    about: Subject | None = None
    carried, formerly, waiting = "", None, None
    for part in parts:
        lead = _after_lead(part.text, 0)
        before = adverbs(part.text, lead)
        named = subject(part.text, sentence[part.start : part.end], before.end, speaker)
        if named is None and before.end >= len(part.text.rstrip()) and before.kinds:
            waiting = (part.start + lead, before.kinds) if waiting is None else waiting
            continue  # a time alone, 上周末, belongs to the clause behind it
        begun, kinds = waiting or (part.start + lead, frozenset())
        waiting = None
        about = named or about
        if named:
            carried = sentence[part.start + before.end : part.start + named.end]
        said = _predicate(part, named, about, before.end, before.kinds | kinds)._replace(formerly=formerly)
        claims = [] if part.doubt or part.end - begun > _LONGEST_TEXT else _claims(said)
        formerly = formerly if part.doubt else preferences.formerly(said) or formerly
        lacking = carried if about and not named else ""
        yield _Read(part, begun, lacking, about.owner if about and about.owner else speaker, claims)
        is_opinion = _OPINION.match(said.text) is not None
        is_unread = not claims and "former" not in said.kinds and (named is None or len(said.text) > _SHORT)
        if is_opinion or is_unread:
            about = None  # whom this clause is about is not known, nor is it for those behind it


def _predicate(
    part: Clause, named: Subject | None, about: Subject | None, end: int, kinds: frozenset[str]
) -> Predicate:
    after = adverbs(part.text, named.end if named else end)
    return Predicate(
        text=without_tail(part.text[after.end :]).strip(),
        clause=part.text,
        kinds=kinds | after.kinds,
        who=about.who if about else None,
        is_carried=named is None,
    )


def _claims(said: Predicate) -> list[Claim]:
    if not said.text or len(said.text) > LONGEST or _SUBORDINATE.search(said.text):
        return []
    for rule in _RULES:
        if claims := rule(said):
            return claims
    return []


def _after_lead(text: str, start: int) -> int:
    match = _LEAD.match(text, start)
    return match.end() if match else start


def _fact(claim: Claim, text: str, owner: str) -> Fact:
    lowest, highest = IMPORTANCE[claim.kind]
    return Fact(
        text=text,
        kind=claim.kind,
        owner=owner,
        attribute=claim.attribute,
        value=claim.value,
        negated=claim.negated,
        state=claim.state,
        importance=min(max(claim.importance, lowest), highest),
    )
