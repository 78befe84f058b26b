"""ExportMemoryStore and ImportMemories: a store leaves as lines of JSON and comes back as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_memory import keys
from agent_memory.ports import Item, Key
from agent_memory.scopes import Scope
from agent_memory.times import format_ms
from tests.conftest import SCOPE, Service
from tests.flows.moving_store import (
    ALLERGY,
    SCOPES,
    bring,
    bury,
    change_unit,
    export,
    export_pages,
    filled,
    fresh,
    items,
    kinds,
)
from tests.stand_ins import WordEmbedder


@pytest.fixture
def full(service: Service) -> Service:
    return filled(service)


@pytest.mark.parametrize("vectors", [True, False])
def test_a_store_comes_back_line_for_line(full: Service, vectors: bool) -> None:
    """Exported, imported into another store of a fresh service, exported again: the same but for the head."""
    lines = export(full, vectors=vectors)
    assert kinds(lines) == {"store": 1, "message": 20, "memory": 16, "history": 3}
    other = fresh()
    assert bring(other, lines, "other") == (39, 1, [])
    assert export(other, "other", vectors=vectors)[1:] == lines[1:]


@pytest.mark.parametrize("vectors", [True, False])
def test_searches_find_the_same_with_the_same_scores(full: Service, vectors: bool) -> None:
    """Hits, scores, similarities, evidence, whichever side made the vectors."""
    lines = export(full, vectors=vectors)
    other = fresh("mem")
    bring(other, lines, "mem")
    for scope in SCOPES:
        for query in ("虾 过敏", "shrimp allergy", "When did I move?", "quote"):
            body = {"memoryStoreName": "mem", "scope": scope, "query": query, "includeEvidence": True, "topK": 50}
            assert other.ok("SearchMemories", body) == full.ok("SearchMemories", body)
    assert other.messages(scope=SCOPES[3]) == full.messages(scope=SCOPES[3])
    everywhere = {"memoryStoreName": "mem"}
    assert other.ok("ListMemoryStoreScopes", everywhere) == full.ok("ListMemoryStoreScopes", everywhere)


def test_vectors_that_came_along_are_not_made_again(full: Service) -> None:
    """The embedder is asked for memories without a vector of its model only, and says so in the memory."""
    lines = export(full, vectors=True)
    embedder = WordEmbedder()
    assert bring(fresh(embedder=embedder), lines, "other")[2] == []
    assert embedder.calls == 0
    foreign = [line.replace('"model":"words-1"', '"model":"another"') for line in lines]
    other = fresh(embedder=embedder)
    assert bring(other, foreign, "other")[2] == []
    assert embedder.calls > 0
    assert export(other, "other", vectors=True)[1:] == lines[1:]


@pytest.mark.parametrize("limit", [1, 2, 7, 1000])
def test_pages_make_the_same_lines(full: Service, limit: int) -> None:
    """Whatever their size, none longer than asked for."""
    pages = export_pages(full, limit=limit)
    assert [line for page in pages for line in page][1:] == export(full)[1:]
    assert max(map(len, pages)) <= limit


def test_a_page_asked_for_again_is_the_same(full: Service) -> None:
    """A client that lost an answer asks with the token it had."""
    token: dict[str, str] = {}
    for _ in range(50):
        body = {"memoryStoreName": "mem", "limit": 3, **token}
        first = full.ok("ExportMemoryStore", body)
        assert full.ok("ExportMemoryStore", body)["lines"] == first["lines"]
        if "nextToken" not in first:
            return
        token = {"nextToken": first["nextToken"]}
    raise AssertionError("no end")


def test_writes_between_pages_move_nothing(full: Service) -> None:
    """What was there at the start comes exactly once, though messages, memories, versions and tenants are added."""
    before = export(full)
    number = iter(range(1_000))

    def write() -> None:
        count = next(number)
        if count > 30:
            return
        full.clock.advance(1)
        for scope in (*SCOPES, {**SCOPE, "tenantId": f"new{count:02d}"}):
            full.add(f"news number {count}", scope=scope, referenceTime=f"{2000 + count}-01-01T00:00:00Z")
        full.drain()

    after = [line for page in export_pages(full, limit=2, between=write) for line in page]
    assert len(after) == len(set(after))
    assert set(before[1:]) <= set(after)
    assert bring(fresh(), after, "other")[2] == []


def test_a_memory_that_changes_between_its_pages_stays_importable(full: Service) -> None:
    """Its versions are those before the one that was exported, also when it changed or went since."""
    lines = export_pages(full, include=["memories"], scope=SCOPES[0], limit=1)
    assert kinds([line for page in lines for line in page])["history"] == 2
    pages = export_pages(
        full,
        include=["memories"],
        scope=SCOPES[0],
        limit=1,
        between=lambda: change_unit(full, SCOPES[0], title="again") and None,
    )
    assert bring(fresh(), [line for page in pages for line in page], "other")[2] == []


def test_pages_are_bounded_in_bytes(service: Service) -> None:
    """Under a megabyte each, though a thousand lines would be more, and nothing is lost."""
    for number in range(70):
        service.add([{"role": "user", "content": f"{number} " + "虾" * 10_600}], infer=False)
        service.clock.advance(1)
    pages = export_pages(service, include=["messages"], limit=1000)
    assert [sum(len(line.encode()) + 1 for line in page) <= 1_000_000 for page in pages] == [True] * len(pages)
    assert sum(map(len, pages)) == 71


def test_what_nobody_sees_is_not_exported(full: Service) -> None:
    """Expired, deleted one by one, or deleted with its scope."""
    full.clock.advance(2 * 86_400)
    lines = export(full)
    assert kinds(lines) == {"store": 1, "message": 16, "memory": 12, "history": 3}
    assert "Hamburg" not in "".join(lines)
    full.ok("DeleteScope", {"memoryStoreName": "mem", "scope": {"appId": "shop", "tenantId": "t%2F1"}})
    bury(full, SCOPES[0])
    rest = "\n".join(export(full))
    assert "t%2F1" not in rest
    assert "must not eat shrimp" not in rest
    assert kinds(export(full)) == {"store": 1, "message": 12, "memory": 8, "history": 1}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"include": ["messages"]}, {"store": 1, "message": 20}),
        ({"include": ["memories"]}, {"store": 1, "memory": 16, "history": 3}),
        ({"scope": {"appId": "shop"}}, {"store": 1, "message": 15, "memory": 12, "history": 2}),
        ({"scope": {"appId": "应用", "tenantId": "*"}}, {"store": 1, "message": 5, "memory": 4, "history": 1}),
        ({"scope": SCOPES[1]}, {"store": 1, "message": 5, "memory": 4}),
        ({"scope": {**SCOPE, "runId": "*"}, "include": ["messages"]}, {"store": 1, "message": 10}),
        ({"scope": {"appId": "nowhere"}}, {"store": 1}),
    ],
)
def test_a_part_can_be_exported(full: Service, asked: dict[str, Any], expected: dict[str, int]) -> None:
    """By scope and by kind, in pages of any size."""
    lines = export(full, **asked)
    assert kinds(lines) == expected
    assert [line for page in export_pages(full, limit=3, **asked) for line in page][1:] == lines[1:]


def test_the_head_says_what_the_file_is(full: Service) -> None:
    """Format, instant, settings, and what was asked for."""
    head = json.loads(export(full, scope={"appId": "shop"}, include=["messages"])[0])
    assert head["type"] == "store"
    assert head["format"] == 1
    assert head["exportedAt"] == format_ms(full.clock.milliseconds())
    assert head["store"] == full.ok("GetMemoryStore", {"memoryStoreName": "mem"})
    assert head["asked"]["include"] == ["messages"]
    assert head["asked"]["scope"]["appId"] == "shop"


@pytest.mark.parametrize(
    "other", [{"scope": {"appId": "shop"}}, {"include": ["messages"]}, {"vectors": True}, {"memoryStoreName": "second"}]
)
def test_a_token_is_good_for_its_own_export_only(full: Service, other: dict[str, Any]) -> None:
    """Another scope, part, form or store is refused; the page size may change."""
    full.ok("CreateMemoryStore", {"memoryStoreName": "second"})
    body = {"memoryStoreName": "mem", "limit": 4}
    token = full.ok("ExportMemoryStore", body)["nextToken"]
    assert full.refused("ExportMemoryStore", {**body, **other, "nextToken": token})[0] == 400
    assert full.ok("ExportMemoryStore", {**body, "limit": 9, "nextToken": token})["count"] == 9
    assert full.refused("ListMemoryStores", {"nextToken": token})[0] == 400


@pytest.mark.parametrize(
    ("name", "body", "field"),
    [
        ("ExportMemoryStore", {"include": []}, "include"),
        ("ExportMemoryStore", {"include": ["memories", "memories"]}, "include"),
        ("ExportMemoryStore", {"include": ["tasks"]}, "include"),
        ("ExportMemoryStore", {"limit": 0}, "limit"),
        ("ExportMemoryStore", {"limit": 1001}, "limit"),
        ("ExportMemoryStore", {"vectors": "yes"}, "vectors"),
        ("ImportMemories", {}, "lines"),
        ("ImportMemories", {"lines": ["{}"]}, "lines"),
        ("ImportMemories", {"lines": "{}\n" * 1001}, "lines"),
        ("ImportMemories", {"lines": "", "onConflict": "merge"}, "onConflict"),
        ("ImportMemories", {"lines": "", "wipe": True}, "wipe"),
    ],
)
def test_wrong_calls_name_the_field(service: Service, name: str, body: dict[str, Any], field: str) -> None:
    """As everywhere in the API."""
    status, message = service.refused(name, {"memoryStoreName": "mem", **body})
    assert (status, message.partition(" ")[0].partition("[")[0]) == (400, field)


def test_a_store_must_be_there_and_take_messages(service: Service) -> None:
    """404 for a missing one; a store of files exports its head and imports nothing."""
    assert service.refused("ExportMemoryStore", {"memoryStoreName": "no"})[0] == 404
    assert service.refused("ImportMemories", {"memoryStoreName": "no", "lines": ""})[0] == 404
    service.ok("CreateMemoryStore", {"memoryStoreName": "files", "inputType": "file", "outputTypes": ["file"]})
    assert len(export(service, "files")) == 1
    assert service.refused("ImportMemories", {"memoryStoreName": "files", "lines": ""})[0] == 400
    assert bring(service, ["", "  ", "\r"]) == (0, 0, [])


def everything(service: Service, store: str) -> dict[Key, Item]:
    """All records of the store's tenants and conversations."""
    uid = service.ok("GetMemoryStore", {"memoryStoreName": store})["storeUid"]
    found = {}
    for scope in SCOPES:
        for partition in (
            keys.tenant_partition(uid, scope["appId"], scope["tenantId"]),
            keys.run_partition(uid, Scope.model_validate(scope)),
            keys.run_entry(uid, Scope.model_validate(scope)).pk,
        ):
            found.update({item.key: item for item in items(service, partition, "")})
    return found


@pytest.mark.parametrize("policy", ["skip", "replace"])
def test_lines_that_are_imported_again_change_nothing(full: Service, policy: str) -> None:
    """Not one record, nor the change log."""
    lines = export(full)
    other = fresh()
    bring(other, lines, "other")
    before = everything(other, "other")
    other.clock.advance(3)
    assert bring(other, lines, "other", onConflict=policy) == (0, 40, [])
    assert bring(other, [*lines[::-1], *lines], "other", onConflict=policy) == (0, 80, [])
    assert everything(other, "other") == before
    assert bring(full, lines, onConflict=policy) == (0, 40, [])


def test_lines_given_twice_in_one_call_are_taken_once(full: Service) -> None:
    """The second of a pair is skipped."""
    lines = [line for line in export(full) for _ in (1, 2)]
    other = fresh()
    assert bring(other, lines, "other") == (39, 41, [])
    assert export(other, "other")[1:] == lines[2::2]


def test_what_the_store_has_is_kept_unless_the_lines_shall_win(full: Service) -> None:
    """Changed and deleted memories and messages: kept with skip, as the lines say with replace, versions never back."""
    lines = export(full)
    changed = change_unit(full, SCOPES[0], title="my own", importance=2)
    gone = bury(full, SCOPES[2])
    kept = export(full)
    assert bring(full, lines) == (0, 40, [])
    assert export(full) == kept
    imported, skipped, failed = bring(full, lines, onConflict="replace")
    assert (imported, skipped, failed) == (2, 38, [])
    now = {
        json.loads(line)["memory"]["id"]: json.loads(line)["memory"]
        for line in export(full)
        if '"memory","format"' in line
    }
    assert now[changed.id]["title"] == "过敏"
    assert now[changed.id]["version"] == changed.version + 1
    assert now[gone]["version"] > 2
    assert bring(full, lines, onConflict="replace") == (0, 40, [])
    assert {hit["unit"]["id"] for hit in full.search("虾 过敏", scope=SCOPES[2])} >= {gone}


def test_a_message_that_differs_is_replaced_with_its_place(service: Service) -> None:
    """The old one goes, and there is one message of the id."""
    service.add([{"role": "user", "content": "old 旧", "messageId": "m", "timestamp": "2024-01-01T00:00:00Z"}])
    there = fresh("mem")
    there.add([{"role": "user", "content": "new 新", "messageId": "m", "timestamp": "2025-01-01T00:00:00Z"}])
    lines = export(there)
    assert bring(service, lines) == (0, 2, [])
    assert bring(service, lines, onConflict="replace") == (1, 1, [])
    assert [each["content"] for each in service.messages()] == ["new 新"]
    assert bring(service, lines, onConflict="replace") == (0, 2, [])
    status, _ = service.refused(
        "AddMemories",
        {"memoryStoreName": "mem", "scope": SCOPE, "messages": [{"role": "user", "content": "3rd", "messageId": "m"}]},
    )
    assert status == 409


def test_life_goes_on_after_an_import(full: Service) -> None:
    """Messages said again are duplicates, and their memories are met again, not made again."""
    other = fresh("mem")
    bring(other, export(full), "mem")
    message = {"role": "user", "speaker": "小林", "content": ALLERGY}
    answer = other.add([{**message, "timestamp": "2024-02-29T23:59:59.999+08:00"}], scope=SCOPES[1])
    assert answer["duplicateMessages"] == 1
    other.clock.advance(5)
    other.add([{**message, "messageId": "third"}], scope=SCOPES[1])
    other.drain()
    (met,) = [hit["unit"] for hit in other.search("虾 过敏", scope=SCOPES[1]) if ALLERGY in hit["unit"]["text"]]
    assert (met["seen_count"], met["version"]) == (3, 3)
    other.clock.advance(2 * 86_400)
    assert not [hit for hit in other.search("Hamburg", scope=SCOPES[1]) if "Hamburg" in hit["unit"]["text"]]


@pytest.mark.parametrize("purged", ["before", "after"])
def test_a_deleted_scope_can_be_brought_back(full: Service, purged: str) -> None:
    """An import writes in the generation of now; the purge takes what was hidden, and nothing of what came since."""
    lines = export(full)
    for scope in SCOPES:
        full.ok("DeleteScope", {"memoryStoreName": "mem", "scope": {**scope, "runId": "*"}})
    assert len(export(full)) == 1
    if purged == "before":
        full.drain("maintenance")
    assert bring(full, lines) == (39, 1, [])
    if purged == "after":
        full.drain("maintenance")
    again = export(full)[1:]
    assert again == lines[1:] or purged == "after"
    assert [without_version(line) for line in again] == [without_version(line) for line in lines[1:]]
    assert bring(full, lines, onConflict="replace") == (0, 40, [])
    assert full.search("虾 过敏", scope=SCOPES[2])


def test_deleted_messages_can_be_brought_back(full: Service) -> None:
    """And the memories that went with them."""
    lines = export(full)
    ids = [each["messageId"] for each in full.messages(scope=SCOPES[1])]
    full.ok("DeleteMessages", {"memoryStoreName": "mem", "scope": SCOPES[1], "messageIds": ids})
    full.drain("maintenance")
    lost = len(lines) - len(export(full))
    assert lost > len(ids)
    assert bring(full, lines) == (lost, len(lines) - lost, [])
    assert export(full)[1:] == lines[1:]


def without_version(line: str) -> dict[str, Any]:
    record = json.loads(line)
    if record["type"] == "memory":
        del record["memory"]["version"]
    return record


def test_expired_lines_are_skipped(full: Service) -> None:
    """Nobody would see them."""
    lines = export(full)
    other = fresh()
    other.clock.advance(3 * 86_400)
    assert bring(other, lines, "other") == (31, 9, [])
