"""Pages of a ranking that is ordered anew piece by piece: a window of hits is read, ordered, and handed out in pages.

A page token holds where the window starts and which of it were shown. So pages neither repeat a hit nor skip one, even
where the reranker fails on one of them, or memories are written between two of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

from agent_memory.retrieval.fusion import Ranking
from agent_memory.retrieval.hits import Hit
from agent_memory.retrieval.keyset import Place

TAIL = 12  # digits of an id that tell the hits of a window apart: a token has room for some hundred


@dataclass(frozen=True, slots=True)
class Window:
    """The `size` hits behind `after` in the index's own order; `shown` are the ends of the ids of those handed out.

    `by_words`: the first page was ranked without a vector, and so have the later ones to be.
    """

    size: int
    after: Place | None = None
    shown: tuple[str, ...] = ()
    by_words: bool = False

    @classmethod
    def of_token(cls, position: Mapping[str, Any], size: int) -> Window:
        """The window of a token's position ({}: the first); one that was begun keeps its size."""
        after = position.get("after")
        return cls(
            size=position.get("size", size),
            after=None if after is None else Place(*after),
            shown=tuple(position.get("shown", ())),
            by_words=position.get("byWords", False),
        )

    def to_token(self) -> dict[str, Any]:
        """The position that `of_token` reads."""
        begun = {"shown": self.shown, "size": self.size} if self.shown else {}
        after = {} if self.after is None else {"after": astuple(self.after)}
        return {**after, **begun, **({"byWords": True} if self.by_words else {})}

    @property
    def goes_on(self) -> bool:
        """Whether there was a page before."""
        return self.after is not None or bool(self.shown)

    def rest(self, hits: Sequence[Hit]) -> list[Hit]:
        """Those of the window that were not shown, given `size` + 1 hits behind `after`, if there are so many."""
        return [hit for hit in self.whole(hits) if self.is_new(hit)]

    def whole(self, hits: Sequence[Hit]) -> list[Hit]:
        """The same with those that were shown."""
        beyond = max(hits, key=_farness).id if len(hits) > self.size else ""
        return [hit for hit in hits if hit.id != beyond]

    def is_new(self, hit: Hit) -> bool:
        """Whether it was not shown."""
        return _tail(hit) not in self.shown

    def following(self, hits: Sequence[Hit], order: Sequence[Hit], count: int) -> Window | None:
        """Where the next page goes on once the first `count` of `order`, made of the rest, were shown; None: nowhere.

        `hits` are those that `rest` was given.
        """
        if count < len(order):
            return replace(self, shown=(*self.shown, *map(_tail, order[:count])))
        if len(hits) <= self.size:
            return None
        farthest = sorted(hits, key=_farness)[self.size - 1]
        return Window(self.size, farthest.place, by_words=self.by_words)


def rescored(hits: Sequence[Hit], scores: Sequence[float], by: str = "reranker") -> list[Hit]:
    """The hits with these scores and in their order, ties as they were; a context lifts the new score as the old one.

    `parts` tell both, the new one under the name of what it is `by`.
    """
    fresh = [_with_score(hit, score, by) for hit, score in zip(hits, scores, strict=True)]
    return sorted(fresh, key=lambda hit: -hit.place.score)


def _with_score(hit: Hit, score: float, by: str) -> Hit:
    ranking = hit.ranking
    if ranking is not None:
        lift = ranking.session_weight * score * (1 - score) if ranking.same_session else 0.0
        ranking = Ranking(score + lift, ranking.same_session, ranking.session_weight)
    return replace(hit, score=score, ranking=ranking, parts={**hit.parts, "local": hit.score, by: score})


def _tail(hit: Hit) -> str:
    return hit.id[-TAIL:]


def _farness(hit: Hit) -> tuple[float, int, str]:
    place = hit.place
    return (-place.score, -place.created_ms, place.id)
