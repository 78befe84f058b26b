"""Whether a text stands in another one as a whole claim: from the beginning of a clause on, and under no condition."""

from __future__ import annotations

from collections.abc import Sequence

from agent_memory.settlement.clauses import Clause, clauses_of
from agent_memory.settlement.wording_lists import CONDITIONS, HAN_CONDITIONS, HAN_CONDITIONS_END, HAN_REPORTS, REPORTS

_LEAST_WORDS = 2  # a word alone claims nothing


def contained(text: str, other: str) -> bool | None:
    """Whether one is in the other: True if the text is the longer, False if not, None if neither is."""
    mine, its = clauses_of(text), clauses_of(other)
    if mine == its and mine:
        return False
    if _holds(its, mine):
        return False
    return True if _holds(mine, its) else None


def _holds(whole: Sequence[Clause], part: Sequence[Clause]) -> bool:
    flat = [word for clause in part for phrase in clause.phrases for word in phrase]
    if len(flat) < _LEAST_WORDS or any(_conditions(clause) for clause in whole):
        return False
    for start in range(len(whole) - len(part) + 1):
        *inner, last = zip(part, whole[start : start + len(part)], strict=True)
        is_reported = start > 0 and _reports(whole[start - 1])
        if not is_reported and all(mine == its for mine, its in inner) and _begins(last[1], last[0]):
            return True
    return False


def _begins(clause: Clause, part: Clause) -> bool:
    return clause.denied == part.denied and clause.phrases[: len(part.phrases)] == part.phrases


def _conditions(clause: Clause) -> bool:
    joined = "".join(clause.phrases[0])
    is_chinese = joined.startswith(HAN_CONDITIONS) or joined.endswith(HAN_CONDITIONS_END)
    return is_chinese or clause.phrases[0][0] in CONDITIONS


def _reports(clause: Clause) -> bool:
    last = clause.phrases[-1]
    return last[-1].rstrip("~") in REPORTS or "".join(last).endswith(HAN_REPORTS)
