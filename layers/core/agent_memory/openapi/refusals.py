"""How operations refuse: the statuses that each can answer, and the error body."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from agent_memory.errors import AgentMemoryError
from agent_memory.http import STATUS_OF_CODE
from agent_memory.openapi.operations import Operation
from agent_memory.signin.operations import RULES

MAKES_ITS_STORE = {"CreateMemoryStore"}


def statuses_of(operation: Operation) -> list[int]:
    """Every status of an error that the operation can answer; one that nobody described can answer all of them."""
    never = {int(HTTPStatus.METHOD_NOT_ALLOWED)}  # the document has no other method
    rule = RULES.get(operation.name)
    if rule is not None and rule.access == "reads":
        never.add(int(HTTPStatus.CONFLICT))
    if "memory_store_name" not in operation.request.model_fields or operation.name in MAKES_ITS_STORE:
        never.add(int(HTTPStatus.NOT_FOUND))
    return sorted(set(STATUS_OF_CODE.values()) - never)


def component_of(status: int) -> str:
    """The name of the response in the components."""
    return f"Status{status}"


def refusals() -> dict[str, Any]:
    """A response for each status of an error, by component name."""
    codes: dict[int, list[str]] = defaultdict(list)
    for code, status in STATUS_OF_CODE.items():
        codes[status].append(code)
    meanings = dict(_meanings(AgentMemoryError))
    return {component_of(status): _refusal(codes[status], meanings) for status in sorted(codes)}


def _refusal(codes: list[str], meanings: Mapping[str, str]) -> dict[str, Any]:
    listed = "\n".join(f"- `{code}`: {meanings[code]}" for code in codes)
    error: dict[str, Any] = {
        "type": "object",
        "required": ["code", "message", "requestId"],
        "properties": {
            "code": {"type": "string", "enum": codes},
            "message": {"type": "string", "description": "For people; its words may change."},
            "requestId": {"type": "string", "description": "Finds the call in the log of the service."},
        },
    }
    return {
        "description": listed,
        "headers": {"x-ots-requestid": {"$ref": "#/components/headers/RequestId"}},
        "content": {"application/json": {"schema": error}},
    }


def _meanings(error: type[AgentMemoryError]) -> Iterator[tuple[str, str]]:
    """(code, what it means) of an error and of all special cases of it; the base is what nobody foresaw."""
    own = (inspect.getdoc(error) or "").partition("\n\n")[0].replace("\n", " ")
    yield (
        error.code,
        "The service failed; `requestId` finds the reason in its log." if error is AgentMemoryError else own,
    )
    for special in error.__subclasses__():
        yield from _meanings(special)
