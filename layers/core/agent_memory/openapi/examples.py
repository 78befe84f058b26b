"""Example bodies: what an operation requires, with values that fit together across operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VALUES: Mapping[str, Any] = {
    "memoryStoreName": "shop_mem",
    "appId": "shop",
    "tenantId": "u42",
    "agentId": "bot",
    "runId": "s1",
    "role": "user",
    "content": "I wear size 43 shoes.",
    "query": "Which shoe size?",
    "requestId": "4b1e7a0c5d2f48e19a3c6b7d8e9f0a12",
    "memoryId": "1f0c2d3e4b5a69788796a5b4c3d2e1f0",
    "title": "Shoe size (EU)",
}
LEVELS = ("appId", "tenantId", "agentId", "runId")
# Of several optional fields these operations need one.
ALSO = {"AddMemories": ("messages",), "UpdateMemory": ("title",)}


def example_of(name: str, schema: Mapping[str, Any], components: Mapping[str, Any]) -> Any:
    """A small body that the operation accepts."""
    body = _value(schema, "", components)
    properties = _resolved(schema, components)["properties"]
    return {**body, **{each: _value(properties[each], each, components) for each in ALSO.get(name, ())}}


def _value(schema: Mapping[str, Any], name: str, components: Mapping[str, Any]) -> Any:
    if name in VALUES:
        return VALUES[name]
    schema = _resolved(schema, components)
    kinds = schema.get("type", "object")
    kind = kinds if isinstance(kinds, str) else kinds[0]
    if kind == "array":
        return [_value(schema["items"], "", components)]
    if kind == "object":
        properties = schema.get("properties", {})
        names = LEVELS if set(LEVELS) <= set(properties) else schema.get("required", ())
        return {each: _value(properties[each], each, components) for each in names}
    plain = {"string": "text", "boolean": True, "null": None}
    return schema["enum"][0] if "enum" in schema else plain.get(kind, schema.get("minimum", 0))


def _resolved(schema: Mapping[str, Any], components: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema that is referred to, and of several the first."""
    while "$ref" in schema or "anyOf" in schema:
        schema = components[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema["anyOf"][0]
    return schema
