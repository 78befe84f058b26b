"""Whether a text says what another one says already, by their wording alone.

The thresholds are those of the session-memory pipeline; they only count where what is left over changes nothing. That a
text has most letters of another proves little: "I drink tea" and "I drink beer", "Tom beats Anna" and "Anna beats Tom".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from agent_memory.claims.plain import plain
from agent_memory.settlement.clauses import affirmed, clauses_of, rearranged
from agent_memory.settlement.containment import contained
from agent_memory.settlement.differences import differences
from agent_memory.settlement.letters import few_edits, similar_letters
from agent_memory.text import normalised

Rule = Literal["exact", "contains", "jaccard", "levenshtein"]

_LEAST_SHARED = 0.3  # of the shorter one's words, else two texts are not looked at closely
_KEPT = 1_024
_PUNCTUATION = re.compile(r"[^\w\s%$€£¥+#°℃-]|_")
_ROUGH = re.compile(r"[a-z0-9]+|[^\W_]")
_ROUGH_LENGTH = 4  # letters that the forms of a word share
_COMMON_TEXT = """
i a an am is are the my me user you do does not don t m s ve in on at to of and
"""
_COMMON = frozenset(_COMMON_TEXT.split())


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Which of the others it is, and by which rule; `tells_more` if the new text has words that the other lacks."""

    index: int
    rule: Rule
    tells_more: bool = False


def duplicate_of(text: str, others: Sequence[str]) -> Duplicate | None:
    """The first of the others that says the same, by the strictest rule that finds one.

    Never one that `differs` in polarity, number, date or name; what only embeddings can tell is left to them.
    """
    folded = _bare(text)
    if not folded:
        return None
    near = [index for index, other in enumerate(others) if _is_near(text, other)]
    for rule, holds in _RULES:
        for index in near:
            more = holds(text, others[index])
            if more is not None and not differences(text, others[index]):
                return Duplicate(index, rule, more)
    return None


def same_but_for_polarity(one: str, other: str) -> bool:
    """Whether one denies the very sentence that the other affirms."""
    if differences(one, other) != ("polarity",):
        return False
    return rearranged(affirmed(clauses_of(one)), affirmed(clauses_of(other)))


def _is_near(one: str, other: str) -> bool:
    """A cheap look that lets everything pass that a rule could accept."""
    mine, its = _rough(one), _rough(other)
    return len(mine & its) >= _LEAST_SHARED * min(len(mine), len(its))


@lru_cache(maxsize=_KEPT)
def _rough(text: str) -> frozenset[str]:
    return frozenset(word[:_ROUGH_LENGTH] for word in _ROUGH.findall(plain(text).casefold()) if word not in _COMMON)


def _bare(text: str) -> str:
    return " ".join(_PUNCTUATION.sub(" ", normalised(text)).split())


def _exact(text: str, other: str) -> bool | None:
    return False if _bare(text) == _bare(other) else None


_RULES: tuple[tuple[Rule, Callable[[str, str], bool | None]], ...] = (
    ("exact", _exact),
    ("contains", contained),
    ("jaccard", similar_letters),
    ("levenshtein", few_edits),
)
