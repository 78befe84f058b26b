"""Which units are meant, as boolean masks over the rows of a segment, taken before anything is ranked or listed."""

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
    from agent_memory.retrieval.segment import Segment

    Levels = tuple[str, str, str, str]
    Mask = NDArray[np.bool_]
    Rows = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Selection:
    """Units of one tenant. `agent` and `run` may be `*`; `metadata` must be equal key by key; all filters are ANDed.

    The bounds on `created_at` are inclusive milliseconds. What expired by `now_ms` is not meant.
    """

    agent: str = ANY
    run: str = ANY
    scope_filter: ScopeFilter | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    metadata_filter: MetadataFilter | None = None
    created_from: int = FIRST_MS
    created_to: int = LAST_MS
    now_ms: int = 0


EVERYTHING = Selection()


def selected(segment: Segment, selection: Selection) -> Mask:
    """The rows of the segment that are alive and meant."""
    size = len(segment.ids)
    mask = segment.alive & (segment.expires_ms > selection.now_ms)
    mask &= scope_mask(segment.scopes, segment.scope_codes, selection.agent, selection.run, selection.scope_filter)
    if selection.created_from > FIRST_MS:
        mask &= segment.created_ms >= selection.created_from
    if selection.created_to < LAST_MS:
        mask &= segment.created_ms <= selection.created_to
    if selection.metadata:
        mask &= metadata_mask(segment.metadata, selection.metadata, size)
    if selection.metadata_filter is not None:
        mask &= filter_mask(selection.metadata_filter, segment.metadata, size)
    return mask


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


def metadata_mask(rows_of: MetadataRows, wanted: Mapping[str, str], size: int) -> Mask:
    """Of `size` rows those that have every wanted key with exactly that value."""
    import numpy as np

    mask = np.ones(size, np.bool_)
    for key, value in wanted.items():
        has_pair = np.zeros(size, np.bool_)
        has_pair[rows_of.get(key, {}).get(value, [])] = True
        mask &= has_pair
    return mask
