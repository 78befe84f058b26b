"""Filters on a search as boolean masks over the rows of a segment, taken before anything is ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.retrieval.scope_filter import matches, scope_fields
from agent_memory.scopes import ANY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.scope_filter import ScopeFilter

    Levels = tuple[str, str, str, str]
    Mask = NDArray[np.bool_]
    Rows = NDArray[np.int32]


def scope_mask(
    scopes: Sequence[Levels], codes: Rows, agent: str = ANY, run: str = ANY, scope_filter: ScopeFilter | None = None
) -> Mask:
    """Rows of that agent and run (`*` for any) that pass the filter; `codes` gives each row's place in `scopes`.

    Each scope is judged once, however many rows it has.
    """
    import numpy as np

    if agent == ANY and run == ANY and scope_filter is None:
        return np.ones(len(codes), np.bool_)
    admitted = [
        agent in (ANY, scope[2])
        and run in (ANY, scope[3])
        and (scope_filter is None or matches(scope_filter, scope_fields(scope)))
        for scope in scopes
    ]
    mask: Mask = np.array(admitted, np.bool_)[codes]
    return mask


def metadata_mask(rows_of: Mapping[tuple[str, str], Rows], wanted: Mapping[str, str], size: int) -> Mask:
    """Of `size` rows those that have every wanted key with exactly that value."""
    import numpy as np

    mask = np.ones(size, np.bool_)
    for pair in wanted.items():
        has_pair = np.zeros(size, np.bool_)
        has_pair[rows_of.get(pair, [])] = True
        mask &= has_pair
    return mask
