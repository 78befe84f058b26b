"""Figures of one ranking: what was found, best first and each once, against what was wanted. Pure.

Recall, reciprocal rank and nDCG with binary relevance as in Manning, Raghavan, Schütze, Introduction to Information
Retrieval, chapter 8.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

SESSION_CUTS = (5, 10)
TURN_CUTS = (5, 10, 20, 50)
AVERAGE_CUT = 10
ALL_TEN = "turn all@10"
AVERAGE = f"R@{AVERAGE_CUT}"
MRR = "MRR"
NDCG = f"nDCG@{AVERAGE_CUT}"
_NORMAL_95 = 1.96

Names = set[str] | frozenset[str]


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, where it stands first."""
    return tuple(dict.fromkeys(names))


def found_any(found: Sequence[str], wanted: Names, cut: int) -> float:
    """1 if one of the wanted is among the first `cut`, else 0."""
    return float(not wanted.isdisjoint(found[:cut]))


def found_all(found: Sequence[str], wanted: Names, cut: int) -> float:
    """1 if all of the wanted are among the first `cut`, else 0."""
    return float(wanted.issubset(found[:cut]))


def found_share(found: Sequence[str], wanted: Names, cut: int) -> float:
    """The share of the wanted among the first `cut`."""
    return len(wanted.intersection(found[:cut])) / len(wanted)


def reciprocal_rank(found: Sequence[str], wanted: Names) -> float:
    """1 / rank of the first that is wanted, 0 without one."""
    return next((1 / rank for rank, name in enumerate(found, 1) if name in wanted), 0.0)


def ndcg(found: Sequence[str], wanted: Names, cut: int) -> float:
    """Discounted gain of the first `cut` over that of the best order there is."""
    gain = sum(_discount(rank) for rank, name in enumerate(found[:cut], 1) if name in wanted)
    return gain / sum(_discount(rank) for rank in range(1, min(len(wanted), cut) + 1))


def figures_of(found: Sequence[str], wanted: Names, session_of: Mapping[str, str]) -> dict[str, float]:
    """All figures of one question; `found` are distinct turns, `session_of` knows each of them and of the wanted."""
    sessions = distinct(session_of[turn] for turn in found)
    wanted_sessions = {session_of[turn] for turn in wanted}
    return {
        **{f"session any@{cut}": found_any(sessions, wanted_sessions, cut) for cut in SESSION_CUTS},
        **{f"session all@{cut}": found_all(sessions, wanted_sessions, cut) for cut in SESSION_CUTS},
        **{f"turn any@{cut}": found_any(found, wanted, cut) for cut in TURN_CUTS},
        **{f"turn all@{cut}": found_all(found, wanted, cut) for cut in TURN_CUTS},
        AVERAGE: found_share(found, wanted, AVERAGE_CUT),
        MRR: reciprocal_rank(found, wanted),
        NDCG: ndcg(found, wanted, AVERAGE_CUT),
    }


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each figure; all rows have the same ones. Nothing for no rows."""
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]} if rows else {}


def half_width(values: Sequence[float]) -> float:
    """Half of the 95 % interval of their mean, by the normal approximation; 0 for fewer than two."""
    if len(values) <= 1:
        return 0.0
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return _NORMAL_95 * math.sqrt(variance / len(values))


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of them do not exceed (nearest rank); ValueError for none."""
    if not values:
        raise ValueError("no values")
    return sorted(values)[max(math.ceil(share * len(values)), 1) - 1]


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)
