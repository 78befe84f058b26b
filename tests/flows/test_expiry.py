"""`expiresAt`, `ttlSeconds` and the default of a store: nobody reads what has expired, collected or not."""

from __future__ import annotations

from typing import Any

import pytest

from agent_memory.times import format_ms
from tests.conftest import SCOPE, Service
from tests.flows.stored_rows import everything_shown, rows
from tests.stand_ins import START_MS

TENANT = {"appId": "shop", "tenantId": "t1"}
DAY = 86_400


def shown(service: Service) -> list[int]:
    """How many memories are found and listed, messages listed and shown as evidence."""
    view = everything_shown(service, TENANT)
    found = service.ok(
        "SearchMemories", {"memoryStoreName": "mem", "scope": TENANT, "query": "虾", "includeEvidence": True}
    )
    return [len(found["results"]), len(view["memories"]), len(view["messages"]), len(found["evidence"])]


@pytest.mark.parametrize("fields", [{"ttlSeconds": 60}, {"expiresAt": format_ms(START_MS + 60_000)}])
def test_nobody_reads_what_has_expired(service: Service, fields: dict[str, Any]) -> None:
    """From that instant on: not in a search, a list, a conversation, as evidence, or by its id."""
    service.add("我对虾过敏", infer=False, **fields)
    service.drain()
    (unit,) = [each["unit"] for each in service.search("虾")]
    assert unit["expires_at"] == format_ms(START_MS + 60_000)
    assert service.messages()[0]["expiresAt"] == format_ms(START_MS + 60_000)
    service.clock.advance(59.999)
    assert shown(service) == [1, 1, 1, 1]
    service.clock.advance(0.001)
    assert shown(service) == [0, 0, 0, 0]
    assert service.call("GetMemory", {"memoryStoreName": "mem", "memoryId": unit["id"]})[0] == 404


def test_what_has_expired_is_collected_a_month_later(service: Service) -> None:
    """Until then questions about the past find it; message, mark and memory go together."""
    service.add("我对虾过敏", infer=False, ttlSeconds=60)
    service.drain()
    service.clock.advance(60 + 30 * DAY - 1)
    service.add("我养了一只猫", scope={**SCOPE, "appId": "other"})  # any write may collect
    assert [body for _, body in rows(service) if "虾" in body]
    service.clock.advance(DAY)
    service.add("我养了一只狗", scope={**SCOPE, "appId": "other"})
    service.add("我养了一只鸟", scope={**SCOPE, "appId": "other"})
    left = [key.sk for key, _ in rows(service) if "/shop/t1" in key.pk]
    assert not [sk for sk in left if sk.startswith(("at/", "id/", "unit/"))]


def test_what_is_said_again_after_it_expired_is_new(service: Service) -> None:
    """As if it had never been said, also while the old records are still there."""
    first = service.add("我对虾过敏", infer=False, ttlSeconds=60)
    service.drain()
    service.clock.advance(60)
    again = service.add("我对虾过敏", infer=False)
    service.drain()
    assert (first["duplicateMessages"], again["duplicateMessages"]) == (0, 0)
    assert shown(service) == [1, 1, 1, 1]
    (unit,) = [each["unit"] for each in service.search("虾")]
    assert ("expires_at" in unit, unit["seen_count"]) == (False, 1)


@pytest.mark.parametrize(
    ("first", "second", "lives"),
    [(60, 120, 120), (120, 60, 120), (60, None, None), (None, 60, None), (60, 60, 60)],
)
def test_what_is_said_again_lives_as_long_as_any_of_its_sayings(
    service: Service, first: int | None, second: int | None, lives: int | None
) -> None:
    """The later end counts, for message and memory; no end is the latest."""
    for seconds in (first, second):
        service.add("我对虾过敏", infer=False, ttlSeconds=seconds)
        service.drain()
    assert shown(service) == [1, 1, 1, 1]
    service.clock.advance((lives or 10 * DAY) - 0.001)
    assert shown(service) == [1, 1, 1, 1]
    service.clock.advance(0.001)
    expected = 1 if lives is None else 0
    assert shown(service) == [expected] * 4
    assert service.add("我对虾过敏")["duplicateMessages"] == expected


def test_a_store_may_have_a_default(service: Service) -> None:
    """For adds that say nothing; it may be changed and cleared, for later adds only."""
    service.ok("CreateMemoryStore", {"memoryStoreName": "brief", "defaultTtlSeconds": 60})
    assert service.ok("GetMemoryStore", {"memoryStoreName": "brief"})["defaultTtlSeconds"] == 60
    service.add("一", store="brief")
    service.add("二", store="brief", ttlSeconds=600)
    service.ok("UpdateMemoryStore", {"memoryStoreName": "brief", "defaultTtlSeconds": 3_600})
    service.add("三", store="brief")
    cleared = service.ok("UpdateMemoryStore", {"memoryStoreName": "brief", "defaultTtlSeconds": 0})
    assert "defaultTtlSeconds" not in cleared
    service.add("四", store="brief")
    told = {each["content"]: each.get("expiresAt") for each in service.messages("brief")}
    ends = [format_ms(START_MS + seconds * 1_000) for seconds in (60, 600, 3_600)]
    assert told == dict(zip("一二三四", [*ends, None], strict=True))
    service.clock.advance(60)
    assert [each["content"] for each in service.messages("brief")] == ["二", "三", "四"]


def test_a_life_is_counted_from_the_time_of_which_the_call_speaks(service: Service) -> None:
    """So what is filled in later has ended already where it would have, and still a job may run over it."""
    service.add("我对虾过敏", infer=False, ttlSeconds=60, referenceTime="2026-11-01T00:00:00Z")
    service.drain()
    assert shown(service) == [0, 0, 0, 0]


def test_an_end_in_the_past_is_no_error(service: Service) -> None:
    """It is stored, and nobody sees it; nor does an end outside all calendars break anything."""
    added = service.add("我对虾过敏", infer=False, expiresAt="1999-01-01T00:00:00Z")
    service.drain()
    assert service.task(added["requestId"])["status"] == "completed"
    assert shown(service) == [0, 0, 0, 0]
    service.add("我养了一只猫", ttlSeconds=100 * 366 * DAY, referenceTime="9999-12-31T00:00:00Z")
    service.drain()
    assert len(service.search("猫")) == 1


@pytest.mark.parametrize("seconds", [0, -1, 100 * 366 * DAY + 1, 10**30, 1.5, "60", True])
def test_a_life_that_is_none_is_refused(service: Service, seconds: Any) -> None:
    """Nothing is stored of the call."""
    fields = {"memoryStoreName": "mem", "scope": SCOPE, "text": "a", "ttlSeconds": seconds}
    status, message = service.refused("AddMemories", fields)
    assert (status, message[:10]) == (400, "ttlSeconds")
    assert service.messages() == []
