"""How the API's document shows fields that a function checks; limits that JSON Schema cannot say stand in words."""

from __future__ import annotations

from typing import Any

from pydantic import WithJsonSchema

INSTANT = WithJsonSchema({"type": "string", "format": "date-time"})
INSTANT_OR_MS = WithJsonSchema(
    {
        "type": ["integer", "string", "null"],
        "minimum": 0,
        "description": "Unix milliseconds as a number or as digits, or an RFC 3339 time.",
    }
)


def text(**schema: Any) -> WithJsonSchema:
    """A text with these keywords."""
    return WithJsonSchema({"type": "string", **schema})


def text_of_bytes(limit: int, **schema: Any) -> WithJsonSchema:
    """A text that is measured in bytes of UTF-8, of which a character has at least one."""
    return text(maxLength=limit, description=f"At most {limit:,} bytes of UTF-8.", **schema)


def identifier(limit: int) -> WithJsonSchema:
    """A text that names something."""
    return text(minLength=1, maxLength=limit, description="Without control characters.")


def words_by_name(max_keys: int, max_key: int, description: str, **value: Any) -> WithJsonSchema:
    """An object of texts; `value` are keywords of each."""
    return WithJsonSchema(
        {
            "type": "object",
            "additionalProperties": {"type": "string", **value},
            "propertyNames": {"minLength": 1, "maxLength": max_key},
            "maxProperties": max_keys,
            "description": description,
        }
    )
