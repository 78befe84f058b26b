"""What narrows a search or a listing of memories, the same for both."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field, model_validator

from agent_memory.requests.fields import Flag, Instant, InstantOrMs, MetadataFilter, NextToken, Request, StoreName
from agent_memory.times import FIRST_MS, LAST_MS, parse_rfc3339


class FilteredRequest(Request):
    """Filters on memories, all of which must hold, and the place to go on from.

    `filter` looks at scope fields. Additive: `metadata_filter` has the same grammar over metadata keys and `ne` beside
    `eq` (the key is there and different); `range` compares numbers where both sides are, else RFC 3339 times where both
    are, else text. `min_timestamp` and `max_timestamp` are inclusive bounds on `created_at`. Memories that newer ones
    replaced come only with `include_invalid`. `as_of` asks for what held at that instant of all that had been said by
    then: also what was replaced or has expired since, as long as its record is there.
    """

    memory_store_name: StoreName
    filter: dict[str, Any] | None = None
    metadata: MetadataFilter = Field(default_factory=dict)
    metadata_filter: dict[str, Any] | None = None
    min_timestamp: InstantOrMs = None
    max_timestamp: InstantOrMs = None
    include_invalid: Flag = False
    as_of: Instant | None = None
    next_token: NextToken | None = None

    @model_validator(mode="after")
    def _filters_fit_together(self) -> Self:
        if self.created_from > self.created_to:
            raise ValueError(".minTimestamp must not be after maxTimestamp")
        if self.include_invalid and self.as_of is not None:
            raise ValueError(".includeInvalid must not stand beside asOf")
        return self

    @property
    def created_from(self) -> int:
        """Lower bound on `created_at`, milliseconds."""
        return FIRST_MS if self.min_timestamp is None else self.min_timestamp

    @property
    def created_to(self) -> int:
        """Upper bound on `created_at`, milliseconds."""
        return LAST_MS if self.max_timestamp is None else self.max_timestamp

    @property
    def as_of_ms(self) -> int | None:
        """The instant asked about, milliseconds; None for now."""
        return None if self.as_of is None else parse_rfc3339(self.as_of)
