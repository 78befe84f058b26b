"""What holds now, what held then, and what was replaced: searches, lists and their pages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_memory.retrieval.index_cache import IndexCache
from tests.conftest import SCOPE, Service
from tests.flows.moving_store import bring, export, fresh

TENANT = {"appId": "shop", "tenantId": "t1"}
HOMES = {
    "I live in Hamburg.": {"valid_to": "2026-03", "retired_at": "2026-03-05T00:00:00Z", "superseded_by": "f" * 32},
    "我住在杭州。": {"valid_from": "2026-03", "valid_to": "2026-06-01T00:00:00Z", "retired_at": "2026-06-02T00:00:00Z"},
    "I live in Porto.": {"valid_from": "2026-06-01T00:00:00Z"},
}
SAID = {"I live in Hamburg.": "2026-01-01T00:00:00Z", "我住在杭州。": "2026-03-05T00:00:00Z"}


@pytest.fixture
def homes(service: Service) -> Service:
    """Three memories of which each replaced the one before, as an import brings them."""
    for text in HOMES:
        said = SAID.get(text, "2026-06-02T00:00:00Z")
        service.add([{"role": "user", "content": text, "timestamp": said}], infer=False)
    service.drain()
    lines = [json.loads(line) for line in export(service, vectors=True)]
    for line in lines:
        if line["type"] == "memory":
            line["memory"] |= HOMES[line["memory"]["text"]]
    other = fresh("mem")
    assert bring(other, [json.dumps(line) for line in lines], "mem") == (6, 1, [])
    return other


def found(service: Service, **fields: Any) -> set[str]:
    return {hit["unit"]["text"] for hit in service.search("where I live 住在哪里", **fields)}


def listed(service: Service, **fields: Any) -> list[str]:
    answer = service.ok("ListMemories", {"memoryStoreName": "mem", "scope": SCOPE, **fields})
    return [memory["text"] for memory in answer["memories"]]


HAMBURG, HANGZHOU, PORTO = HOMES


def test_what_was_replaced_is_hidden(homes: Service) -> None:
    """From searches and lists, from an index that is loaded anew too."""
    for _ in range(2):
        assert found(homes) == {PORTO}
        assert listed(homes) == [PORTO]
        cache = IndexCache(homes.services.table, homes.services.embedder, max_bytes=1 << 30)
        homes.services.__dict__["indexes"] = cache


def test_include_invalid_shows_all(homes: Service) -> None:
    """With what took their place and when."""
    assert found(homes, includeInvalid=True) == set(HOMES)
    assert listed(homes, includeInvalid=True) == [PORTO, HANGZHOU, HAMBURG]
    units = {hit["unit"]["text"]: hit["unit"] for hit in homes.search("Hamburg", includeInvalid=True)}
    assert units[HAMBURG]["superseded_by"] == "f" * 32
    assert found(homes, includeInvalid=False) == {PORTO}


@pytest.mark.parametrize(
    ("moment", "held"),
    [
        ("2025-12-31T00:00:00Z", []),
        ("2026-01-01T00:00:00Z", [HAMBURG]),
        ("2026-02-28T23:59:59.999Z", [HAMBURG]),
        ("2026-03-02T00:00:00Z", []),
        ("2026-03-05T08:00:00+08:00", [HANGZHOU]),
        ("2026-05-31T23:59:59.999Z", [HANGZHOU]),
        ("2026-06-01T12:00:00Z", []),
        ("2026-06-02T00:00:00Z", [PORTO]),
        ("2036-01-01T00:00:00Z", [PORTO]),
    ],
)
def test_as_of_answers_what_held_then(homes: Service, moment: str, held: list[str]) -> None:
    """Of what had been said by then; bounds of whole months are their first instant, the end is not part of it."""
    assert found(homes, asOf=moment) == set(held)
    assert listed(homes, asOf=moment) == held


def test_the_record_decides(homes: Service) -> None:
    """A memory that is changed after the index was loaded is judged by what it is now."""
    as_of = {"asOf": "2026-02-01T00:00:00Z"}
    (memory,) = homes.search("Hamburg", **as_of)
    changed = {"memoryStoreName": "mem", "memoryId": memory["unit"]["id"]}
    homes.ok("DeleteMemory", changed)
    assert found(homes, **as_of) == set()
    assert listed(homes, **as_of) == []


def test_pages_of_the_past(homes: Service) -> None:
    """Each once; the token belongs to its instant."""
    body = {"memoryStoreName": "mem", "scope": TENANT, "query": "live 住在", "topK": 1, "includeInvalid": True}
    texts, token = [], {}
    while True:
        answer = homes.ok("SearchMemories", {**body, **token})
        texts += [hit["unit"]["text"] for hit in answer["results"]]
        if "nextToken" not in answer:
            break
        token = {"nextToken": answer["nextToken"]}
    assert sorted(texts) == sorted(HOMES)
    listing = {"memoryStoreName": "mem", "scope": SCOPE, "limit": 1}
    token = {"nextToken": homes.ok("ListMemories", {**listing, "includeInvalid": True})["nextToken"]}
    for changed in ({}, {"asOf": "2026-02-01T00:00:00Z"}):
        assert homes.refused("ListMemories", {**listing, **changed, **token})[0] == 400
    assert homes.ok("ListMemories", {**listing, "includeInvalid": True, **token})["memories"][0]["text"] == HANGZHOU


@pytest.mark.parametrize("operation", ["SearchMemories", "ListMemories"])
def test_either_all_or_an_instant(homes: Service, operation: str) -> None:
    """Both together mean nothing."""
    body: dict[str, Any] = {"memoryStoreName": "mem", "scope": {**TENANT, "agentId": "*"}}
    body |= {"query": "x"} if operation == "SearchMemories" else {}
    status, message = homes.refused(operation, {**body, "includeInvalid": True, "asOf": "2026-02-01T00:00:00Z"})
    assert (status, message) == (400, "includeInvalid must not stand beside asOf")


def test_what_expired_since_held_then(service: Service) -> None:
    """In searches and lists, as long as the record is there; now it is gone, with includeInvalid too."""
    said = "2026-11-30T10:00:00Z"
    service.add("My locker code this week is 4417.", infer=False, referenceTime=said, ttlSeconds=864_000)
    service.drain()
    service.clock.advance(31 * 86_400)
    for fields, count in (
        ({}, 0),
        ({"includeInvalid": True}, 0),
        ({"asOf": "2026-12-05T00:00:00Z"}, 1),
        ({"asOf": "2026-12-10T10:00:00Z"}, 0),
        ({"asOf": "2026-11-30T09:59:59Z"}, 0),
    ):
        assert len(service.search("locker code", **fields)) == count, fields
        assert len(listed(service, **fields)) == count, fields
