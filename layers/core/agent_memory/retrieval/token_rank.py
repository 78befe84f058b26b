"""A closer look at the best of a search: its token vectors against those of the question (`maxsim`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent_memory.retrieval.maxsim import telling_maxsim

if TYPE_CHECKING:
    from agent_memory.ports import TokenVectors

WEIGHT = 3.4
"""Logits per unit of cosine, by `tests/bench/token_gain.py` on what `ranker_weights.json` was fitted on (LoCoMo)."""
_EDGE = 1e-12


def token_scores(
    scores: Sequence[float],
    question: TokenVectors,
    memories: Sequence[TokenVectors | None],
    weight: float = WEIGHT,
) -> list[float]:
    """New scores in 0 to 1: each logit moved by how much nearer the memory's tokens are than those of the others.

    So it takes all that are ordered together at once. A memory without tokens of the question's dimensions stays.
    """
    usable = [place for place, each in enumerate(memories) if _fits(each, question)]
    if not usable:
        return list(scores)
    found = telling_maxsim(question, [each for each in memories if each is not None and _fits(each, question)]).tolist()
    usual = sum(found) / len(found)
    moved = list(scores)
    for place, value in zip(usable, found, strict=True):
        moved[place] = _moved(scores[place], weight * (value - usual))
    return moved


def _fits(tokens: TokenVectors | None, question: TokenVectors) -> bool:
    return tokens is not None and len(tokens) > 0 and len(question) > 0 and tokens.shape[1] == question.shape[1]


def _moved(score: float, by: float) -> float:
    inside = min(max(score, _EDGE), 1 - _EDGE)
    return round(1 / (1 + math.exp(-(math.log(inside / (1 - inside)) + by))), 9)
