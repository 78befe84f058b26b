"""From the filters of a request to the selection that an index understands."""

from __future__ import annotations

from agent_memory.requests.filters import FilteredRequest
from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.metadata_filter import parse_metadata_filter
from agent_memory.retrieval.scope_filter import parse
from agent_memory.scopes import ScopePattern


def selection_of(request: FilteredRequest, scope: ScopePattern, now_ms: int) -> Selection:
    """The units of a tenant that the request means; InvalidParameter names the place of a mistake in a filter."""
    return Selection(
        agent=scope.agent_id,
        run=scope.run_id,
        scope_filter=None if request.filter is None else parse(request.filter),
        metadata=request.metadata,
        metadata_filter=None if request.metadata_filter is None else parse_metadata_filter(request.metadata_filter),
        created_from=request.created_from,
        created_to=request.created_to,
        now_ms=now_ms,
    )
