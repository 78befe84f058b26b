"""The judge that is a language model: one call for all new claims of a task that have memories near them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from agent_memory.claims.content import share
from agent_memory.errors import LlmFailed
from agent_memory.language_model import NOTHING_SPENT, LanguageModel, Spent
from agent_memory.model_calls import ask
from agent_memory.models import MemoryUnit
from agent_memory.settlement.by_model import KnownMemory, NewFact, judge_prompt, read_verdicts
from agent_memory.settlement.by_model import Verdict as Told
from agent_memory.settlement.context import claim_of
from agent_memory.settlement.differences import differences, differs
from agent_memory.settlement.duplicates import duplicate_of
from agent_memory.settlement.judge_rules import Verdict
from agent_memory.settlement.settle import Verdicts
from agent_memory.text import normalised
from agent_memory.times import parse_rfc3339

MOST_OF_IT = 0.8  # of the content words
_CHANGE = re.compile(
    r"\b(?:now|no longer|not|any ?more|instead|changed?|switched|moved|replaced|renamed|new|anymore)\b|n't\b"
    r"|现在|不再|不是|改|换|新|已经",
    re.IGNORECASE,
)
Shown = Mapping[str, Sequence[MemoryUnit]]  # current memories near each new unit, by its id


@dataclass(frozen=True, slots=True)
class Judged:
    """Verdicts by the id of the new unit, what they cost, and why there are none."""

    verdicts: Verdicts = field(default_factory=dict)
    spent: Spent = NOTHING_SPENT
    failure: LlmFailed | None = None


Judge = Callable[[Sequence[MemoryUnit], Shown], Judged]


def model_judge(model: LanguageModel, instructions: str) -> Judge:
    """A judge that asks the model; where that fails there are no verdicts, and the rules decide."""

    def judge(units: Sequence[MemoryUnit], shown: Shown) -> Judged:
        asked = [unit for unit in units if _is_open(unit, shown.get(unit.id, ()))]
        if not asked:
            return Judged()
        known = {each.id: each for unit in asked for each in shown[unit.id]}
        facts = [_new(unit, shown[unit.id]) for unit in asked]
        memories = [_known(each) for each in known.values()]
        try:
            answer = ask(
                model, judge_prompt(facts, memories, instructions), lambda value: read_verdicts(value, facts, memories)
            )
        except LlmFailed as error:
            return Judged(spent=error.spent, failure=error)
        told = answer.value
        verdicts = {
            unit.id: _verdict(unit, told.by_fact[place], known)
            for place, unit in enumerate(asked)
            if place not in told.unjudged
        }
        return Judged(verdicts, answer.spent)

    return judge


def _is_open(unit: MemoryUnit, near: Sequence[MemoryUnit]) -> bool:
    """Whether there is something to decide: a claim with memories near it, none of which plainly says the same."""
    return (
        unit.subject is not None and bool(near) and not duplicate_of(claim_of(unit), [claim_of(each) for each in near])
    )


def _new(unit: MemoryUnit, near: Sequence[MemoryUnit]) -> NewFact:
    return NewFact(unit.subject or "", claim_of(unit), unit.created_at[:10], tuple(each.id for each in near))


def _known(unit: MemoryUnit) -> KnownMemory:
    return KnownMemory(unit.id, unit.subject or unit.speaker or "", claim_of(unit), unit.created_at[:10])


def _verdict(unit: MemoryUnit, told: Told, known: Mapping[str, MemoryUnit]) -> Verdict:
    """What the model may decide: what is said again is all there, what is retired is of the same thing and older."""
    if told.action == "skip":
        same = known[told.ids[0]]
        return Verdict("skip", same=same.id) if _is_told(claim_of(unit), claim_of(same)) else Verdict("write")
    said = parse_rfc3339(unit.created_at)
    older = tuple(
        each for each in told.ids if parse_rfc3339(known[each].created_at) <= said and _may_retire(unit, known[each])
    )
    return Verdict("replace", retire=older) if told.action == "replace" and older else Verdict("write")


def _is_told(claim: str, by: str) -> bool:
    """Whether nearly all of a claim stands in the other, without another number, date, name or denial."""
    return differs(claim, by) is None and (share(claim, [by]) or 0.0) >= MOST_OF_IT


def _may_retire(new: MemoryUnit, old: MemoryUnit) -> bool:
    """What happened stays true, and so does what is said of something else.

    Without slots to compare, another name alone ("a dog called Rex", "a dog called Bello") is another thing, unless the
    claim tells of a change.
    """
    if old.kind == "event":
        return False
    if new.attribute and old.attribute:
        return normalised(new.attribute) == normalised(old.attribute)
    found = differences(claim_of(new), claim_of(old))
    return found != ("name",) or _CHANGE.search(claim_of(new)) is not None
