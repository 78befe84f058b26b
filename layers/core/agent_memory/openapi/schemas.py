"""JSON Schemas of requests and answers, as OpenAPI 3.1 takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from pydantic import TypeAdapter
from pydantic.alias_generators import to_snake
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from agent_memory.requests.fields import INSTANCE_HEADER

if TYPE_CHECKING:
    from pydantic_core import core_schema

REFERENCE = "#/components/schemas/{model}"
NULL = {"type": "null"}
MODE: Literal["validation"] = "validation"


class _Schemas(GenerateJsonSchema):
    """What may be left out may also be null, which is how the service reads it."""

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """The schema of a field that has a default."""
        return or_null(super().default_schema(schema))

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """The schema of a field that may be null."""
        return or_null(self.generate_inner(schema["schema"]))

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the shape of the base class
        """Names speak for themselves."""
        return False


def or_null(schema: JsonSchemaValue) -> JsonSchemaValue:
    """The schema, and null; that null is the default goes without saying."""
    kept = {name: value for name, value in schema.items() if name != "default" or value is not None}
    kinds = kept.get("type")
    if NULL in kept.get("anyOf", ()) or (isinstance(kinds, list) and "null" in kinds):
        return kept
    if isinstance(kinds, str) and "enum" not in kept and "const" not in kept:
        return {**kept, "type": [kinds, "null"]}
    around: dict[str, Any] = {name: kept.pop(name) for name in ("default", "description") if name in kept}
    return {"anyOf": [kept, NULL], **around}


def schemas_of(types: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A schema for each named type, and the components that they refer to."""
    adapters = [(name, MODE, TypeAdapter(each)) for name, each in types.items()]
    found, rest = TypeAdapter.json_schemas(adapters, by_alias=True, ref_template=REFERENCE, schema_generator=_Schemas)
    components = {name: _component(each) for name, each in sorted(rest.get("$defs", {}).items())}
    return {name: schema for (name, _), schema in found.items()}, components


def _component(schema: dict[str, Any]) -> dict[str, Any]:
    """A component without its title, which is its name, and without the field that comes from a header."""
    kept = {name: value for name, value in schema.items() if name != "title"}
    if "properties" in kept:
        kept["properties"] = {name: each for name, each in kept["properties"].items() if name != INSTANCE_HEADER}
    if "description" in kept:
        kept["description"] = on_the_wire(kept["description"], kept.get("properties", {}))
    return kept


def on_the_wire(words: str, properties: Mapping[str, Any]) -> str:
    """The words with the names that fields have outside Python."""
    for name in properties:
        words = words.replace(f"`{to_snake(name)}`", f"`{name}`")
    return words
