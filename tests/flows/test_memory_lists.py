"""ListMemories: scopes, order, pages that hold each memory once while others write, and the end of a page by size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent_memory.signin.limits import Limits, ScopeLimit
from agent_memory.signin.new_keys import Terms, make_api_key
from tests.conftest import SCOPE, Service

PLACES = [
    ("shop", "t1", "a1", "r1"),
    ("shop", "t1", "a1", "r2"),
    ("shop", "t1", "a2", "r1"),
    ("shop", "租户", "a1", "r1"),
    ("店", "t1", "a1", "r1"),
]


def scope_of(*levels: str) -> dict[str, str]:
    return dict(zip(("appId", "tenantId", "agentId", "runId"), levels, strict=False))


def page(service: Service, scope: Any = None, **fields: Any) -> dict[str, Any]:
    return service.ok("ListMemories", {"memoryStoreName": "mem", "scope": scope, **fields})


def pages(service: Service, scope: Any = None, between: Callable[[], object] = int, **fields: Any) -> list[Any]:
    """All memories, page by page; `between` is called after each page."""
    found: list[Any] = []
    token: dict[str, str] = {}
    while True:
        answer = page(service, scope, **fields, **token)
        found += answer["memories"]
        if "nextToken" not in answer:
            return found
        token = {"nextToken": answer["nextToken"]}
        between()


def texts(memories: list[dict[str, Any]]) -> list[str]:
    return [memory["text"] for memory in memories]


def say(service: Service, text: str, at: str = "2026-11-30T10:00:00Z", scope: Any = None, **fields: Any) -> None:
    message = {"role": "user", "content": text, "timestamp": at}
    service.add([message], scope=scope, infer=False, sync=True, **fields)


@pytest.fixture
def places(service: Service) -> Service:
    """One memory in each of the conversations of three tenants, and one of an application alone."""
    for levels in PLACES:
        say(service, "/".join(levels), scope=scope_of(*levels))
    say(service, "app alone", scope={"appId": "shop"})
    say(service, "default", scope={"appId": "__default__"})
    return service


@pytest.mark.parametrize(
    ("scope", "found"),
    [
        ({"appId": "shop", "tenantId": "t1", "agentId": "a1", "runId": "r1"}, {"shop/t1/a1/r1"}),
        ({"appId": "shop", "tenantId": "t1", "agentId": "a1", "runId": "*"}, {"shop/t1/a1/r1", "shop/t1/a1/r2"}),
        ({"appId": "shop", "tenantId": "t1", "agentId": "*"}, {"shop/t1/a1/r1", "shop/t1/a1/r2", "shop/t1/a2/r1"}),
        ({"appId": "shop", "tenantId": "t1"}, set()),
        ({"appId": "shop", "tenantId": "租户", "agentId": "*", "runId": ""}, {"shop/租户/a1/r1"}),
        ({"appId": "店", "tenantId": "*"}, {"店/t1/a1/r1"}),
        ({"appId": "*"}, {*("/".join(levels) for levels in PLACES), "app alone", "default"}),
        ({"appId": "shop"}, {"app alone"}),
        ({"appId": "shop", "tenantId": "", "agentId": None}, {"app alone"}),
        ({}, {"default"}),
        (None, {"default"}),
        ({"appId": "nobody", "tenantId": "*"}, set()),
    ],
)
def test_omitted_levels_are_the_default_and_stars_widen(places: Service, scope: Any, found: set[str]) -> None:
    """The rule of this operation: what is left out is `__default__`, what stands behind a star is a star."""
    assert set(texts(pages(places, scope))) == found


def test_the_scope_is_echoed_with_its_defaults(places: Service) -> None:
    """So a caller sees what was listed."""
    assert page(places)["scope"] == scope_of(*["__default__"] * 4)
    assert page(places, {"appId": "shop", "tenantId": "*"})["scope"] == scope_of("shop", "*", "*", "*")
    assert page(places, {"appId": "shop", "agentId": "*"})["scope"] == scope_of("shop", "__default__", "*", "*")


@pytest.mark.parametrize(
    ("scope", "problem"),
    [
        ({"appId": "*", "tenantId": "t1"}, "scope.tenantId must be '*'"),
        ({"appId": "shop", "tenantId": "t1", "agentId": "*", "runId": "r1"}, "scope.runId must be '*'"),
        ({"appId": "a/b"}, "scope.appId must not contain"),
        ({"appId": "x" * 129}, "scope.appId must be at most 128 bytes"),
        ({"appId": 7}, "scope.appId must be a string"),
        ({"tenant": "t1"}, "scope.tenant is not a known field"),
        ("shop", "scope must be an object"),
        ([], "scope must be an object"),
    ],
)
def test_scopes_that_are_refused(places: Service, scope: Any, problem: str) -> None:
    """The error names the level."""
    status, text = places.refused("ListMemories", {"memoryStoreName": "mem", "scope": scope})
    assert (status, text.startswith(problem)) == (400, True), text


def test_newest_first_by_when_it_was_said(service: Service) -> None:
    """Not by when it was written; within a tenant over all its conversations; the memory is as GetMemory shows it."""
    say(service, "中", "2026-02-01T00:00:00Z")
    say(service, "新", "2026-03-01T00:00:00.001Z", scope={**SCOPE, "agentId": "a2"})
    say(service, "旧", "2025-12-31T23:59:59Z", scope={**SCOPE, "runId": "r2"})
    listed = page(service, {"appId": "shop", "tenantId": "t1", "agentId": "*"})["memories"]
    assert texts(listed) == ["新", "中", "旧"]
    assert service.ok("GetMemory", {"memoryStoreName": "mem", "memoryId": listed[0]["id"]})["memory"] == listed[0]


def test_equal_times_have_one_order(service: Service) -> None:
    """By id; and tenants follow one another."""
    for number in range(6):
        say(service, f"note {number}")
        say(service, f"note {number}", scope={**SCOPE, "tenantId": "t2"})
    listed = page(service, {"appId": "shop", "tenantId": "*"})["memories"]
    assert [unit["scope"]["tenantId"] for unit in listed] == ["t1"] * 6 + ["t2"] * 6
    ids = [unit["id"] for unit in listed]
    assert (ids[:6], ids[6:]) == (sorted(ids[:6]), sorted(ids[6:]))


def test_250_memories_come_in_pages_each_once(service: Service) -> None:
    """50 by default and 100 at most on a page, until there is no token; another scope's token is refused."""
    for first in range(0, 250, 20):
        items = [{"role": "user", "content": f"条目 {n:03d}"} for n in range(first, min(first + 20, 250))]
        service.add(items, infer=False)
    say(service, "elsewhere", scope={**SCOPE, "tenantId": "t2"})
    service.drain()
    listed = pages(service, SCOPE, limit=100)
    assert sorted(texts(listed)) == [f"条目 {n:03d}" for n in range(250)]
    first = page(service, SCOPE)
    assert len(first["memories"]) == 50
    for changed in (
        {"scope": {**SCOPE, "tenantId": "t2"}},
        {"scope": {**SCOPE, "runId": "*"}},
        {"metadata": {"a": "b"}},
        {"filter": {"op": "exists", "field": "appId"}},
        {"metadataFilter": {"op": "exists", "field": "a"}},
        {"minTimestamp": 1},
        {"maxTimestamp": "2027-01-01T00:00:00Z"},
        {"nextToken": first["nextToken"][:-1]},
        {"nextToken": "记"},
    ):
        body = {"memoryStoreName": "mem", "scope": SCOPE, "nextToken": first["nextToken"], **changed}
        status, text = service.refused("ListMemories", body)
        assert (status, text.startswith("nextToken ")) == (400, True), changed
    other_size = page(service, SCOPE, nextToken=first["nextToken"], limit=1)
    assert texts(other_size["memories"]) == texts(listed)[50:51]


@pytest.mark.parametrize("limit", [0, 101, -1, 1.5, "10", True])
def test_limits_of_a_page(service: Service, limit: Any) -> None:
    """1 to 100."""
    status, text = service.refused("ListMemories", {"memoryStoreName": "mem", "limit": limit})
    assert (status, text.startswith("limit ")) == (400, True)


def test_a_last_page_that_is_full_has_no_token(service: Service) -> None:
    """The loop ends without an empty round."""
    for number in range(4):
        say(service, f"note {number}")
    assert "nextToken" not in page(service, SCOPE, limit=4)
    assert "nextToken" in page(service, SCOPE, limit=3)


def test_nothing_comes_twice_while_others_write(service: Service) -> None:
    """New ones on top, changed ones and deleted ones move no border between pages."""
    for number in range(9):
        say(service, f"note {number}", f"2026-11-0{number + 1}T00:00:00Z")
    listed = page(service, SCOPE)["memories"]
    steps = iter(range(100))

    def meddle() -> None:
        step = next(steps)
        say(service, f"late {step}", "2026-11-29T00:00:00Z")
        say(service, f"early {step}", "2026-10-01T00:00:00Z")
        service.ok("UpdateMemory", {"memoryStoreName": "mem", "memoryId": listed[8]["id"], "title": str(step)})
        if step == 0:  # the one that the token stands on, and one behind it
            for unit in (listed[2], listed[4]):
                service.ok("DeleteMemory", {"memoryStoreName": "mem", "memoryId": unit["id"]})

    found = texts(pages(service, SCOPE, meddle, limit=3))
    assert len(found) == len(set(found))
    assert [text for text in found if text.startswith("note")] == [f"note {n}" for n in (8, 7, 6, 5, 3, 2, 1, 0)]
    assert not [text for text in found if text.startswith("late")]


def test_pages_go_over_the_borders_of_tenants(places: Service) -> None:
    """Whatever the size of a page, each memory of each tenant once, in the order of one large page."""
    whole = texts(page(places, {"appId": "*"})["memories"])
    assert len(whole) == 7
    for limit in range(1, 8):
        assert texts(pages(places, {"appId": "*"}, limit=limit)) == whole


def test_many_empty_tenants_end_a_page(service: Service) -> None:
    """A call looks at some hundreds of tenants; an empty page with a token says that there are more."""
    for number in range(520):
        service.add("still queued", scope={"appId": "app", "tenantId": f"{number:03d}"})
    say(service, "the last", scope={"appId": "app", "tenantId": "999"})
    first = page(service, {"appId": "app", "tenantId": "*"})
    assert first["memories"] == []
    assert texts(page(service, {"appId": "app", "tenantId": "*"}, nextToken=first["nextToken"])["memories"]) == [
        "the last"
    ]


def test_a_page_of_long_texts_ends_by_size(service: Service) -> None:
    """An answer has a few megabytes at most; what does not fit comes next."""
    for number in range(80):
        say(service, f"{number} " + "x" * 31_000, f"2026-11-30T10:00:{number // 2:02d}Z")
    first = page(service, SCOPE, limit=100)
    assert 0 < len(first["memories"]) < 80
    found = pages(service, SCOPE, limit=100)
    assert len(found) == len({unit["id"] for unit in found}) == 80


def test_expired_memories_are_not_listed(service: Service) -> None:
    """From that moment on."""
    say(service, "long")
    say(service, "short", ttlSeconds=60)
    assert set(texts(page(service, SCOPE)["memories"])) == {"long", "short"}
    service.clock.advance(60)
    assert texts(page(service, SCOPE)["memories"]) == ["long"]


def test_a_limited_key_lists_its_own_tenant(places: Service) -> None:
    """By name; any pattern that reaches further is refused, and so is the default."""
    limits = Limits(scopes=(ScopeLimit(app_id="shop", tenant_id="租户"),))
    key = make_api_key(places.services.keyring, Terms(limits=limits, created_ms=places.clock.now_ms))
    body = {"memoryStoreName": "mem"}
    for scope, status in ((scope_of("shop", "租户", "*"), 200), (scope_of("shop", "*"), 403), (scope_of("*"), 403)):
        assert places.call("ListMemories", {**body, "scope": scope}, x_ots_apikey=key.secret)[0] == status
    assert places.call("ListMemories", body, x_ots_apikey=key.secret)[0] == 403


def test_unknown_stores_and_fields(service: Service) -> None:
    """404 and 400."""
    assert service.refused("ListMemories", {"memoryStoreName": "nope"})[0] == 404
    assert service.refused("ListMemories", {"memoryStoreName": "mem", "offset": 3})[0] == 400
    assert page(service)["memories"] == []
