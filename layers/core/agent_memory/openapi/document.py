"""The OpenAPI 3.1 document: one POST for each operation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from agent_memory.openapi.answers.table import ANSWERS, SOME_OBJECT
from agent_memory.openapi.examples import example_of
from agent_memory.openapi.operations import Operation, operations
from agent_memory.openapi.refusals import component_of, refusals, statuses_of
from agent_memory.openapi.schemas import on_the_wire, schemas_of
from agent_memory.openapi.words import ABOUT, SECURITY
from agent_memory.requests.fields import INSTANCE_HEADER
from agent_memory.signin.presented import MAX_INSTANCE

VERSION = "1.0.0"  # of the API
DIALECT = "3.1.0"
JSON = "application/json"
FIRST = {"memories", "stores"}  # of the groups, what one needs to begin
_WORD = re.compile(r"[A-Z][a-z]*")


def document() -> dict[str, Any]:
    """The whole document. Imports every use case, which takes some tenths of a second."""
    found = operations()
    requests, answers = _keys(found, "request"), _keys(found, "answer")
    types = {requests[name]: each.request for name, each in found.items()}
    types |= {answers[name]: ANSWERS.get(name, SOME_OBJECT) for name in found}
    schemas, components = schemas_of(types)
    paths = {
        f"/{name}": {"post": _post(each, schemas[requests[name]], schemas[answers[name]], components)}
        for name, each in found.items()
    }
    return {
        "openapi": DIALECT,
        "info": {"title": "Agent Memory", "version": VERSION, "description": ABOUT},
        "servers": [{"url": "./", "description": "Where this document is"}],
        "security": [{name: []} for name in SECURITY] + [{}],
        "tags": _tags(found.values()),
        "paths": paths,
        "components": {
            "schemas": components,
            "responses": refusals(),
            "parameters": {"Instance": _instance()},
            "headers": {"RequestId": _request_id()},
            "securitySchemes": dict(SECURITY),
        },
    }


def _keys(found: Mapping[str, Operation], what: str) -> dict[str, str]:
    return {name: f"{name} {what}" for name in found}


def _post(
    operation: Operation, request: Mapping[str, Any], answer: Mapping[str, Any], components: Mapping[str, Any]
) -> dict[str, Any]:
    body = components[request["$ref"].rpartition("/")[2]]
    example = example_of(operation.name, request, components)
    return {
        "operationId": operation.name,
        "summary": _WORD.sub(lambda word: f" {word[0].lower()}", operation.name).strip().capitalize(),
        "description": on_the_wire(operation.request_words, body["properties"]),
        "tags": [operation.group],
        "parameters": [{"$ref": "#/components/parameters/Instance"}],
        "requestBody": {
            "required": bool(body.get("required")),
            "content": {JSON: {"schema": request, "example": example}},
        },
        "responses": {
            "200": _success(operation.answer_words, answer),
            **{f"{each}": {"$ref": f"#/components/responses/{component_of(each)}"} for each in statuses_of(operation)},
        },
    }


def _success(words: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "description": words,
        "headers": {"x-ots-requestid": {"$ref": "#/components/headers/RequestId"}},
        "content": {JSON: {"schema": schema}},
    }


def _tags(found: Iterable[Operation]) -> list[dict[str, str]]:
    words = {each.group: each.group_words for each in found}
    names = sorted(words, key=lambda name: (name not in FIRST, name))
    return [{"name": name, "description": words[name]} for name in names]


def _instance() -> dict[str, Any]:
    return {
        "name": INSTANCE_HEADER,
        "in": "header",
        "description": "The name space of the call, by default that of the key, or `default` without one.",
        "schema": {"type": "string", "maxLength": MAX_INSTANCE, "pattern": r"^[^\u0000-\u001f\u007f-\u009f]*$"},
    }


def _request_id() -> dict[str, Any]:
    return {
        "description": "The id of the call; of AddMemories the id of its task.",
        "required": True,
        "schema": {"type": "string"},
    }
