"""The words of a step in those of the API: operations, fields, and filters in the way of other systems."""

from __future__ import annotations

from typing import Any

from tests.cases.case_files import NotServed

OPERATIONS = {"GetContext": "BuildContext", "GetSession": "BuildContext", "AppendSession": "AppendMessages"}
SCRIPTS = ("llmReply", "llmFault")  # what a stand-in for a language model is to say
OF_THE_DRIVER = ("op", "repeat", "holdQueue", "by", "followNextToken", "between", "mode", *SCRIPTS)
JUNCTIONS = ("and", "or", "not")
BOUNDS = ("gt", "gte", "lt", "lte")


def operation_of(step: dict[str, Any]) -> str:
    """The name under which the service knows the operation."""
    name = str(step["op"])
    return OPERATIONS.get(name, name)


def body_of(step: dict[str, Any]) -> dict[str, Any]:
    """The request body of a step, but for what only a run knows: ids and tokens. Unknown fields go to the service."""
    if step.get("mode", "keyword") != "keyword":
        raise NotServed(f"mode {step['mode']}")
    body = {name: value for name, value in step.items() if name not in OF_THE_DRIVER}
    if "mode" in step:
        body["keywordOnly"] = True
    if "timestamp" in body and "messages" in body:
        body["referenceTime"] = body.pop("timestamp")
    if "metadataFilter" in body:
        body["metadataFilter"] = filter_node(body["metadataFilter"])
    return {"memoryStoreName": "mem", **body}


def filter_node(written: Any) -> Any:
    """`{"year": {"$gte": "2025"}}` as a node of our grammar; a node of it, or what is no object, stays as it is.

    An operator that the grammar does not have becomes a node with that `op`: the service has to refuse it.
    """
    if not isinstance(written, dict) or "op" in written or not written:
        return written
    parts = [_part(name, value) for name, value in written.items()]
    return parts[0] if len(parts) == 1 else {"op": "and", "conditions": parts}


def _part(name: str, value: Any) -> Any:
    junction = name.removeprefix("$").lower()
    if junction not in JUNCTIONS:
        return _conditions(name, value)
    if junction == "not":
        inner = value[0] if isinstance(value, list) and len(value) == 1 else value
        return {"op": "not", "condition": filter_node(inner)}
    return {"op": junction, "conditions": [filter_node(each) for each in value] if isinstance(value, list) else value}


def _conditions(field: str, wanted: Any) -> Any:
    """The conditions on one field, several of them as a conjunction."""
    if not isinstance(wanted, dict):
        return {"op": "eq", "field": field, "value": wanted}
    operators = {name.removeprefix("$"): value for name, value in wanted.items()}
    bounds = {name: value for name, value in operators.items() if name in BOUNDS}
    nodes = [{"op": "range", "field": field, **bounds}] if bounds else []
    nodes += [_condition(field, name, value) for name, value in operators.items() if name not in BOUNDS]
    return nodes[0] if len(nodes) == 1 else {"op": "and", "conditions": nodes}


def _condition(field: str, name: str, value: Any) -> dict[str, Any]:
    if name == "in":
        return {"op": "in", "field": field, "values": value}
    if name == "nin":
        return {"op": "not", "condition": {"op": "in", "field": field, "values": value}}
    if name == "not":
        return {"op": "not", "condition": _conditions(field, value)}
    if name == "exists":
        node = {"op": "exists", "field": field}
        return node if value is True else {"op": "not", "condition": node}
    return {"op": name, "field": field, "value": value}
