"""From the body of an event to the request of an operation; whatever is wrong with it is InvalidParameter."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from agent_memory.errors import InvalidParameter, PayloadTooLarge
from agent_memory.invalid import first_problem
from agent_memory.requests.fields import INSTANCE_HEADER, Request


def body_bytes(event: Mapping[str, Any], limit: int) -> bytes:
    """The body as it was sent; PayloadTooLarge for more than `limit` bytes."""
    text = event.get("body") or ""
    try:
        data = base64.b64decode(text, validate=True) if event.get("isBase64Encoded") else text.encode()
    except ValueError as error:
        raise InvalidParameter("", "the body must be a JSON object in UTF-8") from error
    if len(data) > limit:
        raise PayloadTooLarge(f"the body must be at most {limit} bytes")
    return data


def json_object(data: bytes) -> dict[str, Any]:
    """The JSON object in the bytes; no bytes are an empty one."""
    try:
        body = json.loads(data.decode("utf-8-sig") or "{}", parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidParameter("", "the body must be a JSON object in UTF-8") from error
    if not isinstance(body, dict):
        raise InvalidParameter("", "the body must be a JSON object")
    return body


def parsed(model: type[Request], body: Mapping[str, Any], instance: str) -> Request:
    """The request; the error names the first field that is wrong."""
    if INSTANCE_HEADER in body:
        raise InvalidParameter(INSTANCE_HEADER, "is a header, not a field")
    try:
        return model.model_validate({**body, INSTANCE_HEADER: instance}, by_alias=True, by_name=False)
    except ValidationError as error:
        raise InvalidParameter(*first_problem(error)) from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
