"""The judge that is a language model: one call for all new claims of a task that have memories near them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from agent_memory.errors import LlmFailed
from agent_memory.language_model import NOTHING_SPENT, LanguageModel, Spent
from agent_memory.model_calls import ask
from agent_memory.models import MemoryUnit
from agent_memory.settlement.by_model import KnownMemory, NewFact, judge_prompt, read_verdicts
from agent_memory.settlement.by_model import Verdict as Told
from agent_memory.settlement.context import claim_of
from agent_memory.settlement.duplicates import duplicate_of
from agent_memory.settlement.judge_rules import Verdict
from agent_memory.settlement.settle import Verdicts
from agent_memory.times import parse_rfc3339

LIKES = "likes "
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
    """What was said later is never retired for what was said before, nor one liking for another."""
    if told.action == "skip":
        return Verdict("skip", same=told.ids[0])
    said = parse_rfc3339(unit.created_at)
    older = tuple(
        each
        for each in told.ids
        if parse_rfc3339(known[each].created_at) <= said and not _are_two_likings(unit, known[each])
    )
    return Verdict("replace", retire=older) if told.action == "replace" and older else Verdict("write")


def _are_two_likings(one: MemoryUnit, other: MemoryUnit) -> bool:
    liked = [each.attribute or "" for each in (one, other)]
    return all(each.startswith(LIKES) for each in liked) and liked[0] != liked[1]
