"""From an API Gateway event to an answer: bodies, statuses, headers, instances, and the record of each call."""

from __future__ import annotations

import base64
import json
import sys
from dataclasses import asdict, dataclass, field
from typing import Any

import pytest

from agent_memory import errors
from agent_memory.audit import CallRecord
from agent_memory.errors import AgentMemoryError, ConditionFailed, InvalidParameter, ServerBusy
from agent_memory.http import STATUS_OF_CODE, endpoint
from agent_memory.requests.stores import StoreRequest
from agent_memory.services import Services, use_services
from tests.conftest import SCOPE, Service, make_service

MEM = '{"memoryStoreName":"mem"}'
SECRET = "我的密码是1234"
NO_OBJECT = "the body must be a JSON object"
NO_JSON = "the body must be a JSON object in UTF-8"


@dataclass
class Notes:
    """An audit and a logger that keep what they are given."""

    calls: list[CallRecord] = field(default_factory=list)
    lines: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def record(self, call: CallRecord) -> None:
        self.calls.append(call)

    def exception(self, message: str, *, extra: dict[str, Any]) -> None:
        self.lines.append((message, extra))


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def heard(notes: Notes) -> Service:
    """A service with one store, whose audit and log are `notes`."""
    made = make_service(audit=notes, logger=notes)
    made.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    notes.calls.clear()
    return made


def event(body: str | bytes, path: str = "/Echo", method: str = "POST", **headers: str) -> dict[str, Any]:
    """An event; bytes travel in base64."""
    encoded = isinstance(body, bytes)
    return {
        "version": "2.0",
        "rawPath": path,
        "headers": headers,
        "requestContext": {"http": {"method": method, "path": path}},
        "body": base64.b64encode(body).decode() if isinstance(body, bytes) else body,
        "isBase64Encoded": encoded,
    }


def echo(request: StoreRequest, _services: Services) -> dict[str, Any]:
    return {"name": request.memory_store_name, "instance": request.instance}


def failing(error: Exception) -> Any:
    """An endpoint whose only operation raises the error."""

    def use_case(_request: StoreRequest, _services: Services) -> dict[str, Any]:
        raise error

    return endpoint(Echo=(StoreRequest, use_case))


def call(service: Service, given: dict[str, Any], handler: Any = None) -> tuple[int, dict[str, Any]]:
    use_services(service.services)
    answer = (handler or endpoint(Echo=(StoreRequest, echo)))(given, None)
    assert answer["headers"]["content-type"] == "application/json"
    return answer["statusCode"], json.loads(answer["body"])


def refusal(service: Service, given: dict[str, Any], handler: Any = None) -> tuple[int, str, str]:
    """(status, code, message) of an error, whose body has exactly the three fields of the API."""
    status, answer = call(service, given, handler)
    assert set(answer) == {"code", "message", "requestId"}
    return status, answer["code"], answer["message"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("[]", NO_OBJECT),
        ("null", NO_OBJECT),
        ("1", NO_OBJECT),
        ('"虾"', NO_OBJECT),
        ("true", NO_OBJECT),
        ("{", NO_JSON),
        ("{'memoryStoreName':'mem'}", NO_JSON),
        (MEM + "x", NO_JSON),
        (" ", NO_JSON),
        ('{"memoryStoreName":NaN}', NO_JSON),
        ('{"memoryStoreName":Infinity}', NO_JSON),
        ('{"memoryStoreName":-Infinity}', NO_JSON),
        pytest.param('{"memoryStoreName":' + "9" * 5_000 + "}", NO_JSON, id="5,000 digits"),
        pytest.param("[" * 100_000, NO_JSON, id="deep"),
        pytest.param('{"a":' * 100_000, NO_JSON, id="deep objects"),
        pytest.param("[" * 100_000 + "]" * 100_000, NO_JSON, id="deep and closed"),
        ('{"memoryStoreName":"\ud800"}', NO_JSON),
        (b'{"memoryStoreName":"\xff"}', NO_JSON),
        (b"\xed\xa0\x80", NO_JSON),
        ('{"memoryStoreName":"mem"}'.encode("utf-16"), NO_JSON),
    ],
)
def test_a_body_is_one_json_object(heard: Service, body: str | bytes, message: str) -> None:
    """Other JSON, numbers that JSON has not, endless nesting and bytes that are no UTF-8 are refused in one way."""
    assert refusal(heard, event(body)) == (400, "INVALID_PARAMETER", message)


def test_a_body_in_broken_base64_is_refused(heard: Service) -> None:
    """As a body that is no JSON."""
    given = {**event(b""), "body": "%%%"}
    assert refusal(heard, given) == (400, "INVALID_PARAMETER", NO_JSON)


@pytest.mark.parametrize(
    "body",
    [
        MEM,
        MEM.encode(),
        f"\ufeff{MEM}",
        f"\ufeff{MEM}".encode(),
        f" {MEM}\n",
        '{"memoryStoreName":"x","memoryStoreName":"mem"}',
    ],
)
def test_what_passes_as_a_body(heard: Service, body: str | bytes) -> None:
    """Base64 or not, with a byte order mark or white space around; of a name given twice the last one counts."""
    assert call(heard, event(body)) == (200, {"name": "mem", "instance": "default"})


@pytest.mark.parametrize("body", ["", None, "{}"])
def test_no_body_is_an_empty_object(heard: Service, body: str | None) -> None:
    """The first missing field is what is wrong then."""
    given = {**event(""), "body": body}
    assert refusal(heard, given) == (400, "INVALID_PARAMETER", "memoryStoreName is required")


@pytest.mark.parametrize("encoded", [False, True])
def test_a_body_over_the_limit_is_too_large(heard: Service, encoded: bool) -> None:
    """At the limit it is read; bytes are counted, not characters of base64."""
    limit = heard.services.settings.max_body_bytes
    fits = MEM + " " * (limit - len(MEM))
    for body, status in ((fits, 200), (fits + " ", 413), ('{"memoryStoreName":"' + "虾" * (limit // 3) + '"}', 413)):
        assert call(heard, event(body.encode() if encoded else body))[0] == status


@pytest.mark.parametrize("name", ["memoryStoreName", "scope", "messages", "metadata", "interaction", "filter", "x"])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_nesting_just_below_what_can_be_read_is_no_failure(
    heard: Service, name: str, opening: str, closing: str
) -> None:
    """Whatever depth the reader allows, what comes behind it copes with."""
    for depth in range(sys.getrecursionlimit() - 140, sys.getrecursionlimit(), 3):
        body = f'{{"memoryStoreName":"mem","{name}":{opening * depth}1{closing * depth}}}'
        for operation in ("AddMemories", "SearchMemories", "ListMemoryStoreScopes"):
            assert heard.raw(operation, body)[0] == 400


@pytest.mark.parametrize("operation", ["AddMemories", "SearchMemories", "ListMemoryStoreScopes", "GetMemoryTask"])
def test_names_of_python_are_no_fields_of_the_api(heard: Service, operation: str) -> None:
    """`app_id` in a scope is as unknown as any other name, and would otherwise hide a misspelt request."""
    text = {"AddMemories": {"text": "a"}, "SearchMemories": {"query": "a"}, "GetMemoryTask": {"requestId": "q"}}
    scope = {"app_id": "shop", "tenant_id": "t1", "agent_id": "a1", "run_id": "r1"}
    body = {"memoryStoreName": "mem", "scope": scope, **text.get(operation, {})}
    status, answer, _ = heard.raw(operation, body)
    assert (status, "scope." in answer.get("message", "")) == (400, True)


def test_the_instance_is_a_header_and_no_field(heard: Service) -> None:
    """`default` without one; a body cannot choose it."""
    assert call(heard, event(MEM, **{"x-ots-instancename": "实例-1"}))[1]["instance"] == "实例-1"
    assert call(heard, event(MEM, **{"x-ots-instancename": ""}))[1]["instance"] == "default"
    body = '{"memoryStoreName":"mem","x-ots-instancename":"other"}'
    assert refusal(heard, event(body)) == (400, "INVALID_PARAMETER", "x-ots-instancename is a header, not a field")


@pytest.mark.parametrize("bad", ["i" * 65, "a\n", "a\x00", "a\x85", "\ud800"])
def test_an_instance_is_short_and_has_no_control_characters(heard: Service, bad: str) -> None:
    """64 characters; the name goes into keys and logs."""
    assert call(heard, event(MEM, **{"x-ots-instancename": "虾" * 64}))[0] == 200
    status, code, message = refusal(heard, event(MEM, **{"x-ots-instancename": bad}))
    assert (status, code) == (400, "INVALID_PARAMETER")
    assert message.startswith("x-ots-instancename must be")


def test_instances_do_not_see_each_other(heard: Service) -> None:
    """The same store name in two instances is two stores, with their own messages and tasks."""
    other = {"x_ots_instancename": "另一个"}
    assert heard.call("GetMemoryStore", MEM, **other)[0] == 404
    made = heard.ok("CreateMemoryStore", MEM, **other)
    assert made["otsInstance"] == "另一个"
    assert made["storeUid"] != heard.ok("GetMemoryStore", MEM)["storeUid"]
    added = heard.ok("AddMemories", {"memoryStoreName": "mem", "scope": SCOPE, "text": "我对虾过敏"})
    listing = {"memoryStoreName": "mem", "scope": SCOPE}
    assert len(heard.messages()) == 1
    assert heard.ok("ListMemoryStoreMessages", listing, **other)["session"]["messages"] == []
    task = {"memoryStoreName": "mem", "requestId": added["requestId"]}
    assert heard.call("GetMemoryTask", task, **other)[0] == 404
    assert heard.ok("DeleteMemoryStore", MEM, **other)
    assert heard.call("GetMemoryStore", MEM)[0] == 200
    assert [store["memoryStoreName"] for store in heard.ok("ListMemoryStores", {})["stores"]] == ["mem"]


@pytest.mark.parametrize("path", ["/Echo", "/prod/Echo", "/a/b/Echo"])
def test_an_operation_is_the_end_of_the_path(heard: Service, path: str) -> None:
    """Stages and base paths in front of it do not matter."""
    assert call(heard, event(MEM, path))[0] == 200


@pytest.mark.parametrize(
    "path",
    ["/", "", "/Echo/", "/echo", "/Echo/x", "/虾", pytest.param("/" + "x" * 5_000, id="long"), "/a\x00b", "/\ud800"],
)
@pytest.mark.parametrize("method", ["POST", "GET"])
def test_an_unknown_operation_is_not_found(heard: Service, path: str, method: str) -> None:
    """Names are exact; the answer repeats little of what was asked."""
    status, code, message = refusal(heard, event(MEM, path, method))
    assert (status, code) == (404, "NOT_FOUND")
    assert message.startswith("there is no operation")
    assert len(message) < 100


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "HEAD", "OPTIONS", "post"])
def test_operations_are_called_with_post(heard: Service, method: str) -> None:
    """Other methods of a known operation are not allowed."""
    found = refusal(heard, event(MEM, method=method))
    assert found == (405, "METHOD_NOT_ALLOWED", "Echo is called with POST")


def named_errors(base: type[AgentMemoryError] = AgentMemoryError) -> list[type[AgentMemoryError]]:
    return [base, *(found for child in base.__subclasses__() for found in named_errors(child))]


def made(kind: type[AgentMemoryError]) -> AgentMemoryError:
    if kind is ConditionFailed:
        return ConditionFailed()
    return InvalidParameter("虾", "is wrong") if kind is InvalidParameter else kind("虾 is wrong")


@pytest.mark.parametrize("kind", named_errors())
def test_every_named_error_has_its_status(heard: Service, kind: type[AgentMemoryError]) -> None:
    """The code of the error, and a status that tells whose fault it is."""
    error = made(kind)
    status, code, message = refusal(heard, event(MEM), failing(error))
    assert (status, code, message) == (STATUS_OF_CODE[kind.code], kind.code, error.message)
    assert status >= 500 or not kind.retryable or kind is ConditionFailed


def test_the_table_of_statuses_names_no_other_codes() -> None:
    """A code without its error would be dead, and clients must never see the one they take for no memory service."""
    codes = {kind.code for kind in named_errors()}
    assert codes == set(STATUS_OF_CODE)
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert len(codes) == len(kinds) - 1, "only a lost condition shares the code of a conflict"
    assert "JsonDecodeError" not in codes


def test_messages_of_errors_are_short_and_clean(heard: Service) -> None:
    """500 characters without control characters, whatever a caller put into a name."""
    _, _, message = refusal(heard, event(MEM), failing(ServerBusy("a\x00\ud800" + "虾" * 1_000)))
    assert message == "a\ufffd" + "虾" * 498


@pytest.mark.parametrize("error", [RuntimeError(SECRET), KeyError(SECRET), RecursionError(), MemoryError(SECRET)])
def test_an_unexpected_error_does_not_speak(heard: Service, notes: Notes, error: Exception) -> None:
    """500, logged once, and nothing of its text in answer or record."""
    status, code, message = refusal(heard, event(MEM), failing(error))
    assert (status, code) == (500, "INTERNAL_ERROR")
    assert SECRET not in message
    assert notes.lines[0][0] == "unexpected error"
    assert notes.lines[0][1]["operation"] == "Echo"
    assert SECRET not in str(notes.calls)


def test_the_request_id_finds_the_log_entry_of_an_unexpected_error(heard: Service, notes: Notes) -> None:
    """What a caller reports leads to the traceback."""
    _, answer = call(heard, event(MEM), failing(RuntimeError("x")))
    assert answer["requestId"] in str(notes.lines)


def test_the_request_id_is_a_lower_case_header(heard: Service) -> None:
    """One client looks it up case-sensitively; every other header is lower case as well."""
    for body, status in ((MEM, 200), ("[]", 400)):
        use_services(heard.services)
        answer = endpoint(Echo=(StoreRequest, echo))(event(body), None)
        assert answer["statusCode"] == status
        assert len(answer["headers"]["x-ots-requestid"]) == 32
        assert all(name == name.lower() for name in answer["headers"])
        assert answer["isBase64Encoded"] is False
    assert json.loads(answer["body"])["requestId"] == answer["headers"]["x-ots-requestid"]


@pytest.mark.parametrize("sync", [False, True])
def test_the_header_of_an_add_is_its_task(heard: Service, sync: bool) -> None:
    """A client overwrites the body's requestId by the header's, so both are the task's."""
    body = {"memoryStoreName": "mem", "scope": SCOPE, "text": "我对虾过敏", "sync": sync}
    status, answer, headers = heard.raw("AddMemories", body)
    assert (status, headers["x-ots-requestid"]) == (200, answer["requestId"])
    assert heard.task(answer["requestId"])["acceptedMessages"] == 1


def test_request_ids_differ(heard: Service, notes: Notes) -> None:
    """Of good calls and of refused ones, in answer and record alike."""
    given = [heard.raw("GetMemoryStore", body)[2]["x-ots-requestid"] for body in (MEM, MEM, "[]", "[]")]
    assert len(set(given)) == 4
    assert [record.request_id for record in notes.calls] == given


def test_answers_are_raw_utf8_without_a_code(heard: Service) -> None:
    """A client takes a top-level `code` for an envelope; Chinese is not escaped."""
    use_services(heard.services)
    answer = endpoint(Echo=(StoreRequest, lambda _request, _services: {"text": "虾"}))(event(MEM), None)
    assert answer["body"] == '{"text":"虾"}'


def test_every_call_leaves_one_record(heard: Service, notes: Notes) -> None:
    """What was called by whom about what, and how it ended."""
    body = {"memoryStoreName": "mem", "scope": SCOPE, "text": SECRET, "metadata": {"k": SECRET}}
    _, answer, _ = heard.raw("AddMemories", body, x_ots_instancename="default")
    started = heard.clock.now_ms
    assert notes.calls == [
        CallRecord(
            call_id=notes.calls[0].call_id,
            request_id=answer["requestId"],
            operation="AddMemories",
            instance="default",
            status=200,
            latency_ms=0,
            created_ms=started,
            store="mem",
            scope=SCOPE,
            summary="acceptedMessages=1",
        ),
    ]


def test_the_record_tells_how_long_it_took(heard: Service, notes: Notes) -> None:
    """Milliseconds from the start of the call, by the service's own clock."""

    def slow(_request: StoreRequest, _services: Services) -> dict[str, Any]:
        heard.clock.advance(1.5)
        return {}

    call(heard, event(MEM), endpoint(Echo=(StoreRequest, slow)))
    assert (notes.calls[0].latency_ms, notes.calls[0].created_ms) == (1_500, heard.clock.now_ms - 1_500)


@pytest.mark.parametrize(
    ("given", "recorded"),
    [
        (event("[]"), (400, "Echo", "")),
        (event('{"memoryStoreName":"no-name"}'), (400, "Echo", "")),
        (event(MEM, method="GET"), (405, "Echo", "mem")),
        (event(MEM, "/虾"), (404, "", "mem")),
    ],
)
def test_a_refused_call_is_recorded_too(
    heard: Service, notes: Notes, given: dict[str, Any], recorded: tuple[int, str, str]
) -> None:
    """With its code; an operation that does not exist has no name."""
    _, code, _ = refusal(heard, given)
    record = notes.calls[0]
    assert (record.status, record.operation, record.store) == recorded
    assert record.code == code


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"scope": {**SCOPE, "other": SECRET}},
        {"scope": SECRET},
        {"scope": [SECRET]},
        {SECRET: 1},
        {"messages": [{"role": "user", "content": SECRET, "timestamp": SECRET}]},
        {"metadata": {SECRET: 1}},
        {"query": SECRET, "scope": SCOPE},
    ],
)
@pytest.mark.parametrize("operation", ["AddMemories", "SearchMemories"])
def test_no_record_holds_what_was_said_or_asked(
    heard: Service, notes: Notes, operation: str, fields: dict[str, Any]
) -> None:
    """Neither of good calls nor of those refused because of it."""
    text = {"query": SECRET} if operation == "SearchMemories" else {"text": SECRET}
    heard.raw(operation, {"memoryStoreName": "mem", "scope": SCOPE, **text, **fields})
    assert len(notes.calls) == 1
    assert SECRET not in str(asdict(notes.calls[0]))


@pytest.mark.parametrize("name", [{"content": SECRET}, [SECRET]])
def test_no_record_holds_what_stands_in_the_place_of_the_name(heard: Service, notes: Notes, name: Any) -> None:
    """As for levels of the scope, only a string is a name."""
    heard.raw("AddMemories", {"memoryStoreName": name, "scope": SCOPE, "text": "a"})
    assert SECRET not in str(asdict(notes.calls[0]))


def test_a_record_has_exact_names_or_none(heard: Service, notes: Notes) -> None:
    """A name that was cut or cleaned could be somebody else's."""
    body = {"memoryStoreName": "mem\x00", "scope": {"appId": "虾" * 500, "runId": "r\n\ud800", "tenantId": 1}}
    heard.raw("AddMemories", body, x_ots_instancename="default\x07")
    record = notes.calls[0]
    assert (record.store, record.instance, record.scope) == ("", "", {})
