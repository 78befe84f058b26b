"""What the memories of a conversation know of new ones: those that claim of the same, and the nearest in meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.retrieval.block import Levels, slot_term
from agent_memory.retrieval.postings import term_hash
from agent_memory.retrieval.scan import cosines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.rows import Rows

    Numbers = NDArray[np.int64]

NEAREST = 8
LEAST_COSINE = 0.5
LATEST_OF_SLOT = 16  # more than one of a slot holds only where settling was not done, as after an import


@dataclass(frozen=True, slots=True)
class NewClaim:
    """A memory that is to be stored: its slot, empty for none, and its vector."""

    slot: str
    vector: NDArray[np.float32] | None


def known_to(rows: Rows, scope: Levels, claims: Sequence[NewClaim], now_ms: int) -> list[list[str]]:
    """For each claim the ids of current memories of exactly that scope.

    Those of its slot, newest first, then the nearest by cosine: at most `LATEST_OF_SLOT` and `NEAREST`.
    """
    import numpy as np

    code = rows.scopes.index(scope) if scope in rows.scopes else None
    if code is None:
        return [[] for _ in claims]
    meant = rows.current & (rows.scope_codes == code) & (rows.expires_ms > now_ms)
    candidates = np.flatnonzero(meant)
    found = ([*_of_slot(rows, claim.slot, meant), *_near(rows, claim, candidates)] for claim in claims)
    return [[rows.id_of(row) for row in dict.fromkeys(each)] for each in found]


def _of_slot(rows: Rows, slot: str, meant: NDArray[np.bool_]) -> list[int]:
    if not slot:
        return []
    import numpy as np

    found, _ = rows.postings.find(term_hash(slot_term(slot)))
    found = found[meant[found]]
    newest = np.argsort(-rows.created_ms[found], kind="stable")[:LATEST_OF_SLOT]
    return [int(row) for row in found[newest]]


def _near(rows: Rows, claim: NewClaim, candidates: Numbers) -> list[int]:
    import numpy as np

    is_most = 2 * len(candidates) > rows.size  # then a scan of all costs less than a copy of these
    near = cosines(rows, claim.vector)[candidates] if is_most else cosines(rows, claim.vector, candidates)
    best = np.argsort(-near, kind="stable")[:NEAREST]
    return [int(candidates[place]) for place in best if near[place] >= LEAST_COSINE]
