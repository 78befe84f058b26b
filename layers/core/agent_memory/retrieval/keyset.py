"""Pages of an order that writers keep changing: one goes on behind the place of the last entry of the one before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.retrieval.fusion import best_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Place:
    """Where a unit stands: the higher score first, of equal ones the newer, then by id."""

    score: float
    created_ms: int
    id: str


@dataclass(frozen=True, slots=True)
class Order:
    """Entries by column. Of those of one group only the first in the order counts; `name` gives an entry's id."""

    score: NDArray[np.float64]
    created_ms: NDArray[np.int64]
    groups: NDArray[np.uint64]
    name: Callable[[int], str]


def page(order: Order, after: Place | None, size: int) -> list[int]:
    """At most `size` entries, in order, behind the place; none of a group that had its turn there or before."""
    import numpy as np

    rest = np.arange(len(order.score)) if after is None else _behind(order, after)
    best = best_rows(
        order.score[rest],
        order.created_ms[rest],
        order.groups[rest],
        lambda at: order.name(int(rest[at])),
        size,
    )
    return [int(rest[at]) for at in best]


def _behind(order: Order, after: Place) -> NDArray[np.int64]:
    import numpy as np

    equal = order.score == after.score
    behind = (order.score < after.score) | (equal & (order.created_ms < after.created_ms))
    for entry in np.flatnonzero(equal & (order.created_ms == after.created_ms)):
        behind[entry] = order.name(int(entry)) > after.id
    return np.flatnonzero(behind & ~np.isin(order.groups, order.groups[~behind]))
