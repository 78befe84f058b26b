"""What narrows a search or a listing of memories, the same for both."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field, model_validator

from agent_memory.requests.fields import InstantOrMs, MetadataFilter, NextToken, Request, StoreName
from agent_memory.times import FIRST_MS, LAST_MS


class FilteredRequest(Request):
    """Filters on memories, all of which must hold, and the place to go on from.

    `filter` looks at scope fields. Additive: `metadata_filter` has the same grammar over metadata keys and `ne` beside
    `eq` (the key is there and different); `range` compares numbers where both sides are, else RFC 3339 times where both
    are, else text. `min_timestamp` and `max_timestamp` are inclusive bounds on `created_at`.
    """

    memory_store_name: StoreName
    filter: dict[str, Any] | None = None
    metadata: MetadataFilter = Field(default_factory=dict)
    metadata_filter: dict[str, Any] | None = None
    min_timestamp: InstantOrMs = None
    max_timestamp: InstantOrMs = None
    next_token: NextToken | None = None

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Self:
        if self.created_from > self.created_to:
            raise ValueError(".minTimestamp must not be after maxTimestamp")
        return self

    @property
    def created_from(self) -> int:
        """Lower bound on `created_at`, milliseconds."""
        return FIRST_MS if self.min_timestamp is None else self.min_timestamp

    @property
    def created_to(self) -> int:
        """Upper bound on `created_at`, milliseconds."""
        return LAST_MS if self.max_timestamp is None else self.max_timestamp
