"""From the filters of a request to the selection that an index understands, and the same rule for a record."""

from __future__ import annotations

from agent_memory.models import MemoryUnit
from agent_memory.ports import Item
from agent_memory.records import unit_of
from agent_memory.requests.filters import FilteredRequest
from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.metadata_filter import parse_metadata_filter
from agent_memory.retrieval.scope_filter import parse
from agent_memory.scopes import ScopePattern
from agent_memory.times import parse_rfc3339
from agent_memory.validity import held_at


def selection_of(request: FilteredRequest, scope: ScopePattern, now_ms: int) -> Selection:
    """The units of a tenant that the request means; InvalidParameter names the place of a mistake in a filter.

    A question about the past looks at expiry as it was then.
    """
    as_of_ms = request.as_of_ms
    return Selection(
        agent=scope.agent_id,
        run=scope.run_id,
        scope_filter=None if request.filter is None else parse(request.filter),
        metadata=request.metadata,
        metadata_filter=None if request.metadata_filter is None else parse_metadata_filter(request.metadata_filter),
        created_from=request.created_from,
        created_to=request.created_to,
        now_ms=now_ms if as_of_ms is None else as_of_ms,
        include_invalid=request.include_invalid,
        as_of_ms=as_of_ms,
    )


def is_meant_still(unit: MemoryUnit, selection: Selection) -> bool:
    """Whether a unit that an index selected passes by its record too, which may have been retired or expire since."""
    if unit.expires_at is not None and parse_rfc3339(unit.expires_at) <= selection.now_ms:
        return False
    if selection.as_of_ms is not None:
        return held_at(unit, selection.as_of_ms)
    return selection.include_invalid or not unit.retired


def record_is_meant(item: Item, selection: Selection) -> bool:
    """The same from a record, which is checked as a unit only where the past is asked for."""
    if selection.as_of_ms is not None:
        return is_meant_still(unit_of(item), selection)
    expires_at = item.body.get("expires_at")
    if expires_at is not None and parse_rfc3339(expires_at) <= selection.now_ms:
        return False
    return selection.include_invalid or not ("superseded_by" in item.body or "retired_at" in item.body)
