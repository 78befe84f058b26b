"""Answers of the service against its own description, read strictly: what is not described must not be there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from agent_memory.openapi.document import document

JSON = "application/json"


def misfits(operation: str, status: int, answer: Any) -> list[str]:
    """What of an answer the document does not describe, each with its place."""
    found = sorted(_validator(operation, status).iter_errors(answer), key=str)
    return [f"{operation} {status} {error.json_path}: {error.message}" for error in found]


@cache
def _document() -> dict[str, Any]:
    return document()


@cache
def _validator(operation: str, status: int) -> Draft202012Validator:
    whole = _document()
    response = whole["paths"][f"/{operation}"]["post"]["responses"][str(status)]
    if "$ref" in response:
        response = whole["components"]["responses"][response["$ref"].rpartition("/")[2]]
    schema = response["content"][JSON]["schema"]
    return Draft202012Validator({**_closed(schema), "components": _closed(whole["components"])})


def _closed(schema: Any) -> Any:
    """The schema with every object that names its properties holding no others."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    closed = {name: _closed(each) for name, each in schema.items()}
    if isinstance(schema.get("properties"), Mapping):
        closed.setdefault("additionalProperties", False)
    return closed
