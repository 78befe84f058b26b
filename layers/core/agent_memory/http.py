"""From an API Gateway HTTP API event (payload 2.0) to a use case and back. The HTTP statuses of errors live here."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from pydantic import ValidationError

from agent_memory.errors import AgentMemoryError, InvalidParameter, MethodNotAllowed, NotFound, PayloadTooLarge
from agent_memory.invalid import first_problem
from agent_memory.ports import CallRecord
from agent_memory.requests.fields import INSTANCE_HEADER, Request
from agent_memory.services import Services, current_services
from agent_memory.signin.authenticate import authenticate, call_of
from agent_memory.signin.caller import ANYBODY
from agent_memory.signin.permissions import check_request
from agent_memory.text import clean

STATUS_OF_CODE = {
    "INVALID_PARAMETER": 400,
    "UNAUTHORIZED": 401,
    "OTSAuthFailed": 403,
    "OTSPermissionDenied": 403,
    "NOT_FOUND": 404,
    "METHOD_NOT_ALLOWED": 405,
    "CONFLICT": 409,
    "CONDITION_FAILED": 409,
    "SCOPE_DELETED": 409,
    "PAYLOAD_TOO_LARGE": 413,
    "ITEM_TOO_LARGE": 413,
    "INTERNAL_ERROR": 500,
    "EMBEDDER_FAILED": 503,
    "OTSServerBusy": 503,
    "SERVICE_UNAVAILABLE": 503,
}
MAX_NAME = 128  # characters of a name that goes into a log
SCOPE_LEVELS = ("appId", "tenantId", "agentId", "runId")
MAX_ERROR_TEXT = 500

Answer = dict[str, Any]
UseCase = Callable[[Any, Services], Answer]
Event = dict[str, Any]
Operations = dict[str, tuple[type[Request], UseCase]]


class Endpoint:
    """A Lambda handler for one or more operations, each `Name=(RequestModel, use_case)`.

    `operations` is the list of what it serves: the embedded server and the tests read the routes from it.
    """

    def __init__(self, operations: Operations) -> None:
        self.operations = operations

    def __call__(self, event: Event, _context: object) -> dict[str, Any]:
        """Answer the event; every failure becomes an error body with the status of its code."""
        services = current_services()
        started = services.now_ms()
        name = event.get("rawPath", "").rpartition("/")[2]
        fallback_id = services.new_id()
        body: Answer = {}
        caller = ANYBODY
        try:
            limit = services.settings.max_body_bytes
            call = call_of(name, event.get("headers", {}), _body_bytes(event, limit), started)
            body = _json_body(event, limit)  # before the sign-in: the record of a refused call says what it was about
            caller = authenticate(call, services.keyring, required=services.settings.sign_in == "required")
            model, use_case = self._operation(event, name)
            request = _parse(model, body, caller.instance).asked_by(caller)
            check_request(caller, name, request)
            status, answer = 200, use_case(request, services)
        except AgentMemoryError as error:
            status, answer = STATUS_OF_CODE[error.code], _error(error.code, error.message)
        except Exception:
            known = {"operation": clean(name)[:MAX_NAME], "request_id": fallback_id}
            services.logger.exception("unexpected error", extra=known)
            status, answer = 500, _error("INTERNAL_ERROR", "the service failed; the request id finds the log entry")
        if status >= HTTPStatus.BAD_REQUEST:
            answer["requestId"] = fallback_id
        # AddMemories answers the task's id: a client overwrites the body's id with the header's, so both are the same.
        request_id = answer.get("requestId", fallback_id)
        services.audit.record(
            CallRecord(
                request_id=request_id,
                operation=name if name in self.operations else "",
                status=status,
                latency_ms=services.now_ms() - started,
                created_ms=started,
                code=answer.get("code", ""),
                **_subject(event, body),
            )
        )
        made = response(status, answer, request_id)
        signed = caller.sign(made["headers"], name, made["body"].encode(), services.now_ms())
        return {**made, "headers": signed}

    def _operation(self, event: Event, name: str) -> tuple[type[Request], UseCase]:
        if name not in self.operations:
            raise NotFound(f"there is no operation {clean(name)[:64]!r}")
        method = event.get("requestContext", {}).get("http", {}).get("method", "POST")
        if method != "POST":
            raise MethodNotAllowed(f"{name} is called with POST")
        return self.operations[name]


def endpoint(**operations: tuple[type[Request], UseCase]) -> Endpoint:
    """The Lambda handler that serves these operations."""
    return Endpoint(operations)


def response(status: int, answer: Answer, request_id: str) -> dict[str, Any]:
    """A payload 2.0 response; header names are lower case because a client reads them case-sensitively."""
    return {
        "statusCode": status,
        "headers": {"content-type": "application/json", "x-ots-requestid": request_id},
        "body": json.dumps(answer, ensure_ascii=False, separators=(",", ":")),
        "isBase64Encoded": False,
    }


def _error(code: str, message: str) -> Answer:
    return {"code": code, "message": clean(message)[:MAX_ERROR_TEXT]}


def _body_bytes(event: Event, limit: int) -> bytes:
    text = event.get("body") or ""
    try:
        data = base64.b64decode(text, validate=True) if event.get("isBase64Encoded") else text.encode()
    except ValueError as error:
        raise InvalidParameter("", "the body must be a JSON object in UTF-8") from error
    if len(data) > limit:
        raise PayloadTooLarge(f"the body must be at most {limit} bytes")
    return data


def _json_body(event: Event, limit: int) -> dict[str, Any]:
    try:
        body = json.loads(_body_bytes(event, limit).decode("utf-8-sig") or "{}", parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidParameter("", "the body must be a JSON object in UTF-8") from error
    if not isinstance(body, dict):
        raise InvalidParameter("", "the body must be a JSON object")
    return body


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _parse(model: type[Request], body: dict[str, Any], instance: str) -> Request:
    if INSTANCE_HEADER in body:
        raise InvalidParameter(INSTANCE_HEADER, "is a header, not a field")
    try:
        return model.model_validate({**body, INSTANCE_HEADER: instance}, by_alias=True, by_name=False)
    except ValidationError as error:
        raise InvalidParameter(*first_problem(error)) from error


def _subject(event: Event, body: Answer) -> dict[str, Any]:
    """What the call was about: instance, store and scope, bounded, and no other text."""
    scope, store = body.get("scope"), body.get("memoryStoreName")
    levels = scope if isinstance(scope, dict) else {}
    return {
        "instance": clean(str(event.get("headers", {}).get(INSTANCE_HEADER) or "default"))[:MAX_NAME],
        "store": clean(store)[:MAX_NAME] if isinstance(store, str) else "",
        "scope": {name: clean(levels[name])[:MAX_NAME] for name in SCOPE_LEVELS if isinstance(levels.get(name), str)},
    }
