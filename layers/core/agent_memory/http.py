"""From an API Gateway HTTP API event (payload 2.0) to a use case and back. The HTTP statuses of errors live here."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from agent_memory.audit import CallRecord, about, error_text, instance_name
from agent_memory.errors import AgentMemoryError, DreamingDisabled, MethodNotAllowed, NotFound
from agent_memory.http_body import body_bytes, json_object, parsed
from agent_memory.requests.fields import INSTANCE_HEADER, Request
from agent_memory.services import Services, current_services
from agent_memory.signin.authenticate import DEFAULT_INSTANCE, authenticate, call_of
from agent_memory.signin.caller import ANYBODY, Caller
from agent_memory.signin.permissions import check_request
from agent_memory.text import clean

STATUS_OF_CODE = {
    "INVALID_PARAMETER": 400,
    "DREAMING_DISABLED": 400,
    "UNAUTHORIZED": 401,
    "OTSAuthFailed": 403,
    "OTSPermissionDenied": 403,
    "NOT_FOUND": 404,
    "METHOD_NOT_ALLOWED": 405,
    "CONFLICT": 409,
    "SCOPE_DELETED": 409,
    "PAYLOAD_TOO_LARGE": 413,
    "ITEM_TOO_LARGE": 413,
    "INTERNAL_ERROR": 500,
    "EMBEDDER_FAILED": 503,
    "RERANKER_FAILED": 503,
    "LLM_FAILED": 503,
    "LLM_TIMEOUT": 503,
    "LLM_UNAVAILABLE": 503,
    "LLM_THROTTLED": 503,
    "LLM_REFUSED": 503,
    "LLM_EMPTY_RESPONSE": 503,
    "LLM_BAD_JSON": 503,
    "OTSServerBusy": 503,
    "SERVICE_UNAVAILABLE": 503,
}
MAX_NAME = 128  # characters of a name that goes into a log
MAX_ERROR_TEXT = 500
DREAM = "MemoryDream"
STILL_TO_COME = ("Item", "Wiki")

Answer = dict[str, Any]
UseCase = Callable[[Any, Services], Answer]
Event = dict[str, Any]
Operations = dict[str, tuple[type[Request], UseCase]]


@dataclass
class Outcome:
    """One call while it is served: what is known of it so far, and its answer."""

    name: str
    started_ms: int
    call_id: str
    body: Answer = field(default_factory=dict)
    request: Request | None = None
    caller: Caller = ANYBODY
    status: int = 200
    answer: Answer = field(default_factory=dict)
    wrong: str = ""

    @property
    def request_id(self) -> str:
        """The answer's own id where it has one: of AddMemories it is the task's.

        A client overwrites the body's id with the header's, so both must be the same.
        """
        return str(self.answer.get("requestId", self.call_id))

    def refuse(self, error: AgentMemoryError, model: type[Request] | None) -> None:
        """The answer is that error."""
        self.status = STATUS_OF_CODE[error.code]
        message = clean(error.message)[:MAX_ERROR_TEXT]
        self.answer = {"code": error.code, "message": message, "requestId": self.call_id}
        self.wrong = error_text(error, model)


class Endpoint:
    """A Lambda handler for one or more operations, each `Name=(RequestModel, use_case)`.

    `operations` is the list of what it serves: the embedded server and the tests read the routes from it.
    """

    def __init__(self, operations: Operations) -> None:
        self.operations = operations

    def __call__(self, event: Event, _context: object) -> dict[str, Any]:
        """Answer the event; every failure becomes an error body with the status of its code."""
        services = current_services()
        outcome = Outcome(event.get("rawPath", "").rpartition("/")[2], services.now_ms(), services.new_id())
        try:
            self._serve(event, services, outcome)
        except AgentMemoryError as error:
            outcome.refuse(error, self._model(outcome.name))
        except Exception:
            known = {"operation": clean(outcome.name)[:MAX_NAME], "request_id": outcome.call_id}
            services.logger.exception("unexpected error", extra=known)
            outcome.refuse(AgentMemoryError("the service failed; the request id finds the log entry"), None)
            outcome.wrong = AgentMemoryError.code
        services.audit.record(self._record(event, outcome, services.now_ms()))
        made = response(outcome.status, outcome.answer, outcome.request_id)
        if outcome.status == HTTPStatus.METHOD_NOT_ALLOWED:
            made["headers"]["allow"] = "POST"
        signed = outcome.caller.sign(made["headers"], outcome.name, made["body"].encode(), services.now_ms())
        return {**made, "headers": signed}

    def _serve(self, event: Event, services: Services, outcome: Outcome) -> None:
        data = body_bytes(event, services.settings.max_body_bytes)
        outcome.body = json_object(data)  # before the sign-in: the record of a refused call says what it was about
        call = call_of(outcome.name, event.get("headers", {}), data, outcome.started_ms)
        outcome.caller = authenticate(call, services.keyring, required=services.settings.sign_in == "required")
        model, use_case = self._operation(event, outcome.name)
        outcome.request = parsed(model, outcome.body, outcome.caller.instance).asked_by(outcome.caller)
        check_request(outcome.caller, outcome.name, outcome.request)
        outcome.answer = use_case(outcome.request, services)

    def _record(self, event: Event, outcome: Outcome, now_ms: int) -> CallRecord:
        caller = outcome.caller
        return CallRecord(
            call_id=outcome.call_id,
            request_id=outcome.request_id,
            operation=outcome.name if outcome.name in self.operations else "",
            instance=instance_name(_named_instance(event)) if caller is ANYBODY else caller.instance,
            key_id=caller.key_id,
            status=outcome.status,
            latency_ms=now_ms - outcome.started_ms,
            created_ms=outcome.started_ms,
            error=outcome.wrong,
            **about(outcome.body, outcome.request, outcome.answer),
        )

    def _model(self, name: str) -> type[Request] | None:
        return self.operations[name][0] if name in self.operations else None

    def _operation(self, event: Event, name: str) -> tuple[type[Request], UseCase]:
        if name not in self.operations:
            raise unknown_operation(name)
        method = event.get("requestContext", {}).get("http", {}).get("method", "POST")
        if method != "POST":
            raise MethodNotAllowed(f"{name} is called with POST")
        return self.operations[name]


def unknown_operation(name: str) -> AgentMemoryError:
    """What a caller is told of an operation that nobody serves, those of the official API that are to come too."""
    if name.isidentifier() and DREAM in name:
        return DreamingDisabled(f"{name} is not served yet: Dream is still to come")
    if name.isidentifier() and any(word in name for word in STILL_TO_COME):
        return NotFound(f"{name} is not served yet: file memory and wikis are still to come")
    return NotFound(f"there is no operation {clean(name)[:64]!r}")


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


def _named_instance(event: Event) -> str:
    return str(event.get("headers", {}).get(INSTANCE_HEADER) or DEFAULT_INSTANCE)
