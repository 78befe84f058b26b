"""ListMemoryTasks and RetryMemoryTask."""

from __future__ import annotations

from typing import Any

import pytest

from agent_memory import keys
from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.errors import EmbedderFailed, ServiceUnavailable
from agent_memory.ports import Item, Job, Put
from agent_memory.records import task_item, task_of
from agent_memory.scopes import Scope
from agent_memory.signin.limits import Limits, ScopeLimit
from agent_memory.signin.new_keys import Terms, make_api_key
from agent_memory.timeline import BUDGET
from tests.conftest import SCOPE, Service, make_service
from tests.flows.test_records import pages
from tests.stand_ins import WordEmbedder

TENANT = {"appId": "shop", "tenantId": "t1", "agentId": "*", "runId": "*"}
EVERYWHERE = dict.fromkeys(SCOPE, "*")


class FailingEmbedder(WordEmbedder):
    """An embedder whose service is down until told otherwise."""

    down = True

    def embed(self, texts: Any, side: str) -> Any:
        if self.down:
            raise EmbedderFailed("the embedding service refused the call: HTTP 500")
        return super().embed(texts, side)


class LossyQueue:
    """A queue that does not take a job while it is down."""

    def __init__(self, queue: Any) -> None:
        self._queue = queue
        self.down = False
        self.sent: list[Job] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._queue, name)

    def send(self, job: Job) -> None:
        if self.down:
            raise ServiceUnavailable("no queue")
        self.sent.append(job)
        self._queue.send(job)


def tasks(service: Service, scope: Any = None, **fields: Any) -> list[dict[str, Any]]:
    """One page of the tasks of a scope, by default of the tenant."""
    body = {"memoryStoreName": "mem", "scope": scope or TENANT, **fields}
    listed: list[dict[str, Any]] = service.ok("ListMemoryTasks", body)["tasks"]
    return listed


def ids(listed: list[dict[str, Any]]) -> list[str]:
    return [task["requestId"] for task in listed]


def retry(service: Service, request_id: str, **fields: Any) -> tuple[int, Any]:
    """(status, task or message) of a retry."""
    status, answer = service.call("RetryMemoryTask", {"memoryStoreName": "mem", "requestId": request_id, **fields})
    return status, answer["task"] if status == 200 else answer["message"]


def hide(service: Service, agent: str = "*", run: str = "*") -> None:
    """What DeleteScope leaves behind at once, for the tenant's agent and run."""
    uid = service.ok("GetMemoryStore", {"memoryStoreName": "mem"})["storeUid"]
    key = keys.gone(keys.tenant_partition(uid, "shop", "t1"))
    mark = {"agentId": agent, "runId": run, "generation": 1}
    service.services.table.write([Put(Item(key, {"marks": [mark]}), expect=0)])


def set_status(service: Service, request_id: str, status: str) -> None:
    """Write the task's status as the sweeper would."""
    uid = service.ok("GetMemoryStore", {"memoryStoreName": "mem"})["storeUid"]
    key = keys.task(uid, Scope.model_validate(SCOPE), request_id)
    item = service.services.table.get([key])[key]
    task = task_of(item).model_copy(update={"status": status})
    service.services.table.write([Put(task_item(uid, task, item.version + 1), expect=item.version)])


@pytest.fixture
def failing() -> Service:
    """A service with one store whose embedder is down."""
    made = make_service(embedder=FailingEmbedder())
    made.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    return made


def failed_task(service: Service, content: str = "My bike is green") -> str:
    """The id of a task that failed for good."""
    request_id = str(service.add(content)["requestId"])
    for _ in range(10):
        service.drain()
        service.clock.advance(120)
    assert service.task(request_id)["status"] == "failed"
    return request_id


def test_tasks_are_listed_newest_first_as_they_are_now(service: Service) -> None:
    """The same objects as GetMemoryTask gives, within one tenant and over all."""
    made = []
    for number in range(6):
        made.append(service.add(f"item {number}")["requestId"])
        service.clock.advance(number % 2)
    service.drain()
    made.append(service.add("later")["requestId"])
    for scope in (SCOPE, TENANT, EVERYWHERE, {**EVERYWHERE, "appId": "shop"}, {"appId": "*"}):
        found = tasks(service, scope)
        assert sorted(ids(found)) == sorted(made)
        assert [each["createdAt"] for each in found] == sorted((each["createdAt"] for each in found), reverse=True)
        assert found == [service.task(each) for each in ids(found)]
        assert [each["status"] for each in found] == ["queued"] + ["completed"] * 6


def test_omitted_levels_are_the_default(service: Service) -> None:
    """Neither an empty scope nor none at all is everything."""
    service.add("a")
    mine = service.add("b", scope={"appId": "shop"})["requestId"]
    other = service.add("c", scope={"appId": "__default__"})["requestId"]
    assert ids(tasks(service, {"appId": "shop"})) == [mine]
    for body in ({}, {"scope": {}}, {"scope": None}, {"scope": {"appId": ""}}):
        answer = service.ok("ListMemoryTasks", {"memoryStoreName": "mem", **body})
        assert ids(answer["tasks"]) == [other]
        assert answer["scope"] == dict.fromkeys(SCOPE, "__default__")
    assert (
        service.refused("ListMemoryTasks", {"memoryStoreName": "mem", "scope": {**EVERYWHERE, "runId": "r1"}})[0] == 400
    )


def test_scopes_do_not_mix(service: Service) -> None:
    """A pattern finds what lies inside it, Chinese names and look-alikes included."""
    made = {}
    for tenant in ("t1", "t2", "用户 1", "%74%31"):
        for run in ("r1", "r2"):
            scope = {**SCOPE, "tenantId": tenant, "runId": run}
            made[tenant, run] = service.add("x", scope=scope)["requestId"]
    for tenant in ("t1", "t2", "用户 1", "%74%31"):
        found = ids(tasks(service, {**TENANT, "tenantId": tenant}))
        assert sorted(found) == sorted(made[tenant, run] for run in ("r1", "r2"))
    assert ids(tasks(service, {**SCOPE, "runId": "r2"})) == [made["t1", "r2"]]
    assert tasks(service, {**EVERYWHERE, "appId": "sho"}) == tasks(service, {**SCOPE, "agentId": "a"}) == []
    assert len(tasks(service, {**EVERYWHERE, "appId": "shop"})) == 8


@pytest.mark.parametrize("scope", [TENANT, EVERYWHERE])
def test_by_status(failing: Service, scope: dict[str, str]) -> None:
    """The status of now; an unknown one is refused."""
    failed = failed_task(failing)
    failing.services.embedder.down = False
    done = failing.add("Her cat is called 团子")["requestId"]
    failing.drain()
    waits = failing.add("I moved to 杭州")["requestId"]
    assert ids(tasks(failing, scope, status="failed")) == [failed]
    assert ids(tasks(failing, scope, status="completed")) == [done]
    assert ids(tasks(failing, scope, status="queued")) == [waits]
    assert tasks(failing, scope, status="running") == []
    body = {"memoryStoreName": "mem", "scope": scope, "status": "done"}
    assert failing.refused("ListMemoryTasks", body)[0] == 400


@pytest.mark.parametrize("scope", [TENANT, EVERYWHERE])
def test_time_bounds_are_milliseconds(service: Service, scope: dict[str, str]) -> None:
    """A number or digits, both ends included; any other way to write a time is refused."""
    started, made = service.clock.now_ms, []
    for _ in range(4):
        made.append(service.add("x")["requestId"])
        service.clock.advance(1)
    within = {"minTimestamp": started + 1_000, "maxTimestamp": str(started + 2_000)}
    assert ids(tasks(service, scope, **within)) == [made[2], made[1]]
    assert ids(tasks(service, scope, maxTimestamp=started)) == [made[0]]
    assert ids(tasks(service, scope, minTimestamp=started + 3_001)) == []
    assert len(tasks(service, scope, minTimestamp=0, maxTimestamp=None)) == 4
    wrong: list[dict[str, Any]] = [
        {"minTimestamp": each} for each in ("2026-11-30T10:00:00Z", -1, "-1", 1.5, True, [1], "")
    ]
    for fields in (*wrong, {"minTimestamp": 2, "maxTimestamp": 1}, {"maxTimestamp": 10**15}):
        assert service.refused("ListMemoryTasks", {"memoryStoreName": "mem", "scope": scope, **fields})[0] == 400


@pytest.mark.parametrize("scope", [TENANT, EVERYWHERE])
def test_pages_hold_every_task_once_while_more_come(service: Service, scope: dict[str, str]) -> None:
    """What was there at the start, in order, whatever is added between the pages."""
    made = []
    for number in range(45):
        made.append(service.add(f"item {number}")["requestId"])
        service.clock.advance(0.001)

    def add_later() -> None:
        service.add("later")
        service.clock.advance(1)

    answers = pages(service.ok, "ListMemoryTasks", {"memoryStoreName": "mem", "scope": scope, "limit": 10}, add_later)
    assert [len(answer["tasks"]) for answer in answers] == [10, 10, 10, 10, 5]
    assert [each for answer in answers for each in ids(answer["tasks"])] == made[::-1]


def test_limits_of_a_page(service: Service) -> None:
    """50 where none is asked for, at most 100."""
    for number in range(51):
        service.add(f"item {number}")
    answer = service.ok("ListMemoryTasks", {"memoryStoreName": "mem", "scope": TENANT})
    assert (len(answer["tasks"]), "nextToken" in answer) == (50, True)
    answer = service.ok("ListMemoryTasks", {"memoryStoreName": "mem", "scope": TENANT, "limit": 51})
    assert (len(answer["tasks"]), "nextToken" in answer) == (51, False)
    for limit in (0, 101, -1):
        assert service.refused("ListMemoryTasks", {"memoryStoreName": "mem", "scope": TENANT, "limit": limit})[0] == 400


@pytest.mark.parametrize("scope", [TENANT, EVERYWHERE])
def test_a_rare_status_is_found_over_short_pages(failing: Service, scope: dict[str, str]) -> None:
    """A call reads a bounded number of tasks; following the tokens comes to an end and finds all."""
    failed = failed_task(failing)
    for number in range(BUDGET + 20):
        failing.add(f"item {number}")
        failing.clock.advance(0.001)
    answers = pages(failing.ok, "ListMemoryTasks", {"memoryStoreName": "mem", "scope": scope, "status": "failed"})
    assert [ids(answer["tasks"]) for answer in answers] == [[], [failed]]


def test_a_token_is_bound_to_scope_status_and_bounds(service: Service) -> None:
    """Anything else than the same listing refuses it."""
    for _ in range(3):
        service.add("x")
    body = {"memoryStoreName": "mem", "scope": TENANT, "limit": 1, "status": "queued"}
    token = service.ok("ListMemoryTasks", body)["nextToken"]
    for other in (
        {"scope": SCOPE},
        {"status": None},
        {"minTimestamp": 0},
        {"maxTimestamp": 10**13},
        {"nextToken": "x"},
    ):
        assert service.refused("ListMemoryTasks", {**body, "nextToken": token, **other})[0] == 400
    assert len(service.ok("ListMemoryTasks", {**body, "nextToken": token, "limit": 100})["tasks"]) == 2


@pytest.mark.parametrize("scope", [TENANT, EVERYWHERE])
def test_deleted_scopes_are_not_listed(service: Service, scope: dict[str, str]) -> None:
    """At once; what is added afterwards is."""
    service.add("before")
    kept = service.add("other run", scope={**SCOPE, "runId": "r2"})["requestId"]
    hide(service, "a1", "r1")
    assert ids(tasks(service, scope)) == [kept]
    service.clock.advance(1)
    after = service.add("after")["requestId"]
    assert ids(tasks(service, scope)) == [after, kept]


def test_the_store_must_exist(service: Service) -> None:
    """404 for tasks and retry alike."""
    assert service.refused("ListMemoryTasks", {"memoryStoreName": "no", "scope": TENANT})[0] == 404
    assert service.refused("RetryMemoryTask", {"memoryStoreName": "no", "requestId": "a" * 32})[0] == 404


def test_the_largest_add_fits_into_one_write(service: Service) -> None:
    """20 messages and a text in a new scope, named by the client."""
    talk = [{"role": "user", "content": f"第{number}条", "messageId": f"m{number}"} for number in range(20)]
    added = service.add(talk, text="and one more", clientToken="c1", ttlSeconds=60, metadata={"k": "v"})
    assert ids(tasks(service, EVERYWHERE)) == [added["requestId"]]


def test_a_failed_task_is_done_again(failing: Service) -> None:
    """From the stored messages: queued with its attempts reset, then completed, and found by a search."""
    failed = failed_task(failing)
    failing.services.embedder.down = False
    status, task = retry(failing, failed)
    assert (status, task["status"], task["attempts"]) == (200, "queued", 0)
    assert not {"lastError", "finishedAt"} & set(task)
    assert task == failing.task(failed)
    failing.drain()
    done = failing.task(failed)
    assert (done["status"], len(done["derivedUnitIds"])) == ("completed", 1)
    assert len(failing.search("bike green")) == 1
    assert failing.sweep() == 0


def test_a_task_that_needs_a_person_is_done_again(service: Service) -> None:
    """Where the sweeper gave up, a retry goes on; units are not doubled."""
    added = service.add("My bike is green")["requestId"]
    service.drain()
    set_status(service, added, "needs_reconcile")
    assert retry(service, added)[1]["status"] == "queued"
    service.drain()
    assert service.task(added)["status"] == "completed"
    assert len(service.search("bike")) == 1


def test_a_task_may_fail_and_be_retried_again_and_again(failing: Service) -> None:
    """Each retry has all attempts, at once: the queue takes the job although it saw it a moment ago."""
    queue = LossyQueue(failing.services.queue)
    failing.services.queue = queue
    failed = failed_task(failing)
    for _ in range(3):
        assert retry(failing, failed)[0] == 200
        assert failing.drain() == 1
        for _ in range(10):
            failing.clock.advance(120)
            failing.drain()
        assert failing.task(failed)["status"] == "failed"
        assert failing.task(failed)["attempts"] == failing.services.settings.max_attempts
    assert len({job.job_id for job in queue.sent}) == len(queue.sent)


def test_two_retries_are_one(failing: Service) -> None:
    """The second one finds the task queued."""
    failed = failed_task(failing)
    assert retry(failing, failed)[0] == 200
    assert retry(failing, failed) == (
        409,
        "the task is queued; only a task that is failed or needs_reconcile is done again",
    )
    failing.services.embedder.down = False
    assert failing.drain() == 1


def test_only_tasks_without_success_are_done_again(service: Service) -> None:
    """The answer names the state."""
    added = service.add("x y z")["requestId"]
    assert retry(service, added)[0] == 409
    service.drain()
    status, message = retry(service, added)
    assert (status, "completed" in message) == (409, True)
    set_status(service, added, "running")
    assert "running" in retry(service, added)[1]


def test_a_retry_is_as_durable_as_an_add(failing: Service) -> None:
    """When the queue does not answer, the sweeper finds the job; not before its time."""
    failed = failed_task(failing)
    queue = LossyQueue(failing.services.queue)
    failing.services.queue = queue
    failing.services.embedder.down = False
    queue.down = True
    assert retry(failing, failed)[0] == 200
    queue.down = False
    assert (failing.drain(), failing.sweep()) == (0, 0)
    failing.clock.advance(failing.services.settings.sweep_after_seconds)
    assert failing.sweep() == 1
    failing.drain()
    assert failing.task(failed)["status"] == "completed"


def test_a_deleted_scope_is_not_brought_back(failing: Service) -> None:
    """Its task does not exist any more, nor does that of an unknown id."""
    failed = failed_task(failing)
    hide(failing)
    assert retry(failing, failed)[0] == 404
    assert retry(failing, "a" * 32)[0] == retry(failing, "虾")[0] == 404


def test_a_delete_during_the_retry_wins() -> None:
    """The scope goes between reading and writing: nothing is queued."""

    class Racing(SqliteTable):
        race: Any = None

        def write(self, writes: Any) -> None:
            if self.race and any(isinstance(each, Put) and "outbox" in each.item.key.pk for each in writes):
                race, self.race = self.race, None
                race()
            super().write(writes)

    table = Racing(":memory:", now=lambda: 0.0)
    service = make_service(embedder=FailingEmbedder(), table=table)
    service.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    failed = failed_task(service)
    table.race = lambda: hide(service)
    assert retry(service, failed)[0] == 404
    assert service.drain() == 0


def test_the_scope_of_a_retry_is_a_check(failing: Service) -> None:
    """As for GetMemoryTask: a pattern will do, another scope is refused."""
    failed = failed_task(failing)
    assert retry(failing, failed, scope={**SCOPE, "runId": "r2"})[0] == 400
    assert retry(failing, failed, scope=TENANT)[0] == 200


def test_a_key_of_another_tenant_finds_no_task(failing: Service) -> None:
    """And may list its own tenant only, by name."""
    failed = failed_task(failing)
    limits = Limits(scopes=(ScopeLimit(app_id="shop", tenant_id="t2"),))
    key = make_api_key(failing.services.keyring, Terms(limits=limits, created_ms=failing.clock.now_ms))
    signed = {"x_ots_apikey": key.secret}
    assert failing.call("RetryMemoryTask", {"memoryStoreName": "mem", "requestId": failed}, **signed)[0] == 404
    for operation in ("ListMemoryTasks", "ListMemoryStoreRequests"):
        for scope, status in ((TENANT, 403), (EVERYWHERE, 403), ({**TENANT, "tenantId": "t2"}, 200)):
            assert failing.call(operation, {"memoryStoreName": "mem", "scope": scope}, **signed)[0] == status
    assert failing.call("ListMemoryTasks", {"memoryStoreName": "mem"}, **signed)[0] == 403


def test_the_purge_of_a_store_takes_its_timeline_along(service: Service) -> None:
    """A deleted store leaves no record behind."""
    uid = service.ok("GetMemoryStore", {"memoryStoreName": "mem"})["storeUid"]
    service.add("x")
    service.ok("ListMemoryStoreRequests", {"memoryStoreName": "mem", "scope": EVERYWHERE})
    service.ok("DeleteMemoryStore", {"memoryStoreName": "mem"})
    service.drain("maintenance")
    with service.services.table._pool.connection() as connection:
        assert connection.execute("SELECT pk FROM items WHERE pk LIKE ?", (f"{uid}%",)).fetchall() == []
