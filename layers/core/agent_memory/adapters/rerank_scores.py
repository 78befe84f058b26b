"""What all rerankers do with texts before a call and with scores after it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from agent_memory.errors import RerankerFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BLANK = "."  # what an empty text is sent as: the services refuse empty and blank ones
ROUNDING = 1e-3  # how far a service may stray over 0 or 1 before its scores count as logits


def sendable(text: str, most: int) -> str:
    """The first `most` characters, without lone surrogates, which no request can carry."""
    shown = text[:most].encode("utf-8", "replace").decode()
    return shown if shown.strip() else BLANK


def aligned(results: Iterable[tuple[Any, Any]], count: int) -> list[float]:
    """The scores of (index, score) pairs by index; raises RerankerFailed unless each of `count` is there once."""
    scores: dict[int, float] = {}
    for index, score in results:
        if type(index) is not int or not 0 <= index < count or index in scores:
            raise RerankerFailed("the reranking model named a text twice, or one that it was not given")
        scores[index] = _finite(score)
    if len(scores) < count:
        raise RerankerFailed(f"the reranking model scored {len(scores)} of {count} texts")
    return [scores[index] for index in range(count)]


def in_unit_range(scores: Sequence[float]) -> list[float]:
    """From 0 to 1 in the same order: where one lies outside, all are taken for logits of the logistic function.

    Logits that all happen to lie from 0 to 1 stay as they are; only their order is right then.
    """
    if any(not -ROUNDING <= score <= 1 + ROUNDING for score in scores):
        return [_logistic(score) for score in scores]
    return [min(max(score, 0.0), 1.0) for score in scores]


def _finite(score: Any) -> float:
    try:
        number = float(score) if type(score) in (int, float) else math.nan
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise RerankerFailed("the reranking model gave a score that is not a number")
    return number


def _logistic(score: float) -> float:
    """In the form whose exponential cannot overflow."""
    shrunk = math.exp(-abs(score))
    return 1 / (1 + shrunk) if score >= 0 else shrunk / (1 + shrunk)
