"""The shape of the answer to the extraction prompt, in what strict structured output takes of JSON Schema."""

from __future__ import annotations

from typing import Any, get_args

from agent_memory.extraction.facts import Kind, State

_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}

# Evidence first: a model that has named its source invents less.
_FACT = {
    "evidence": {"type": "array", "items": {"type": "integer"}},
    "owner": _TEXT,
    "kind": {"type": "string", "enum": list(get_args(Kind))},
    "text": _TEXT,
    "attribute": _TEXT_OR_NULL,
    "value": _TEXT_OR_NULL,
    "negated": {"type": "boolean"},
    "state": {"enum": [*get_args(State), None]},
    "importance": {"type": "integer"},
}

FACTS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": _FACT,
                "required": list(_FACT),
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}
