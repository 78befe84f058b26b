"""What several answers hold."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

Instant = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Count = Annotated[int, Field(ge=0)]
Ratio = Annotated[float, Field(ge=0, le=1)]
NextToken = Annotated[str, Field(description="Sent with the same request, it gives the next page; the last has none.")]


class Levels(TypedDict):
    """The four levels of a scope, defaults filled in; `*` is any."""

    appId: str
    tenantId: str
    agentId: str
    runId: str
