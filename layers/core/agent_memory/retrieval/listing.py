"""A tenant's units without a question: newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.retrieval.filters import Selection, selected
from agent_memory.retrieval.keyset import Order, Place, page

if TYPE_CHECKING:
    from agent_memory.retrieval.rows import Rows


@dataclass(frozen=True, slots=True)
class Listed:
    """A unit and its place in the listing: by `created_at`, newest first, then by id."""

    created_ms: int
    id: str


def list_rows(rows: Rows, selection: Selection, after: Listed | None, limit: int) -> list[Listed]:
    """At most `limit` of the units that are meant, behind `after`; `after` itself need not be there any more."""
    import numpy as np

    meant = np.flatnonzero(selected(rows, selection))
    created = rows.created_ms[meant]
    order = Order(
        score=created.astype(np.float64),  # milliseconds are exact there
        created_ms=created,
        groups=np.arange(len(meant), dtype=np.uint64),
        name=lambda entry: rows.id_of(int(meant[entry])),
    )
    behind = None if after is None else Place(float(after.created_ms), after.created_ms, after.id)
    return [Listed(int(created[entry]), order.name(entry)) for entry in page(order, behind, limit)]
