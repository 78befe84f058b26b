"""GetMemoryTask, ListMemoryStoreMessages and ListMemoryStoreScopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import SCOPE, Service


def pages(call: Callable[..., dict[str, Any]], name: str, body: dict[str, Any], between: Any = None) -> list[Any]:
    """All answers of a listing, following its token."""
    answers, token = [], {}
    while True:
        answer = call(name, {**body, **token})
        answers.append(answer)
        if "nextToken" not in answer:
            return answers
        token = {"nextToken": answer["nextToken"]}
        if between:
            between()


def talk(service: Service, count: int, run: str = "r1") -> None:
    for start in range(0, count, 20):
        batch = [
            {"role": "user", "content": f"item {number:03d} 第{number}条", "messageId": f"{run}-{number}"}
            for number in range(start, min(count, start + 20))
        ]
        service.add(batch, scope={**SCOPE, "runId": run})
        service.clock.advance(0.001)


def test_a_conversation_is_listed_newest_first_and_whole(service: Service) -> None:
    """250 messages over pages: each once, latest first, though more arrive between the pages."""
    talk(service, 250)
    late = iter(range(1_000))

    def add_later() -> None:
        service.clock.advance(1)
        service.add(f"late {next(late)}")

    body = {"memoryStoreName": "mem", "scope": SCOPE, "limit": 100}
    answers = pages(service.ok, "ListMemoryStoreMessages", body, add_later)
    contents = [each["content"] for answer in answers for each in answer["session"]["messages"]]
    assert contents == [f"item {number:03d} 第{number}条" for number in reversed(range(250))]


def test_the_token_stands_in_both_places(service: Service) -> None:
    """Inside `session` for the command line and dashboard, at the top for the types."""
    talk(service, 3)
    answer = service.ok("ListMemoryStoreMessages", {"memoryStoreName": "mem", "scope": SCOPE, "limit": 2})
    assert answer["nextToken"] == answer["session"]["nextToken"]
    last = service.ok("ListMemoryStoreMessages", {"memoryStoreName": "mem", "scope": SCOPE, "limit": 3})
    assert "nextToken" not in last
    assert "nextToken" not in last["session"]


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({"minTimestamp": "2024-01-02T00:00:00Z"}, ["third", "second"]),
        ({"maxTimestamp": "2024-01-02T00:00:00Z"}, ["second", "first"]),
        ({"minTimestamp": 1_704_153_600_000, "maxTimestamp": "1704153600000"}, ["second"]),
        ({"minTimestamp": "2024-01-02T00:00:00.001Z", "maxTimestamp": "2024-01-02T23:00:00Z"}, []),
        ({"minTimestamp": None}, ["third", "second", "first"]),
    ],
)
def test_time_bounds_are_inclusive_and_in_either_form(
    service: Service, bounds: dict[str, Any], expected: list[str]
) -> None:
    """RFC 3339, Unix milliseconds as number or digits."""
    days = {"first": "2024-01-01T00:00:00Z", "second": "2024-01-02T00:00:00Z", "third": "2024-01-03T00:00:00Z"}
    service.add([{"role": "user", "content": text, "timestamp": at} for text, at in days.items()])
    assert [each["content"] for each in service.messages(**bounds)] == expected


def test_an_unknown_conversation_has_no_messages(service: Service) -> None:
    """200 and an empty list."""
    assert service.messages(scope={**SCOPE, "runId": "nowhere"}) == []


def test_a_token_is_good_for_its_own_call_only(service: Service) -> None:
    """Another scope, operation, filter, bound or store, a changed or a made-up token: 400 naming nextToken."""
    talk(service, 3)
    talk(service, 3, run="r2")
    service.ok("CreateMemoryStore", {"memoryStoreName": "other"})
    body = {"memoryStoreName": "mem", "scope": SCOPE, "limit": 1}
    token = service.ok("ListMemoryStoreMessages", body)["nextToken"]
    scopes = {"memoryStoreName": "mem", "limit": 1}
    for name, wrong in (
        ("ListMemoryStoreMessages", {**body, "scope": {**SCOPE, "runId": "r2"}}),
        ("ListMemoryStoreMessages", {**body, "minTimestamp": 0}),
        ("ListMemoryStoreMessages", {**body, "memoryStoreName": "other"}),
        ("ListMemoryStoreScopes", scopes),
        ("ListMemoryStores", {}),
    ):
        assert service.refused(name, {**wrong, "nextToken": token}) == (
            400,
            "nextToken does not belong to this operation, scope and filter",
        )
    for broken in (token[:-2], token + "AA", "A" * 40, "!!", "漢字", token[::-1]):
        assert service.refused("ListMemoryStoreMessages", {**body, "nextToken": broken})[0] == 400
    assert service.ok("ListMemoryStoreMessages", {**body, "nextToken": token})["session"]["messages"]


def test_a_token_outlives_the_process(service: Service) -> None:
    """The key that seals tokens is the table's, not the process's."""
    talk(service, 3)
    body = {"memoryStoreName": "mem", "scope": SCOPE, "limit": 2}
    token = service.ok("ListMemoryStoreMessages", body)["nextToken"]
    del service.services.__dict__["paging_key"]
    rest = service.ok("ListMemoryStoreMessages", {**body, "nextToken": token})
    assert [each["content"] for each in rest["session"]["messages"]] == ["item 000 第0条"]


def scopes_of(answers: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    return [tuple(scope.values()) for answer in answers for scope in answer["scopes"]]


@pytest.fixture
def tree(service: Service) -> Service:
    """2 applications x 3 tenants x 2 agents x 2 runs, hostile names among them."""
    for app in ("shop", "应用%2F"):
        for tenant in ("t1", "t%", "*x"):
            for agent in ("a", "a b"):
                for run in ("r1", "会话#1"):
                    where = {"appId": app, "tenantId": tenant, "agentId": agent, "runId": run}
                    service.add("I ski.", scope=where)
                    service.add("I surf.", scope=where)
    return service


@pytest.mark.parametrize("limit", [1, 5, 100])
def test_scopes_are_listed_each_once_over_all_pages(tree: Service, limit: int) -> None:
    """Whatever the page size, and though conversations arrive between the pages."""
    fresh = iter(range(1_000))

    def add_one() -> None:
        number = next(fresh)
        if number < 20:  # they sort behind the position: without an end of them the listing would have none
            tree.add("new", scope={**SCOPE, "tenantId": "t1", "runId": f"n{number:04d}"})

    answers = pages(tree.ok, "ListMemoryStoreScopes", {"memoryStoreName": "mem", "limit": limit}, add_one)
    found = scopes_of(answers)
    assert len(found) == len(set(found))
    assert len([scope for scope in found if not scope[3].startswith("n")]) == 24
    assert all(len(answer["scopes"]) <= limit for answer in answers)


@pytest.mark.parametrize(
    ("scope", "count"),
    [
        ({}, 24),
        ({"appId": "*", "tenantId": "*", "agentId": "*", "runId": "*"}, 24),
        ({"appId": "shop"}, 12),
        ({"appId": "应用%2F", "tenantId": "t%"}, 4),
        ({"appId": "shop", "tenantId": "t1", "agentId": "a"}, 2),
        ({"appId": "shop", "tenantId": "t1", "agentId": "a", "runId": "会话#1"}, 1),
        ({"appId": "shop", "tenantId": "t2"}, 0),
    ],
)
def test_omitted_levels_of_a_scope_listing_mean_any(tree: Service, scope: dict[str, str], count: int) -> None:
    """The dashboard sends only what was picked."""
    answer = tree.ok("ListMemoryStoreScopes", {"memoryStoreName": "mem", "scope": scope})
    assert len(answer["scopes"]) == count


def test_a_scope_filter_narrows_the_listing(tree: Service) -> None:
    """Looks at scope fields only; a bad one is refused with its path."""
    node = {"op": "not", "condition": {"op": "eq", "field": "tenantId", "value": "t1"}}
    answer = tree.ok("ListMemoryStoreScopes", {"memoryStoreName": "mem", "scope": {"appId": "shop"}, "filter": node})
    assert {scope["tenantId"] for scope in answer["scopes"]} == {"t%", "*x"}
    body = {"memoryStoreName": "mem", "filter": {"op": "near", "field": "tenantId", "value": "t1"}}
    status, message = tree.refused("ListMemoryStoreScopes", body)
    assert (status, message.startswith("filter")) == (400, True)


def test_a_task_is_found_by_its_id_alone_and_in_its_store_only(service: Service) -> None:
    """The scope is only a check of ownership."""
    service.ok("CreateMemoryStore", {"memoryStoreName": "other"})
    request_id = service.add("I ski.")["requestId"]
    body = {"memoryStoreName": "mem", "requestId": request_id}
    for scope in (SCOPE, {"appId": "shop"}, {"appId": "*"}, {"appId": "shop", "tenantId": "t1", "agentId": "*"}):
        assert service.ok("GetMemoryTask", {**body, "scope": scope})["task"]["requestId"] == request_id
    assert service.refused("GetMemoryTask", {**body, "scope": {**SCOPE, "tenantId": "t2"}})[0] == 400
    assert service.refused("GetMemoryTask", {**body, "memoryStoreName": "other"})[0] == 404


@pytest.mark.parametrize("request_id", ["0" * 32, "x", "%2F/../", "任务", "\u0000", "a" * 128])
def test_an_unknown_task_is_not_found(service: Service, request_id: str) -> None:
    """404 for whatever is no task, never anything else."""
    service.add("I ski.")
    assert service.refused("GetMemoryTask", {"memoryStoreName": "mem", "requestId": request_id})[0] == 404
