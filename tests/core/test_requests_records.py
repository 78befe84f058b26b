"""Requests that read messages, tasks and scopes: fields, defaults, limits and the words of their errors."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from agent_memory.invalid import first_problem
from agent_memory.requests.fields import INSTANCE_HEADER, Request
from agent_memory.requests.records import (
    GetMemoryTaskRequest,
    ListMemoryStoreMessagesRequest,
    ListMemoryStoreScopesRequest,
)
from agent_memory.times import LAST_MS

SCOPE = {"appId": "shop", "tenantId": "t1", "agentId": "a1", "runId": "r1"}
BODIES: dict[type[Request], dict[str, Any]] = {
    GetMemoryTaskRequest: {"memoryStoreName": "mem", "requestId": "q1"},
    ListMemoryStoreMessagesRequest: {"memoryStoreName": "mem", "scope": SCOPE},
    ListMemoryStoreScopesRequest: {"memoryStoreName": "mem"},
}
PAGED = [(ListMemoryStoreMessagesRequest, 200, 500), (ListMemoryStoreScopesRequest, 100, 1_000)]
AT_TEN = 1_796_032_800_000


def valid(model: type[Request], **fields: Any) -> Any:
    return model.model_validate({**BODIES[model], **fields})


def refusal(model: type[Request], **fields: Any) -> str:
    with pytest.raises(ValidationError) as refused:
        valid(model, **fields)
    return " ".join(first_problem(refused.value))


@pytest.mark.parametrize(
    ("model", "names"),
    [
        (GetMemoryTaskRequest, "memoryStoreName requestId scope"),
        (ListMemoryStoreMessagesRequest, "memoryStoreName scope limit nextToken minTimestamp maxTimestamp"),
        (ListMemoryStoreScopesRequest, "memoryStoreName scope filter limit nextToken"),
    ],
)
def test_the_fields_are_those_of_the_api(model: type[Request], names: str) -> None:
    """No more, no less, in camelCase, beside the instance from the header."""
    assert {field.alias for field in model.model_fields.values()} == {*names.split(), INSTANCE_HEADER}


@pytest.mark.parametrize("model", BODIES)
@pytest.mark.parametrize("extra", ["instance", "request_id", "next_token", "orderBy", "未知"])
def test_an_unknown_field_is_named(model: type[Request], extra: str) -> None:
    """Python's own names are as unknown as misspelt ones."""
    assert refusal(model, **{extra: "x"}) == f"{extra} is not a known field"


@pytest.mark.parametrize(("model", "name"), [(model, name) for model, body in BODIES.items() for name in body])
def test_what_is_required(model: type[Request], name: str) -> None:
    """Each without one of its fields."""
    with pytest.raises(ValidationError) as refused:
        model.model_validate({key: value for key, value in BODIES[model].items() if key != name})
    assert first_problem(refused.value) == (name, "is required")


@pytest.mark.parametrize(("model", "default", "_most"), PAGED)
def test_defaults_of_a_page(model: type[Request], default: int, _most: int) -> None:
    """Absent and null alike."""
    names = [
        name for name in ("limit", "nextToken", "filter", "minTimestamp", "maxTimestamp") if name in aliases(model)
    ]
    for fields in ({}, dict.fromkeys(names)):
        page = valid(model, **fields)
        assert (page.limit, page.next_token) == (default, None)


def aliases(model: type[Request]) -> set[str | None]:
    return {field.alias for field in model.model_fields.values()}


@pytest.mark.parametrize(("model", "_default", "most"), PAGED)
def test_limits_of_a_page(model: type[Request], _default: int, most: int) -> None:
    """A whole number from one to the most, one over is refused."""
    assert [valid(model, limit=limit).limit for limit in (1, most)] == [1, most]
    assert refusal(model, limit=0) == "limit must be greater than or equal to 1"
    assert refusal(model, limit=most + 1) == f"limit must be less than or equal to {most}"
    for wrong in ("5", True, 5.0, [5], float("nan")):
        assert refusal(model, limit=wrong) == "limit must be a whole number"


@pytest.mark.parametrize("model", [ListMemoryStoreMessagesRequest, ListMemoryStoreScopesRequest])
def test_a_token_is_a_bounded_string(model: type[Request]) -> None:
    """8,192 characters; an empty one is the first page."""
    assert valid(model, nextToken="a" * 8_192).next_token == "a" * 8_192
    assert valid(model, nextToken="").next_token == ""
    assert refusal(model, nextToken="a" * 8_193) == "nextToken must have at most 8192 characters"
    assert refusal(model, nextToken={"after": "x"}) == "nextToken must be a string"
    assert refusal(model, nextToken="\ud800").startswith("nextToken must be a valid string")


@pytest.mark.parametrize("request_id", ["q", "a" * 128, "虾" * 128, "a\x00b", "../x"])
def test_a_request_id_is_whatever_text(request_id: str) -> None:
    """What no task has is not found later; it is no wrong request."""
    assert valid(GetMemoryTaskRequest, requestId=request_id).request_id == request_id


@pytest.mark.parametrize(
    ("request_id", "problem"),
    [
        ("", "must have at least 1 character"),
        ("a" * 129, "must have at most 128 characters"),
        (1, "must be a string"),
        (None, "must be a string"),
        ("\ud800", "must be a valid string, unable to parse raw data as a unicode string"),
    ],
)
def test_wrong_request_ids(request_id: Any, problem: str) -> None:
    """Empty, too long, or no text that a key could hold."""
    assert refusal(GetMemoryTaskRequest, requestId=request_id) == f"requestId {problem}"


def test_the_scope_of_a_task_is_an_optional_check() -> None:
    """Absent and null: no check; otherwise a pattern, open where it names nothing."""
    assert valid(GetMemoryTaskRequest).scope is None
    assert valid(GetMemoryTaskRequest, scope=None).scope is None
    assert valid(GetMemoryTaskRequest, scope={}).scope.levels == ("*", "*", "*", "*")
    assert valid(GetMemoryTaskRequest, scope={"appId": "shop"}).scope.levels == ("shop", "*", "*", "*")
    problem = refusal(GetMemoryTaskRequest, scope={"tenantId": "t1"})
    assert problem == "scope.tenantId must be '*' or omitted after a level that is '*' or omitted"


@pytest.mark.parametrize("level", SCOPE)
def test_messages_are_listed_of_one_conversation(level: str) -> None:
    """All four levels are named, none is `*`."""
    without = {name: value for name, value in SCOPE.items() if name != level}
    assert refusal(ListMemoryStoreMessagesRequest, scope=without) == f"scope.{level} is required"
    assert refusal(ListMemoryStoreMessagesRequest, scope={**SCOPE, level: ""}) == f"scope.{level} is required"
    starred = refusal(ListMemoryStoreMessagesRequest, scope={**SCOPE, level: "*"})
    assert starred == f"scope.{level} must not be '*' here"


def test_scopes_are_listed_from_any_pattern() -> None:
    """Without a scope everything; else by the prefix rule."""
    assert valid(ListMemoryStoreScopesRequest).scope.levels == ("*", "*", "*", "*")
    assert valid(ListMemoryStoreScopesRequest, scope={"appId": "商店"}).scope.levels == ("商店", "*", "*", "*")
    assert refusal(ListMemoryStoreScopesRequest, scope={"appId": "a", "agentId": "b"}).startswith("scope.agentId must")
    assert refusal(ListMemoryStoreScopesRequest, filter="x") == "filter must be an object"


def test_a_null_scope_of_a_listing_counts_as_absent() -> None:
    """As for every other field with a default."""
    assert valid(ListMemoryStoreScopesRequest, scope=None).scope.levels == ("*", "*", "*", "*")


@pytest.mark.parametrize("field", ["minTimestamp", "maxTimestamp"])
@pytest.mark.parametrize(
    ("given", "milliseconds"),
    [
        (AT_TEN, AT_TEN),
        (str(AT_TEN), AT_TEN),
        ("2026-11-30T10:00:00Z", AT_TEN),
        ("2026-11-30T18:00:00.000+08:00", AT_TEN),
        (0, 0),
        ("0", 0),
        ("1969-12-31T23:59:59Z", -1_000),
        (LAST_MS, LAST_MS),
        (None, None),
    ],
)
def test_bounds_are_instants_or_milliseconds(field: str, given: Any, milliseconds: int | None) -> None:
    """RFC 3339, a number or its digits; null is no bound."""
    assert valid(ListMemoryStoreMessagesRequest, **{field: given}).model_dump(by_alias=True)[field] == milliseconds


@pytest.mark.parametrize("field", ["minTimestamp", "maxTimestamp"])
@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (-1, "must not be negative"),
        (LAST_MS + 1, "is out of range"),
        (str(LAST_MS + 1), "is out of range"),
        pytest.param(10**4_000, "is out of range", id="4,000 digits"),
        (1.5, "must be an RFC 3339 time or Unix milliseconds"),
        (True, "must be an RFC 3339 time or Unix milliseconds"),
        ([0], "must be an RFC 3339 time or Unix milliseconds"),
        ("-1", "must be an RFC 3339 time such as 2026-11-30T10:00:00Z"),
        ("1.5", "must be an RFC 3339 time such as 2026-11-30T10:00:00Z"),
        ("", "must be an RFC 3339 time such as 2026-11-30T10:00:00Z"),
        ("１２３", "must be an RFC 3339 time such as 2026-11-30T10:00:00Z"),
        pytest.param("9" * 5_000, "must be an RFC 3339 time such as 2026-11-30T10:00:00Z", id="5,000 digits"),
        ("2026-11-31T10:00:00Z", "is not a day and time of the calendar (years 1 to 9999)"),
    ],
)
def test_wrong_bounds(field: str, wrong: Any, problem: str) -> None:
    """Negative, beyond the calendar, or no instant."""
    assert refusal(ListMemoryStoreMessagesRequest, **{field: wrong}) == f"{field} {problem}"


def test_bounds_are_in_order() -> None:
    """Equal ones ask for one instant; the first after the last is refused, whatever form each has."""
    assert valid(ListMemoryStoreMessagesRequest, minTimestamp=AT_TEN, maxTimestamp="2026-11-30T10:00:00Z")
    problem = refusal(ListMemoryStoreMessagesRequest, minTimestamp=str(AT_TEN + 1), maxTimestamp="2026-11-30T10:00:00Z")
    assert problem == "minTimestamp must not be after maxTimestamp"
