"""Which units are meant, as boolean masks over the rows of an index, taken before anything is ranked or listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent_memory.retrieval.metadata_filter import MetadataFilter, filter_mask
from agent_memory.retrieval.scope_filter import ScopeFilter, matches, scope_fields
from agent_memory.scopes import ANY
from agent_memory.times import FIRST_MS, LAST_MS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.metadata_rows import MetadataRows
    from agent_memory.retrieval.rows import Rows

    Levels = tuple[str, str, str, str]
    Mask = NDArray[np.bool_]
    Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Selection:
    """Units of one tenant. `agent` and `run` may be `*`; `metadata` must be equal key by key; all filters are ANDed.

    The bounds on `created_at` are inclusive milliseconds. What expired by `now_ms` is not meant, nor what was retired,
    unless `include_invalid`. With `as_of_ms` those are meant that had been said and held at that instant, retired since
    or not.
    """

    agent: str = ANY
    run: str = ANY
    scope_filter: ScopeFilter | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    metadata_filter: MetadataFilter | None = None
    created_from: int = FIRST_MS
    created_to: int = LAST_MS
    now_ms: int = 0
    include_invalid: bool = False
    as_of_ms: int | None = None


EVERYTHING = Selection()


def selected(rows: Rows, selection: Selection) -> Mask:
    """The rows that are alive and meant."""
    mask = _valid(rows, selection) & (rows.expires_ms > selection.now_ms)
    mask &= scope_mask(rows.scopes, rows.scope_codes, selection.agent, selection.run, selection.scope_filter)
    if selection.created_from > FIRST_MS:
        mask &= rows.created_ms >= selection.created_from
    if selection.created_to < LAST_MS:
        mask &= rows.created_ms <= selection.created_to
    if selection.metadata:
        mask &= metadata_mask(rows.metadata, selection.metadata, rows.size)
    if selection.metadata_filter is not None:
        mask &= filter_mask(selection.metadata_filter, rows.metadata, rows.size)
    return mask


def _valid(rows: Rows, selection: Selection) -> Mask:
    instant = selection.as_of_ms
    if instant is not None:
        held = (rows.valid_from_ms <= instant) & (instant < rows.valid_to_ms)
        return rows.alive & held & (rows.created_ms <= instant)
    return rows.alive.copy() if selection.include_invalid else rows.current


def scope_mask(
    scopes: Sequence[Levels], codes: Codes, agent: str = ANY, run: str = ANY, scope_filter: ScopeFilter | None = None
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


def metadata_mask(rows_of: MetadataRows, wanted: Mapping[str, str], size: int) -> Mask:
    """Of `size` rows those that have every wanted key with exactly that value."""
    import numpy as np

    mask = np.ones(size, np.bool_)
    for key, value in wanted.items():
        has_pair = np.zeros(size, np.bool_)
        has_pair[rows_of.get(key, {}).get(value, [])] = True
        mask &= has_pair
    return mask
