"""The audit: a record of every call, what it may hold, who finds it, how long it stays, and when it is written."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from agent_memory import keys
from agent_memory.adapters.log_audit import LogAudit, metrics_line
from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.adapters.table_audit import MOST_WAITING, UID_LIFE_MS, TableAudit
from agent_memory.audit import CallRecord
from agent_memory.errors import EmbedderFailed, ServiceUnavailable
from agent_memory.local.audit_flusher import flushed
from agent_memory.local.functions import load_routes
from agent_memory.ports import Delete, Item, Put
from agent_memory.signin.new_keys import Terms, make_api_key
from agent_memory.timeline import SECONDS_PER_DAY
from tests.conftest import SCOPE, Service, make_service
from tests.flows.server_process import Client, ServerProcess
from tests.flows.test_records import pages
from tests.stand_ins import WordEmbedder

NEEDLE = "我对虾过敏-needle"
TENANT = {"appId": "shop", "tenantId": "t1", "agentId": "*", "runId": "*"}
EVERYWHERE = dict.fromkeys(SCOPE, "*")


@dataclass
class Lines:
    """A logger that keeps what it is told."""

    told: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def info(self, message: str, *, extra: dict[str, Any]) -> None:
        self.told.append((message, extra))

    warning = exception = info


class Watched(SqliteTable):
    """A table that counts its calls, and fails to write many when told to."""

    def __init__(self) -> None:
        super().__init__(":memory:", now=lambda: 0.0)
        self.reads = 0
        self.batches: list[int] = []
        self.failure: Exception | None = None

    def get(self, wanted: Iterable[Any]) -> Any:
        self.reads += 1
        return super().get(wanted)

    def write_many(self, writes: Iterable[Put | Delete]) -> None:
        batch = list(writes)
        self.batches.append(len(batch))
        if self.failure:
            raise self.failure
        super().write_many(batch)


def with_audit(days: int = 30, *, eager: bool = False) -> tuple[Service, Watched, Lines]:
    """A service on a watched table whose audit keeps records for so many days."""
    table, lines = Watched(), Lines()
    made = make_service(table=table, logger=lines)
    made.services.settings = replace(made.services.settings, audit_days=days)
    made.services.audit = TableAudit(
        table, LogAudit(lines, None), days=days, now_ms=made.clock.milliseconds, eager=eager
    )
    made.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    return made, table, lines


def records(service: Service, scope: Any = None, **fields: Any) -> list[dict[str, Any]]:
    """One page of the calls of a scope, by default of the tenant."""
    body = {"memoryStoreName": "mem", "scope": scope or TENANT, **fields}
    listed: list[dict[str, Any]] = service.ok("ListMemoryStoreRequests", body)["requests"]
    return listed


def stored(service: Service) -> list[Item]:
    """Every record of a call in the table."""
    service.services.audit.flush()
    table = service.services.table
    with table._pool.connection() as connection:
        rows = connection.execute("SELECT DISTINCT pk FROM items WHERE pk LIKE '%/calls/%'").fetchall()
    return [item for (pk,) in rows for item in table.query(pk, "", keys.LAST, limit=100_000).items]


def test_an_add_is_recorded_as_the_api_shows_it(service: Service) -> None:
    """Ids, scope, summary, status and time; its task's state is that of now."""
    added = service.add([{"role": "user", "content": NEEDLE}, {"role": "assistant", "content": "好"}])
    record = records(service, operation="AddMemories")[0]
    assert record == {
        "requestId": added["requestId"],
        "operation": "AddMemories",
        "scope": SCOPE,
        "targetId": "",
        "responseStatus": 200,
        "latencyMs": 0,
        "createdAt": "2026-11-30T10:00:00.000Z",
        "requestSummary": "acceptedMessages=2",
        "ingestStatus": "queued",
    }
    service.drain()
    assert records(service, operation="AddMemories")[0]["ingestStatus"] == "completed"


def test_a_failed_task_tells_its_error() -> None:
    """Code and words of the service."""

    class Broken:
        model, dim = "words-1", 64

        def embed(self, *_: Any) -> Any:
            raise EmbedderFailed("the embedding service refused the call: HTTP 500")

    service = make_service(embedder=Broken())
    service.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    service.add("My bike is green")
    for _ in range(10):
        service.drain()
        service.clock.advance(120)
    record = records(service, operation="AddMemories")[0]
    assert record["ingestStatus"] == "failed"
    assert record["lastError"] == "EMBEDDER_FAILED: the embedding service refused the call: HTTP 500"


def test_the_answer_has_the_scope_filled_in(service: Service) -> None:
    """Omitted levels are `__default__`; what is behind a `*` is `*`."""
    service.add("a", scope={"appId": "shop"})
    answer = service.ok("ListMemoryStoreRequests", {"memoryStoreName": "mem", "scope": {"appId": "shop"}})
    default = {"appId": "shop", "tenantId": "__default__", "agentId": "__default__", "runId": "__default__"}
    assert (answer["scope"], answer["memoryStoreName"]) == (default, "mem")
    assert [each["scope"] for each in answer["requests"]] == [default]
    wide = service.ok("ListMemoryStoreRequests", {"memoryStoreName": "mem", "scope": {"appId": "*"}})
    assert wide["scope"] == EVERYWHERE


def test_refused_calls_are_listed_with_their_reason(service: Service) -> None:
    """Malformed ones under the scope that stands in them, and those that name what does not exist."""
    service.refused("AddMemories", {"memoryStoreName": "mem", "scope": SCOPE})
    service.clock.advance(1)
    service.refused("GetMemoryTask", {"memoryStoreName": "mem", "requestId": "a" * 32, "scope": SCOPE})
    found = records(service)
    assert [(each["operation"], each["responseStatus"], each["targetId"]) for each in found] == [
        ("GetMemoryTask", 404, "a" * 32),
        ("AddMemories", 400, ""),
    ]
    assert found[1]["responseSummary"] == "INVALID_PARAMETER: messages or text is required"
    assert "ingestStatus" not in found[1]


def test_calls_without_a_scope_belong_to_the_store(service: Service) -> None:
    """They are listed where all of it is asked for, and nowhere else."""
    service.ok("GetMemoryStore", {"memoryStoreName": "mem"})
    service.refused("AddMemories", {"memoryStoreName": "mem", "scope": {**SCOPE, "tenantId": "a/b"}})
    assert records(service, {**EVERYWHERE, "appId": "shop"}) == []
    found = records(service, EVERYWHERE)
    assert {each["operation"] for each in found} == {
        "CreateMemoryStore", "GetMemoryStore", "AddMemories", "ListMemoryStoreRequests"
    }  # fmt: skip
    assert all(each["scope"] == {} for each in found if each["operation"] != "ListMemoryStoreRequests")


def test_a_call_with_a_pattern_is_seen_by_who_asks_as_wide(service: Service) -> None:
    """A search over all runs says nothing to who may see one run."""
    service.search("bike", scope={"appId": "shop", "tenantId": "t1"})
    found = {"operation": "SearchMemories"}
    assert len(records(service, TENANT, **found)) == 1
    assert records(service, SCOPE, **found) == []
    assert records(service, {**TENANT, "agentId": "a1"}, **found) == []


def test_newest_first_and_by_operation(service: Service) -> None:
    """`operation` is an exact name."""
    for number in range(5):
        service.add(f"item {number}")
        service.clock.advance(1)
        service.search("item")
        service.clock.advance(1)
    found = records(service)
    assert [each["createdAt"] for each in found] == sorted((each["createdAt"] for each in found), reverse=True)
    assert [each["operation"] for each in found] == ["SearchMemories", "AddMemories"] * 5
    assert {each["operation"] for each in records(service, operation="AddMemories")} == {"AddMemories"}
    assert records(service, operation="addmemories") == records(service, operation="Add") == []


def test_calls_of_one_instant_are_all_there(service: Service) -> None:
    """Also two that answer the same task."""
    for _ in range(3):
        service.add("same", clientToken="once")
    found = records(service, operation="AddMemories")
    assert len(found) == 3
    assert len({each["requestId"] for each in found}) == 1


def test_time_bounds_are_rfc3339_or_milliseconds(service: Service) -> None:
    """Both included; the wrong order and negative numbers are refused."""
    started = service.clock.now_ms
    for _ in range(4):
        service.add("x")
        service.clock.advance(10)
    assert (
        len(
            records(service, operation="AddMemories", minTimestamp=started + 10_000, maxTimestamp=str(started + 20_000))
        )
        == 2
    )
    assert len(records(service, operation="AddMemories", minTimestamp="2026-11-30T10:00:30Z")) == 1
    for wrong in ({"minTimestamp": 2, "maxTimestamp": 1}, {"minTimestamp": -1}, {"maxTimestamp": "soon"}):
        assert (
            service.refused("ListMemoryStoreRequests", {"memoryStoreName": "mem", "scope": TENANT, **wrong})[0] == 400
        )


def test_the_scope_is_required(service: Service) -> None:
    """The store must exist as well."""
    assert service.refused("ListMemoryStoreRequests", {"memoryStoreName": "mem"}) == (400, "scope is required")
    assert service.refused("ListMemoryStoreRequests", {"memoryStoreName": "no", "scope": TENANT})[0] == 404
    assert (
        service.refused("ListMemoryStoreRequests", {"memoryStoreName": "mem", "scope": TENANT, "limit": 101})[0] == 400
    )


def test_pages_while_calls_go_on(service: Service) -> None:
    """Every call that was there at the start, once, over tenants and over one, whatever comes between the pages."""
    for number in range(57):
        service.add(f"item {number}", scope={**SCOPE, "tenantId": f"t{number % 3}"})
        service.clock.advance(number % 2)
    for scope, count in ((EVERYWHERE, 57), (TENANT, 19)):
        before = {each["createdAt"] for each in records(service, scope, operation="AddMemories", limit=100)}
        body = {"memoryStoreName": "mem", "scope": scope, "limit": 7}
        latest = service.clock.now_ms

        def go_on() -> None:
            service.clock.advance(1)
            service.search("item")

        found = [each for page in pages(service.ok, "ListMemoryStoreRequests", {**body, "maxTimestamp": latest}, go_on)
                 for each in page["requests"] if each["operation"] == "AddMemories"]  # fmt: skip
        assert len({each["requestId"] for each in found}) == len(found) == count
        assert {each["createdAt"] for each in found} == before


def test_a_rare_call_is_found_over_short_pages(service: Service) -> None:
    """Pages may be empty; following their tokens comes to an end and finds all."""
    service.ok("GetMemoryStore", {"memoryStoreName": "mem"})
    service.clock.advance(1)
    for number in range(1_100):
        service.call("GetMemoryTask", {"memoryStoreName": "mem", "requestId": "a" * 32, "scope": SCOPE})
        service.clock.advance(0.01 if number % 3 else 0)
    answers = pages(
        service.ok,
        "ListMemoryStoreRequests",
        {"memoryStoreName": "mem", "scope": EVERYWHERE, "operation": "GetMemoryStore"},
    )
    assert len(answers) == 3
    assert [len(answer["requests"]) for answer in answers] == [0, 0, 1]


def test_over_many_tenants(service: Service) -> None:
    """A pattern finds what lies inside it and nothing else."""
    for number in range(60):
        service.add("x", scope={**SCOPE, "appId": f"app{number % 3}", "tenantId": f"用户{number}"})
        service.clock.advance(0.5)
    ask = {"operation": "AddMemories", "limit": 100}
    assert len(records(service, EVERYWHERE, **ask)) == 60
    app = records(service, {**EVERYWHERE, "appId": "app1"}, **ask)
    assert len(app) == 20
    assert {each["scope"]["appId"] for each in app} == {"app1"}
    one = records(service, {**TENANT, "appId": "app1", "tenantId": "用户4"}, **ask)
    assert [each["scope"]["tenantId"] for each in one] == ["用户4"]
    assert records(service, {**TENANT, "appId": "app1", "tenantId": "用户5"}, **ask) == []


def test_a_token_is_good_for_its_own_listing_only(service: Service) -> None:
    """Scope, operation, bounds and store are sealed in; a token of another operation is none."""
    for _ in range(3):
        service.add("x")
    service.ok("CreateMemoryStore", {"memoryStoreName": "other"})
    body = {"memoryStoreName": "mem", "scope": TENANT, "limit": 1}
    token = service.ok("ListMemoryStoreRequests", body)["nextToken"]
    tasks = service.ok("ListMemoryTasks", body)["nextToken"]
    for other in (
        {"scope": EVERYWHERE},
        {"operation": "AddMemories"},
        {"minTimestamp": 1},
        {"memoryStoreName": "other"},
        {"nextToken": tasks},
        {"nextToken": token[:-2]},
    ):
        assert service.refused("ListMemoryStoreRequests", {**body, "nextToken": token, **other})[0] == 400
    assert service.ok("ListMemoryStoreRequests", {**body, "nextToken": token, "limit": 2})["requests"]


BODIES: dict[str, list[dict[str, Any]]] = {
    "AddMemories": [
        {"scope": SCOPE, "messages": [{"role": "user", "content": NEEDLE, "metadata": {NEEDLE: NEEDLE}}], "sync": True},
        {"scope": SCOPE, "text": NEEDLE, "metadata": {"k": NEEDLE}, "infer": False, "interaction": {NEEDLE: NEEDLE}},
        {"scope": SCOPE, "messages": [{"role": NEEDLE, "content": NEEDLE, "messageId": "m1", "speaker": NEEDLE}]},
        {"scope": SCOPE, "messages": [{"role": "user", "content": f"{NEEDLE}!", "messageId": "m1"}]},
        {"scope": SCOPE, "text": NEEDLE, "clientToken": NEEDLE},
        {"scope": SCOPE, "text": f"{NEEDLE}!", "clientToken": NEEDLE},
    ],
    "SearchMemories": [
        {"scope": SCOPE, "query": NEEDLE},
        {"scope": SCOPE, "query": NEEDLE, "metadata": {NEEDLE: NEEDLE}},
    ],
    "CreateMemoryStore": [{"memoryStoreName": "new", "description": NEEDLE, "extractInstructions": NEEDLE}],
    "UpdateMemoryStore": [{"description": NEEDLE, "extractInstructions": NEEDLE}],
    "UpdateMemory": [{"text": NEEDLE, "title": NEEDLE, "keywords": [NEEDLE], "metadata": {NEEDLE: NEEDLE}}],
    "DeleteMemoryStore": [{}],
    "ListMemoryStoreScopes": [{"filter": {"op": "eq", "field": "appId", "value": NEEDLE}}],
}
FIELDS = [
    "query",
    "text",
    "memoryId",
    "requestId",
    "metadata",
    "filter",
    "metadataFilter",
    "messages",
    "content",
    "scope",
]
FIELDS += [
    "nextToken",
    "clientToken",
    "description",
    "title",
    "keywords",
    "lines",
    "referenceTime",
    "status",
    "operation",
]
FIELDS += ["expiresAt", "contextScope", "topK", "limit", "minTimestamp", NEEDLE]
VALUES: list[Any] = [NEEDLE, {NEEDLE: NEEDLE}, [NEEDLE], [{NEEDLE: NEEDLE}], {"op": NEEDLE, NEEDLE: 1}, {"and": NEEDLE}]


def test_no_record_holds_what_was_said_asked_or_remembered(service: Service) -> None:
    """Every operation, served or refused, with texts in every place where one may stand and where none may."""
    routes = load_routes()
    memory = ""
    for name in sorted(routes, key=lambda each: each.startswith("Delete")):
        for body in BODIES.get(name, []) + [{key: value} for key in FIELDS for value in VALUES]:
            ids = {"memoryId": memory} if name == "UpdateMemory" and "memoryId" not in body else {}
            scope = {"scope": SCOPE} if "scope" in routes[name].operations[name][0].model_fields else {}
            named = {"memoryStoreName": "mem"}
            service.raw(name, {**named, **scope, **ids, **body}, x_ots_apikey="")
        if name == "AddMemories":
            service.drain()
            memory = service.search(NEEDLE)[0]["unit"]["id"]
        service.call(name, {"memoryStoreName": "mem"}, x_ots_apikey=f"amk_{NEEDLE}")
        service.call(name, {"memoryStoreName": "mem"}, authorization=f"Bearer {NEEDLE}")
        assert len(stored(service)) > 100 or name.startswith("Delete")
        assert not [item for item in stored(service) if NEEDLE in json.dumps(dict(item.body), ensure_ascii=False)], name
        if name == "DeleteMemoryStore":
            service.ok("CreateMemoryStore", {"memoryStoreName": "mem"})


def test_an_unexpected_failure_leaves_its_code_only() -> None:
    """Not a word of what was raised."""

    class Breaking(WordEmbedder):
        broken = False

        def embed(self, texts: Any, side: str) -> Any:
            if self.broken:
                raise RuntimeError(NEEDLE)
            return super().embed(texts, side)

    embedder = Breaking()
    service = make_service(embedder=embedder)
    service.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    service.add(NEEDLE)
    service.drain()
    embedder.broken = True
    service.call("SearchMemories", {"memoryStoreName": "mem", "scope": SCOPE, "query": NEEDLE})
    (record,) = records(service, SCOPE, operation="SearchMemories")
    assert (record["responseStatus"], record["responseSummary"]) == (500, "INTERNAL_ERROR")


def test_hostile_names_leave_small_records_in_the_right_place(service: Service) -> None:
    """Whatever a refused call names, nothing lands with somebody else, and no record grows."""
    service.ok("CreateMemoryStore", {"memoryStoreName": "mem"}, x_ots_instancename="i2")
    chooser = random.Random(7)
    levels = ["*", "%2F", "t1\x00", "t1 ", "Т1", "t1/..", "'t1'", "\ud800", "虾" * 2_000, "", None, 1, ["t1"], {"a": 1}]
    for _ in range(300):
        scope = {name: chooser.choice(levels) for name in SCOPE}
        body = json.dumps({"memoryStoreName": chooser.choice(["mem", "mem\x00", "MEM"]), "scope": scope, "text": 1})
        service.raw("AddMemories", body, x_ots_instancename=chooser.choice(["default\x00", "default", "i2", "i2\x07"]))
    assert records(service, SCOPE) == []
    assert len(records(service, TENANT)) == 1  # the listing before this one is not inside, since it named one run
    assert all(len(json.dumps(dict(item.body))) < 4_000 for item in stored(service))
    assert {each["scope"].get("tenantId") for each in records(service, EVERYWHERE, limit=100)} <= {
        "%2F", "t1 ", "Т1", "'t1'", "*", "__default__", "t1", None
    }  # fmt: skip


def test_instances_have_their_own_audit(service: Service) -> None:
    """The same store name in another instance is another store."""
    service.ok("CreateMemoryStore", {"memoryStoreName": "mem"}, x_ots_instancename="i2")
    service.add("x")
    body = {"memoryStoreName": "mem", "scope": EVERYWHERE}
    other = service.ok("ListMemoryStoreRequests", body, x_ots_instancename="i2")["requests"]
    assert [each["operation"] for each in other] == ["CreateMemoryStore"]


def test_a_record_names_the_key_that_proved_itself(service: Service) -> None:
    """And not one that was only claimed; what was refused for its key is recorded too."""
    keyring = service.services.keyring
    made = make_api_key(keyring, Terms(created_ms=service.clock.now_ms))
    service.ok("GetMemoryStore", {"memoryStoreName": "mem"}, x_ots_apikey=made.secret)
    service.clock.advance(1)
    wrong = made.secret[:-4] + ("aaaa" if made.secret[-4:] != "aaaa" else "bbbb")
    assert service.call("GetMemoryStore", {"memoryStoreName": "mem"}, x_ots_apikey=wrong)[0] == 403
    refused, served = records(service, EVERYWHERE, operation="GetMemoryStore")
    assert served["keyId"] == made.record.key_id
    assert "keyId" not in refused
    assert refused["responseSummary"].startswith("OTSAuthFailed: ")
    assert not [item for item in stored(service) if made.secret[-8:] in json.dumps(dict(item.body))]


def test_a_store_made_anew_starts_without_calls(service: Service) -> None:
    """The old one's are out of reach at once, and the purge removes them."""
    service.add("x")
    uid = service.ok("GetMemoryStore", {"memoryStoreName": "mem"})["storeUid"]
    assert [item for item in stored(service) if item.key.pk.startswith(uid)]
    service.ok("DeleteMemoryStore", {"memoryStoreName": "mem"})
    service.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    found = records(service, EVERYWHERE)
    assert "AddMemories" not in {each["operation"] for each in found}
    service.drain("maintenance")
    assert [item for item in stored(service) if item.key.pk.startswith(uid)] == []


def test_records_end_after_their_days() -> None:
    """The table collects them, and nobody reads one that is due though it is still there."""
    service, _, _ = with_audit(days=2)
    service.add("x")
    assert {item.ttl for item in stored(service)} == {service.clock.now_ms // 1_000 + 2 * SECONDS_PER_DAY}
    service.clock.advance(2 * SECONDS_PER_DAY - 1)
    assert len(records(service, operation="AddMemories")) == 1
    service.clock.advance(1)
    assert records(service, operation="AddMemories") == []
    assert records(service, operation="AddMemories", minTimestamp=0) == []
    assert stored(service)


def test_no_days_no_records() -> None:
    """The log still has every call."""
    service, _, lines = with_audit(days=0)
    service.add("x")
    assert stored(service) == []
    assert records(service) == []
    assert [extra["call"]["operation"] for message, extra in lines.told if message == "call"][1] == "AddMemories"


def test_a_call_waits_for_the_flush_unless_the_process_may_freeze() -> None:
    """Embedded nothing is written in the call; on AWS one batch of both records is, without a further read."""
    service, table, _ = with_audit()
    service.add("x")
    assert table.batches == []
    service.services.audit.flush()
    assert table.batches == [3]  # the store's creation and the add
    service, table, _ = with_audit(eager=True)
    service.add("x")
    table.batches.clear()
    reads = table.reads
    service.ok("ListMemoryStoreMessages", {"memoryStoreName": "mem", "scope": SCOPE})
    assert (table.batches, table.reads - reads) == ([2], 2)  # the uid of the store, then the tenant


def test_an_eager_audit_follows_a_store_that_is_made_anew() -> None:
    """At once where it sees the change itself, and within a minute where another process made it."""
    service, table, _ = with_audit(eager=True)
    for _ in range(2):
        service.ok("DeleteMemoryStore", {"memoryStoreName": "mem"})
        service.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
        service.add("x")
        assert len(records(service, operation="AddMemories")) == 1
    other = make_service(
        table=table, audit=TableAudit(table, LogAudit(Lines(), None), days=30, now_ms=service.clock.milliseconds)
    )
    other.ok("DeleteMemoryStore", {"memoryStoreName": "mem"})
    other.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    service.clock.advance(UID_LIFE_MS / 1_000)
    service.add("x")
    assert len(records(service, operation="AddMemories")) == 1


def test_a_failing_audit_changes_no_answer() -> None:
    """It is logged and counted, and goes on with the next call."""
    for eager in (False, True):
        service, table, lines = with_audit(eager=eager)
        service.services.audit.flush()
        for failure in (ServiceUnavailable(NEEDLE), RuntimeError(NEEDLE)):
            table.failure = failure
            added = service.add("x")
            assert added["acceptedMessages"] == 1
            service.services.audit.flush()
            assert lines.told[-1] == ("audit records lost", {"lost": 1, "error": type(failure).__name__})
            table.failure = None
        service.add("y")
        assert len(records(service, operation="AddMemories")) == 1


def test_what_waits_is_bounded() -> None:
    """Whoever brings the thousandth record writes them all."""
    service, table, _ = with_audit()
    for _ in range(MOST_WAITING - 1):
        service.call("GetMemoryStore", {"memoryStoreName": "mem"})
    assert table.batches == [MOST_WAITING]
    assert not service.services.audit._waiting


def test_the_flusher_writes_all_along_and_at_the_end(service: Service) -> None:
    """Without anybody listing; leaving the block leaves nothing behind."""
    flushes: list[int] = []

    class Counting:
        def record(self, call: CallRecord) -> None:
            raise AssertionError(call)

        def flush(self) -> None:
            flushes.append(1)

    with flushed(Counting(), every_seconds=0.001):
        while len(flushes) < 3:
            pass
    ended = len(flushes)
    with flushed(service.services.audit, every_seconds=60):
        service.add("x")
    assert len([item for item in stored_without_flush(service) if item.body["operation"] == "AddMemories"]) == 2
    assert len(flushes) == ended


def stored_without_flush(service: Service) -> list[Item]:
    audit = service.services.audit
    assert not audit._waiting
    return stored(service)


def test_the_metrics_of_a_call_are_one_line() -> None:
    """Embedded metric format: counts and latency by operation, and no other dimension."""
    call = CallRecord("c", "r", "AddMemories", "default", 404, 38, 1_796_032_800_000, "mem", SCOPE, error=NEEDLE)
    line = json.loads(metrics_line(call))
    (described,) = line["_aws"]["CloudWatchMetrics"]
    assert (described["Namespace"], described["Dimensions"]) == ("AgentMemory", [["operation"]])
    values = {each["Name"]: (line[each["Name"]], each["Unit"]) for each in described["Metrics"]}
    assert values == {
        "Calls": (1, "Count"),
        "ClientErrors": (1, "Count"),
        "ServerErrors": (0, "Count"),
        "Latency": (38, "Milliseconds"),
    }
    assert line["operation"] == "AddMemories"
    assert NEEDLE not in metrics_line(call)
    assert json.loads(metrics_line(replace(call, operation="", status=503)))["operation"] == "unknown"
    assert json.loads(metrics_line(replace(call, status=503)))["ServerErrors"] == 1


def test_lost_records_are_a_metric_of_their_own() -> None:
    """A count that an alarm can watch."""
    printed: list[str] = []
    LogAudit(Lines(), printed.append).lost(3, RuntimeError(NEEDLE), 1_796_032_800_000)
    line = json.loads(printed[0])
    assert (line["AuditLost"], line["_aws"]["CloudWatchMetrics"][0]["Dimensions"]) == (3, [[]])
    assert NEEDLE not in printed[0]


def test_unknown_operations_are_metered_as_one(service: Service) -> None:
    """A dimension comes from the list of routes, never from a caller."""
    printed: list[str] = []
    service.services.audit = LogAudit(Lines(), printed.append)
    service.services.logger = Lines()
    service.add("x")
    routes = load_routes()
    event = {"rawPath": "/NoSuch", "headers": {}, "requestContext": {"http": {"method": "POST"}}, "body": "{}"}
    assert routes["AddMemories"](event, None)["statusCode"] == 404
    assert [json.loads(line)["operation"] for line in printed] == ["AddMemories", "unknown"]


def test_a_served_process_writes_its_audit_before_it_ends(server: ServerProcess) -> None:
    """What was called just before the stop is listed after the next start; a client sees its own calls at once."""
    client = server.client()
    client.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    client.add("我对虾过敏")
    assert operations_of(client) == ["AddMemories"]
    client.messages()
    assert server.stop() == 0
    assert operations_of(server.start().client()) == ["ListMemoryStoreMessages", "AddMemories"]


def operations_of(client: Client) -> list[str]:
    body = {"memoryStoreName": "mem", "scope": SCOPE}
    found = client.ok("ListMemoryStoreRequests", body)["requests"]
    return [each["operation"] for each in found if each["operation"] != "ListMemoryStoreRequests"]
