"""The facts that one English sentence states, found by rules: few and right rather than many."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent_memory.extraction.facts import Fact
from agent_memory.extraction.rules_en import (
    agreements,
    belongings,
    events,
    occasions,
    preferences,
    relations,
    states,
    tasks,
)
from agent_memory.extraction.rules_en.clauses import Clause, clauses, without_joint
from agent_memory.extraction.rules_en.vetoes import claims_nothing, is_no_order, is_unreal

_STRAIGHT = str.maketrans("’‘ʼ＇\u00a0\u202f\n\t", "''''    ")
_ASKS_BEHIND = re.compile(
    r",\s*(?:(?:and|but|so|by the way|btw),?\s+)?(?:did|do|does|can|could|would|will|is|are|what|where|when|who|how|why"
    r"|which|have|has|any)\b[^,?]{3,200}\?+\s*\Z",
    re.IGNORECASE,
)
_LONGEST_TEXT = 240
"""Characters up to which a fact keeps the whole sentence around its clause."""

Rule = Callable[[Clause], Fact | None]
_ORDERS: tuple[Rule, ...] = (agreements.find,)
_CLAIMS: tuple[Rule, ...] = (
    relations.find,
    preferences.find,
    states.find,
    occasions.find,
    belongings.find,
    tasks.find,
    events.find,
)


def facts_in(sentence: str, speaker: str) -> list[Fact]:
    """The facts of one sentence that `speaker` said in the first person; mostly none, never a guess.

    Two facts of one sentence have different texts, unless one clause tells both.
    """
    asks = _ASKS_BEHIND.search(sentence)
    if asks and "?" not in sentence[: asks.start()]:
        return facts_in(sentence[: asks.start()], speaker)
    straight = sentence.translate(_STRAIGHT)
    rules = _rules(straight)
    claims = [_claim(part, rules) for part in clauses(sentence, straight, speaker)] if rules else []
    found = _current([fact for fact in claims if fact is not None])
    return [_whole(found[0], sentence)] if len(found) == 1 else found


def _rules(straight: str) -> tuple[Rule, ...]:
    """The rules that may look at the sentence: a procedure begins like a question ("when I ask for code, use Go")."""
    if is_no_order(straight):
        return ()
    return _ORDERS if claims_nothing(straight) else _ORDERS + _CLAIMS


def _claim(part: Clause, rules: tuple[Rule, ...]) -> Fact | None:
    """What the first of the rules finds that finds anything."""
    allowed = _ORDERS if is_unreal(part.bare) else rules
    return next((fact for rule in allowed if (fact := rule(part)) is not None), None)


def _current(found: list[Fact]) -> list[Fact]:
    """Without the ends of states that the same sentence replaces: the new value of an attribute speaks for both."""
    held = {(fact.owner, fact.attribute) for fact in found if not fact.negated}
    return [fact for fact in found if not (fact.negated and (fact.owner, fact.attribute) in held)]


def _whole(fact: Fact, sentence: str) -> Fact:
    text = without_joint(sentence)
    return fact.model_copy(update={"text": text}) if len(text) <= _LONGEST_TEXT else fact
