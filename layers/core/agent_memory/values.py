"""The two shapes of value in the service: records with our own names, and values that clients see in camelCase."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Value(BaseModel):
    """A frozen record that refuses unknown fields; `to_json` leaves out what is not set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_json(self) -> dict[str, Any]:
        """The value as JSON types, without the fields that are None."""
        return self.model_dump(mode="json", exclude_none=True, by_alias=True)


class WireValue(Value):
    """A value whose fields are camelCase on the wire and snake_case in Python."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)
