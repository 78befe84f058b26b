"""A tenant's units without a question: newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.retrieval.filters import Selection, selected
from agent_memory.retrieval.keyset import Order, Place, page, row_names

if TYPE_CHECKING:
    from agent_memory.retrieval.segment import Segment


@dataclass(frozen=True, slots=True)
class Listed:
    """A unit and its place in the listing: by `created_at`, newest first, then by id."""

    created_ms: int
    id: str


def list_rows(segments: Sequence[Segment], selection: Selection, after: Listed | None, limit: int) -> list[Listed]:
    """At most `limit` of the units that are meant, behind `after`; `after` itself need not be there any more."""
    import numpy as np

    rows = np.flatnonzero(np.concatenate([selected(segment, selection) for segment in segments]))
    created = np.concatenate([segment.created_ms for segment in segments])[rows]
    name_of = row_names(segments)
    order = Order(
        score=created.astype(np.float64),  # milliseconds are exact there
        created_ms=created,
        groups=np.arange(len(rows), dtype=np.uint64),
        name=lambda entry: name_of(int(rows[entry])),
    )
    behind = None if after is None else Place(float(after.created_ms), after.created_ms, after.id)
    return [Listed(int(created[entry]), order.name(entry)) for entry in page(order, behind, limit)]
