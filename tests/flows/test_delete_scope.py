"""DeleteScope: out of sight at once in every operation, removed in the background, never back, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from agent_memory import keys
from agent_memory.deletions import OWN_HASH
from agent_memory.models import Message
from agent_memory.ports import Put
from agent_memory.records import directory_items, message_item
from agent_memory.scopes import Scope
from agent_memory.services import Services
from agent_memory.visibility import MAX_MARKS
from tests.conftest import Service
from tests.flows.stored_rows import everything_shown, rows, rows_with
from tests.stand_ins import START_MS, InterruptedTable, WordEmbedder

SCOPES = [
    ("商店", "小林", "店员", "上午"),
    ("商店", "小林", "店员", "下午"),
    ("商店", "小林", "oracle", "上午"),
    ("商店", "t%2", "店员", "上午"),
    ("museum", "小林", "店员", "上午"),
]
PATTERNS = [SCOPES[0], SCOPES[0][:3], SCOPES[0][:2], SCOPES[0][:1]]
LEVELS = ("appId", "tenantId", "agentId", "runId")


def named(levels: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(LEVELS, levels, strict=False))


def text_of(levels: tuple[str, ...]) -> str:
    return f"the needle of {'-'.join(levels)} 我对虾过敏"


def fill(service: Service) -> list[str]:
    """A message and its memory in every scope, whose text names it; the ids of the tasks."""
    added = [say(service, each) for each in SCOPES]
    service.drain()
    return added


def say(service: Service, levels: tuple[str, ...]) -> str:
    """Add the scope's message, always under the same token; the id of the task."""
    fields = {"infer": False, "clientToken": "第一次", "metadata": {"of": "-".join(levels)}}
    request_id: str = service.add(text_of(levels), scope=named(levels), **fields)["requestId"]
    return request_id


def delete(service: Service, levels: tuple[str, ...], **more: str) -> dict[str, Any]:
    return service.ok("DeleteScope", {"memoryStoreName": "mem", "scope": {**named(levels), **more}})


def inside(pattern: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [each for each in SCOPES if each[: len(pattern)] == pattern]


def shown(service: Service) -> dict[str, list[str]]:
    """What is shown of all tenants together."""
    tenants = sorted({each[:2] for each in SCOPES})
    views = [everything_shown(service, named(each)) for each in tenants]
    return {name: sorted(text for view in views for text in view[name]) for name in views[0]}


def expected(kept: list[tuple[str, ...]], tasks: list[str]) -> dict[str, list[str]]:
    texts = sorted(text_of(each) for each in kept)
    return {
        "found": texts,
        "memories": texts,
        "messages": texts,
        "tasks": sorted(task for each, task in zip(SCOPES, tasks, strict=True) if each in kept),
        "scopes": sorted("/".join(each) for each in kept),
    }


def another_process(service: Service) -> Service:
    """A second process over the same table and queue, with indexes of its own."""
    mine = service.services
    ports = {name: getattr(mine, name) for name in ("table", "queue", "audit")}
    theirs = Services(mine.settings, now_ms=mine.now_ms, new_id=mine.new_id, embedder=WordEmbedder(), **ports)
    return Service(theirs, service.clock)


@pytest.mark.parametrize("pattern", PATTERNS, ids=len)
def test_a_scope_is_out_of_sight_at_once(service: Service, pattern: tuple[str, ...]) -> None:
    """In every operation and on every process, also one whose index holds it; what lies outside stays."""
    tasks = fill(service)
    other = another_process(service)
    assert shown(service) == shown(other) == expected(SCOPES, tasks)
    ids = {each["search_text"]: each["id"] for each in _memories(service)}
    delete(service, pattern)
    gone = inside(pattern)
    for process in (service, other):
        assert shown(process) == expected([each for each in SCOPES if each not in gone], tasks)
    for each, task in zip(SCOPES, tasks, strict=True):
        status = 404 if each in gone else 200
        body = {"memoryStoreName": "mem", "memoryId": ids[text_of(each)]}
        assert service.call("GetMemory", body)[0] == status
        assert service.call("GetMemoryHistory", body)[0] == status
        assert service.call("GetMemoryTask", {"memoryStoreName": "mem", "requestId": task})[0] == status


def _memories(service: Service) -> list[dict[str, Any]]:
    body = {"memoryStoreName": "mem", "scope": {"appId": "*"}, "limit": 100}
    memories: list[dict[str, Any]] = service.ok("ListMemories", body)["memories"]
    return memories


@pytest.mark.parametrize("pattern", PATTERNS, ids=len)
def test_after_the_purge_nothing_of_the_scope_is_stored(service: Service, pattern: tuple[str, ...]) -> None:
    """No text, no id, no name: not in keys, bodies, change log, history, tokens, tasks or outbox."""
    tasks = fill(service)
    memories = {each["search_text"]: each["id"] for each in _memories(service)}
    for each in inside(pattern):
        body = {"memoryStoreName": "mem", "memoryId": memories[text_of(each)], "title": "针"}
        service.ok("UpdateMemory", body)
    service.add("the needle that is still queued", scope=named(SCOPES[0]))
    requested = delete(service, pattern)["requestId"]
    assert service.task(requested)["status"] == "queued"
    service.drain("maintenance")
    done = service.task(requested)
    assert (done["status"], done["eventType"], done["scope"]) == (
        "completed",
        "delete_scope",
        {**dict.fromkeys(LEVELS, "*"), **named(pattern)},
    )
    gone, kept = inside(pattern), [each for each in SCOPES if each not in inside(pattern)]
    needles = ["still queued", *map(text_of, gone), *(memories[text_of(each)] for each in gone)]
    needles += [task for each, task in zip(SCOPES, tasks, strict=True) if each in gone]
    needles += [keys.encode_levels(*each) for each in gone] + ["-".join(each) for each in gone]
    names = {(place, name) for each in gone for place, name in enumerate(each) if place + 1 >= len(pattern)}
    alive = {(place, name) for each in kept for place, name in enumerate(each)} | {(0, "商店")} - set(names)
    needles += [form for _, name in names - alive for form in (name, keys.encode_level(name))]
    assert rows_with(service, *needles) == []
    assert shown(service) == expected(kept, tasks)


def test_a_purged_tenant_leaves_two_numbers(service: Service) -> None:
    """Under a hash, without names: they must never fall. A purged application leaves no entry either."""
    fill(service)
    delete(service, ("museum",))
    delete(service, SCOPES[0][:2])
    delete(service, SCOPES[3][:1])
    service.drain("maintenance")
    below = [key for key, _ in rows(service) if key.pk.startswith("store_") and not key.pk.endswith("/deletions")]
    assert sorted({key.sk.partition("/")[2] or key.sk for key in below}) == ["alive", "gone", "head"]
    assert service.ok("GetMemoryStore", {"memoryStoreName": "mem"})["memoryStoreName"] == "mem"


@pytest.mark.parametrize("pattern", PATTERNS, ids=len)
@pytest.mark.parametrize("purge_first", [False, True])
def test_what_is_added_afterwards_is_new(service: Service, pattern: tuple[str, ...], purge_first: bool) -> None:
    """The same messages too, under the same token, whether the purge comes before or after; the purge leaves them."""
    first = fill(service)
    delete(service, pattern)
    if purge_first:
        service.drain("maintenance")
    again = [say(service, each) for each in SCOPES]
    gone = inside(pattern)
    repeats = [one == other for one, other in zip(first, again, strict=True)]
    assert repeats == [each not in gone for each in SCOPES]
    for _ in range(2):
        service.drain()
        service.drain("maintenance")
    assert shown(service) == expected(SCOPES, again)
    assert shown(another_process(service)) == shown(service)
    memories = [each for each in _memories(service) if each["search_text"] in map(text_of, gone)]
    assert [each["seen_count"] for each in memories] == [1] * len(gone)


@pytest.mark.parametrize("pattern", PATTERNS, ids=len)
@pytest.mark.parametrize("purge_first", [False, True])
def test_a_queued_job_of_the_scope_writes_nothing(
    service: Service, pattern: tuple[str, ...], purge_first: bool
) -> None:
    """Its task is seen as failed with SCOPE_DELETED, before and after the purge has removed everything else."""
    added = service.add("我养了一只猫", scope=named(SCOPES[0]))
    delete(service, pattern)
    body = {"memoryStoreName": "mem", "requestId": added["requestId"]}
    for queue in ["extraction", "maintenance"][:: -1 if purge_first else 1]:
        task = service.task(added["requestId"])
        assert (task["status"], task["lastError"].partition(":")[0]) == ("failed", "SCOPE_DELETED")
        assert (task["eventType"], task["acceptedMessages"], task["derivedUnitIds"]) == ("ingest", 1, [])
        assert service.call("RetryMemoryTask", body)[0] == 404
        service.drain(queue)
    task = service.task(added["requestId"])
    assert (task["status"], task["lastError"].partition(":")[0]) == ("failed", "SCOPE_DELETED")
    assert task["scope"] == {**dict.fromkeys(LEVELS, "*"), **named(pattern)}
    assert service.call("GetMemoryTask", {**body, "scope": {"appId": "museum"}})[0] == 400
    assert rows_with(service, "猫", added["requestId"]) == []
    service.clock.advance(31 * 86_400)
    service.add("x", scope=named(SCOPES[4]))
    service.add("y", scope=named(SCOPES[4]))
    assert service.call("GetMemoryTask", body)[0] == 404


@pytest.mark.parametrize("purged", [False, True])
@pytest.mark.parametrize("pattern", PATTERNS, ids=len)
def test_a_running_job_of_the_scope_writes_nothing(service: Service, pattern: tuple[str, ...], purged: bool) -> None:
    """Not even when it has extracted everything and the whole purge happens before its write."""
    added = service.add("我养了一只猫", scope=named(SCOPES[0]))
    table, rival = service.services.table, another_process(service)

    def happens() -> None:
        delete(rival, pattern)
        if purged:
            rival.drain("maintenance")

    service.services.__dict__["table"] = InterruptedTable(table, happens)
    service.drain()
    service.services.__dict__["table"] = table
    status, answer = service.call("GetMemoryTask", {"memoryStoreName": "mem", "requestId": added["requestId"]})
    assert status == 200, answer
    assert (answer["task"]["status"], answer["task"]["derivedUnitIds"]) == ("failed", [])
    service.drain("maintenance")
    assert rows_with(service, "猫", added["requestId"]) == []


@pytest.mark.parametrize("pattern", [("museum",), ("商店", "小林", "oracle"), ("museum", "小林")])
def test_a_running_job_of_another_scope_gets_through(service: Service, pattern: tuple[str, ...]) -> None:
    """A delete in the same store or tenant makes it begin again, within the same run."""
    for each in SCOPES[2:]:
        service.add("x", scope=named(each))
    service.drain()
    added = service.add("我养了一只猫", scope=named(SCOPES[0]))
    table, rival = service.services.table, another_process(service)
    service.services.__dict__["table"] = InterruptedTable(table, lambda: delete(rival, pattern))
    service.drain()
    task = service.task(added["requestId"])
    assert (task["status"], task["attempts"], len(task["derivedUnitIds"])) == ("completed", 1, 1)
    assert len(service.search("猫", scope=named(SCOPES[0][:2]))) == 1


def test_a_delete_may_be_repeated(service: Service) -> None:
    """Before and after the purge; each has a task of its own, and all come to their end."""
    fill(service)
    first, second = (delete(service, SCOPES[0][:2])["requestId"] for _ in range(2))
    service.drain("maintenance")
    third = delete(service, SCOPES[0][:2])["requestId"]
    assert len({first, second, third}) == 3
    assert [service.task(each)["status"] for each in (first, second, third)] == ["completed"] * 3
    assert service.drain("maintenance") == 0


@pytest.mark.parametrize("levels", [("never",), ("never", "t"), ("never", "t", "a"), ("never", "t", "a", "r")])
def test_what_never_was_is_deleted_at_once(service: Service, levels: tuple[str, ...]) -> None:
    """Accepted and completed, and no trace but the deletion itself: nobody can fill the table with marks."""
    before = rows(service)
    task = service.task(delete(service, levels)["requestId"])
    assert task["status"] == "completed"
    assert [row for row in rows(service) if not row[0].pk.endswith("/deletions")] == before


def test_a_star_means_everything_below(service: Service) -> None:
    """As leaving the level out does, and null; an empty text is refused, since it is more often a mistake."""
    fill(service)
    answer = delete(service, ("商店", "小林"), agentId="*", runId="*")
    assert answer == {
        "requestId": answer["requestId"],
        "status": "accepted",
        "scope": {"appId": "商店", "tenantId": "小林", "agentId": "*", "runId": "*"},
        "memoryStoreName": "mem",
    }
    assert answer["requestId"].startswith(OWN_HASH)
    assert service.ok("DeleteScope", {"memoryStoreName": "mem", "scope": {"appId": "x", "tenantId": None}})


@pytest.mark.parametrize(
    ("scope", "message"),
    [
        (None, "scope is required"),
        ({}, "scope.appId is required"),
        ({"appId": ""}, "scope.appId is required"),
        ({"appId": "*"}, "scope.appId must not be '*' here"),
        ({"tenantId": "小林"}, "scope.appId is required"),
        ({"appId": "a", "tenantId": ""}, "scope.tenantId must not be empty"),
        ({"appId": "a", "tenantId": "t", "runId": ""}, "scope.runId must not be empty"),
        ({"appId": "a", "tenantId": "*", "agentId": "b"}, "scope.agentId must be '*' or omitted after"),
        ({"appId": "a", "runId": "r"}, "scope.runId must be '*' or omitted after"),
        ({"appId": "a/b"}, "scope.appId must not contain '/'"),
        ({"appId": "a", "other": 1}, "scope.other is not a known field"),
    ],
)
def test_wrong_scopes_are_refused(service: Service, scope: Any, message: str) -> None:
    """Nothing is deleted by a scope that may be meant otherwise."""
    body = {"memoryStoreName": "mem"} if scope is None else {"memoryStoreName": "mem", "scope": scope}
    status, told = service.refused("DeleteScope", body)
    assert (status, told[: len(message)]) == (400, message)


def test_the_store_must_exist(service: Service) -> None:
    """404 as everywhere."""
    assert service.refused("DeleteScope", {"memoryStoreName": "no", "scope": {"appId": "a"}})[0] == 404


def test_the_task_of_a_delete_is_checked_against_the_scope_given(service: Service) -> None:
    """As for the task of an add: inside is fine, outside is told."""
    fill(service)
    request_id = delete(service, ("商店", "小林"))["requestId"]
    body = {"memoryStoreName": "mem", "requestId": request_id}
    for fits in ({"appId": "商店"}, {"appId": "商店", "tenantId": "小林"}, {}):
        assert service.ok("GetMemoryTask", {**body, "scope": fits})
    for other in ({"appId": "museum"}, {"appId": "商店", "tenantId": "小林", "agentId": "店员"}):
        assert service.refused("GetMemoryTask", {**body, "scope": other})[0] == 400
    assert service.refused("GetMemoryTask", {**body, "requestId": f"{OWN_HASH}{0:020x}"})[0] == 404


def test_a_large_scope_is_purged_in_bounded_jobs(service: Service) -> None:
    """Each goes on where the one before ended, over messages and conversations."""
    uid = service.ok("GetMemoryStore", {"memoryStoreName": "mem"})["storeUid"]
    scopes = [Scope(app_id="商店", tenant_id="大", run_id=f"r{number:04d}") for number in range(4)]
    service.services.table.write_many(_many_messages(uid, scopes, 12_000))
    request_id = delete(service, ("商店", "大"))["requestId"]
    assert service.drain("maintenance") == 3
    assert service.task(request_id)["status"] == "completed"
    assert rows_with(service, "针", keys.encode_level("大")) == []


def _many_messages(uid: str, scopes: list[Scope], count: int) -> Any:
    for scope in scopes:
        yield from map(Put, directory_items(uid, scope, (1, 0), 1))
        for number in range(count):
            said = Message(message_id=f"针{number}", role="user", speaker="user", content="针", timestamp_ms=START_MS)
            log_key = keys.message_log_key(START_MS, START_MS, f"{number:010d}/{number}")
            yield Put(message_item(keys.run_partition(uid, scope), log_key, said))


def test_a_purge_that_died_is_found_by_the_sweeper(service: Service) -> None:
    """Its note stays until it is done, and tells how far it came."""
    fill(service)
    request_id = delete(service, SCOPES[0][:1])["requestId"]
    lost = service.services.queue.receive("maintenance", 10)
    assert len(lost) == 1
    service.services.queue.acknowledge(lost[0])
    assert service.drain("maintenance") == 0
    service.clock.advance(3_600)
    assert service.sweep() == 1
    service.drain("maintenance")
    assert service.task(request_id)["status"] == "completed"
    assert service.sweep() == 0


def test_marks_that_wait_are_bounded(service: Service) -> None:
    """A tenant with too many unfinished deletions is told to come again; a wider delete takes their place."""
    uid = service.ok("GetMemoryStore", {"memoryStoreName": "mem"})["storeUid"]
    scopes = [Scope(app_id="商店", tenant_id="大", run_id=f"r{number}") for number in range(MAX_MARKS + 1)]
    service.services.table.write_many(_many_messages(uid, scopes, 0))
    for each in scopes[:-1]:
        delete(service, each.levels)
    body = {"memoryStoreName": "mem", "scope": scopes[-1].to_json()}
    assert service.call("DeleteScope", body)[1]["code"] == "OTSServerBusy"
    delete(service, scopes[-1].levels[:3])
    service.drain("maintenance")
    delete(service, ("商店", "大"))
    service.drain("maintenance")
    assert not [body for key, body in rows(service) if key.sk.endswith("/gone") and '"marks":[]' not in body]


def test_a_deleted_store_takes_everything_with_it(service: Service) -> None:
    """Marks, numbers and deletions too, finished or not."""
    fill(service)
    uid = service.ok("GetMemoryStore", {"memoryStoreName": "mem"})["storeUid"]
    delete(service, SCOPES[0][:2])
    service.drain("maintenance")
    delete(service, SCOPES[4][:1])
    service.ok("DeleteMemoryStore", {"memoryStoreName": "mem"})
    service.drain("maintenance")
    assert rows_with(service, uid) == []
    assert [key for key, _ in rows(service) if key.pk.startswith(uid)] == []
