"""Listing by time: partitions merged newest first, a budget, places to go on from, and what a record may hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.adapters.table_rules import encode
from agent_memory.audit import MAX_ERROR, MAX_SUMMARY, CallRecord, about, error_text, instance_name
from agent_memory.errors import InvalidParameter, NotFound
from agent_memory.invalid import first_problem
from agent_memory.keys import LAST, TENANT_HASH, tenant_hash
from agent_memory.ports import Item, Key, Put
from agent_memory.requests.listings import ListMemoryTasksRequest, RetryMemoryTaskRequest
from agent_memory.requests.memories import AddMemoriesRequest, SearchMemoriesRequest
from agent_memory.timeline import BUDGET, Listed, call_items, entry_keys, listed, newest
from agent_memory.timeline_keys import (
    SHARDS,
    calls_partition,
    moment,
    moments,
    task_range,
    timeline,
    timelines,
)
from agent_memory.times import FIRST_MS, LAST_MS
from tests.conftest import SCOPE

UID = "store_7b0f2c1e-93a4-4d0e-8d55-0a1b2c3d4e5f"
NOW = 1_796_032_800_000
NEEDLE = "我的密码是1234"
INSTANTS = st.lists(st.integers(NOW, NOW + 40), max_size=60)


def filled(instants: list[int]) -> tuple[SqliteTable, list[str]]:
    """A table with an entry for each instant, and their sort keys newest first."""
    table = SqliteTable(":memory:", now=lambda: 0.0)
    entries = [timeline("tasks", UID, at, f"{number:04d}") for number, at in enumerate(instants)]
    table.write_many(Put(Item(key, {})) for key in entries)
    return table, sorted((key.sk for key in entries), reverse=True)


def even(items: list[Item]) -> list[str | None]:
    """The entries with an even number."""
    return [item.key.sk if item.key.sk[-1] in "02468" else None for item in items]


def page(table: SqliteTable, after: str | None, limit: int) -> Listed[str]:
    entries = newest(table, timelines("tasks", UID), moments(None, None), after, limit)
    return listed(entries, even, limit)


@settings(max_examples=60)
@given(INSTANTS, st.integers(1, 20))
def test_the_shards_are_merged_newest_first(instants: list[int], size: int) -> None:
    """Whatever the shards hold and however much is read at once."""
    table, expected = filled(instants)
    found = newest(table, timelines("tasks", UID), moments(None, None), None, size)
    assert [item.key.sk for item in found] == expected


@settings(max_examples=60)
@given(INSTANTS, st.integers(1, 7))
def test_pages_give_every_entry_once(instants: list[int], limit: int) -> None:
    """In order, none over the limit, and the last one without a place to go on from."""
    table, expected = filled(instants)
    found, after = [], None
    while True:
        read = page(table, after, limit)
        assert len(read.found) <= limit
        found += read.found
        if read.after is None:
            break
        assert after is None or read.after < after
        after = read.after
    assert found == [each for each in expected if each[-1] in "02468"]


def test_an_exactly_full_last_page_is_the_last() -> None:
    """No token leads to an empty page."""
    table, _ = filled([NOW, NOW + 1, NOW + 2])
    assert page(table, None, 2).after is None


def test_what_comes_meanwhile_is_not_seen_behind_the_place() -> None:
    """Entries are newer than the ones already read, so no page repeats or loses one."""
    table, expected = filled(list(range(NOW, NOW + 20)))
    first = page(table, None, 3)
    table.write_many(Put(Item(timeline("tasks", UID, NOW + 100 + each, f"9{each}0"), {})) for each in range(5))
    second = page(table, first.after, 100)
    assert first.found + second.found == [each for each in expected if each[-1] in "02468"]


def test_a_page_reads_no_more_than_its_budget() -> None:
    """Where nothing is wanted, an empty page says how far it got, and the pages come to an end."""
    table, _ = filled(list(range(NOW, NOW + 3 * BUDGET + 10)))
    seen: list[int] = []

    def none(items: list[Item]) -> list[str | None]:
        seen.append(len(items))
        return [None] * len(items)

    after, pages = None, 0
    while True:
        read = listed(newest(table, timelines("tasks", UID), moments(None, None), after, 50), none, 50)
        pages += 1
        assert read.found == []
        assert sum(seen) <= BUDGET + 51
        seen.clear()
        if read.after is None:
            break
        after = read.after
    assert pages == 4


@given(st.integers(FIRST_MS, LAST_MS), st.integers(FIRST_MS, LAST_MS))
def test_moments_sort_as_their_instants(one: int, other: int) -> None:
    """Also those before 1970; both ends of a range belong to it."""
    assert (moment(one) < moment(other)) == (one < other)
    low, high = moments(min(one, other), max(one, other))
    assert low <= moment(one, "x") <= high
    assert low <= moment(other, "\U0010fffe") <= high


@given(st.integers(0, LAST_MS), st.integers(0, LAST_MS), st.integers(0, LAST_MS))
def test_the_range_of_tasks_is_that_of_their_instants(at: int, low: int, high: int) -> None:
    """Ids of tasks hold the instant in hexadecimal; both bounds are included."""
    key = f"task/{tenant_hash('shop', 't1')}{at:012x}0a1b2c3d"
    first, last = task_range("shop", "t1", low, high)
    assert (first <= key <= last) == (low <= at <= high)
    assert task_range("shop", "t1", None, None)[0] <= key <= task_range("shop", "t1", None, None)[1]
    assert len(tenant_hash("shop", "t1")) == TENANT_HASH


def test_the_timelines_of_a_store_are_few_and_apart() -> None:
    """Calls and tasks do not share one, and the entries spread over the shards."""
    assert len({*timelines("calls", UID), *timelines("tasks", UID)}) == 2 * SHARDS
    shards = {timeline("calls", UID, NOW, f"{each:032x}").pk for each in range(100)}
    assert shards == set(timelines("calls", UID))


def call(**fields: Any) -> CallRecord:
    named = {"call_id": "c" * 32, "request_id": "r" * 32, "operation": "AddMemories", "instance": "default"}
    return CallRecord(**{**named, "status": 200, "latency_ms": 3, "created_ms": NOW, **fields})


def test_a_call_lies_where_tenant_and_store_find_it() -> None:
    """Twice the same record, and both end on the same day."""
    items = call_items(UID, call(store="mem", scope=SCOPE), days=30)
    assert {item.key.pk for item in items} == {
        calls_partition(UID, "shop", "t1"),
        timeline("calls", UID, NOW, "c" * 32).pk,
    }
    assert {item.ttl for item in items} == {NOW // 1_000 + 30 * 86_400}
    assert items[0].body == items[1].body


@pytest.mark.parametrize("scope", [{}, {**SCOPE, "appId": "*", "tenantId": "*"}, {**SCOPE, "tenantId": "*"}])
def test_a_call_without_a_tenant_lies_with_the_store_only(scope: dict[str, str]) -> None:
    """Nobody who may see one tenant only finds it."""
    assert [item.key.pk for item in call_items(UID, call(scope=scope), 30)] == [
        timeline("calls", UID, NOW, "c" * 32).pk
    ]


def test_a_record_stays_far_below_every_limit() -> None:
    """The longest names, summary and error: a few kilobytes, in keys that the table takes."""
    level = "🦐" * 32
    scope = dict.fromkeys(SCOPE, level)
    longest = call(
        scope=scope,
        summary="虾" * MAX_SUMMARY,
        error="虾" * MAX_ERROR,
        key_id="k" * 64,
        target_id="a" * 64,
        store="s" * 32,
    )
    assert all(encode(item).size < 5_000 for item in call_items(UID, longest, 36_500))


def test_all_entries_of_a_store_are_found_for_its_purge() -> None:
    """A call's copy for its tenant comes before the entry that leads to it."""
    table = SqliteTable(":memory:", now=lambda: 0.0)
    calls = [call(call_id=f"{number:032x}", scope=SCOPE if number % 2 else {}) for number in range(20)]
    items = [item for each in calls for item in call_items(UID, each, 30)]
    task = Item(timeline("tasks", UID, NOW, "t1"), {"scope": SCOPE, "born": [1, 0]})
    table.write_many(map(Put, [*items, task]))
    found = list(entry_keys(UID, table))
    assert sorted(found) == sorted(item.key for item in [*items, task])
    entries = {key.sk: at for at, key in enumerate(found) if "/timeline/" in key.pk}
    assert all(at < entries[key.sk] for at, key in enumerate(found) if "/timeline/" not in key.pk)


def add(**fields: Any) -> AddMemoriesRequest:
    body = {"memoryStoreName": "mem", "scope": SCOPE, "messages": [{"role": "user", "content": NEEDLE}] * 2, **fields}
    return AddMemoriesRequest.model_validate(body, by_alias=True, by_name=False)


def test_a_summary_tells_counts_numbers_and_switches() -> None:
    """Of an add what was accepted; of a search how many are asked for, also where the caller left it open."""
    told = about({}, add(metadata={NEEDLE: NEEDLE}, sync=True), {"acceptedMessages": 2, "duplicateMessages": 0})
    assert told["summary"] == "acceptedMessages=2, sync=true"
    assert about({}, add(ttlSeconds=60), {})["summary"] == "messages=2, ttlSeconds=60"
    search = SearchMemoriesRequest.model_validate({"memoryStoreName": "mem", "scope": SCOPE, "query": NEEDLE})
    assert about({}, search, {})["summary"] == "topK=10"
    listing = ListMemoryTasksRequest.model_validate({"memoryStoreName": "mem", "status": "failed", "limit": 5})
    assert about({}, listing, {})["summary"] == "limit=5"


def test_the_scope_is_the_one_that_the_request_means() -> None:
    """Filled in as the operation does; of a refused request as it stands there; of a call by id the record's."""
    assert about({}, add(), {})["scope"] == SCOPE
    assert about({"scope": {"appId": "shop"}}, None, {})["scope"] == {
        "appId": "shop",
        "tenantId": "__default__",
        "agentId": "__default__",
        "runId": "__default__",
    }
    by_id = RetryMemoryTaskRequest.model_validate({"memoryStoreName": "mem", "requestId": "a" * 32})
    assert about({}, by_id, {"task": {"scope": SCOPE}})["scope"] == SCOPE
    assert about({}, by_id, {"task": [1]})["scope"] == about({}, by_id, {"task": {}})["scope"] == {}


NO_SCOPES: list[Any] = [None, 1, "shop", [SCOPE], {**SCOPE, "appId": "a/b"}, {**SCOPE, "runId": 1}]
NO_SCOPES += [{**SCOPE, "tenantId": "t1\x00"}, {**SCOPE, "tenantId": "*"}, {**SCOPE, "appId": "虾" * 43}]
NO_SCOPES += [{**SCOPE, "agentId": "\ud800"}]


@pytest.mark.parametrize("scope", NO_SCOPES)
def test_a_scope_that_is_none_leaves_no_name(scope: Any) -> None:
    """What was cut or cleaned could be somebody else's."""
    assert about({"scope": scope}, None, {})["scope"] == {}


@pytest.mark.parametrize("name", ["", "no-name", "n" * 33, "mem\n", "mém", NEEDLE, 1, ["mem"], None])
def test_a_store_that_cannot_be_leaves_no_name(name: Any) -> None:
    """Letters, digits and underscores, at most 32."""
    assert about({"memoryStoreName": name}, None, {})["store"] == ""


def test_only_ids_of_the_service_are_targets() -> None:
    """Whatever else stands in the place of an id is text of the caller."""
    for given_id, kept in (("a1" * 16, "a1" * 16), (NEEDLE, ""), ("password1", ""), ("A" * 32, ""), ("a" * 65, "")):
        asked = RetryMemoryTaskRequest.model_validate({"memoryStoreName": "mem", "requestId": given_id})
        assert about({}, asked, {})["target_id"] == kept
    assert about({}, add(), {"requestId": "a" * 32})["target_id"] == ""


def test_an_instance_is_exact_or_none() -> None:
    """64 characters without control characters."""
    assert [instance_name(each) for each in ("实例", "i" * 64, "i" * 65, "a\x00", "\ud800")] == [
        "实例",
        "i" * 64,
        "",
        "",
        "",
    ]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({NEEDLE: 1}, "… is not a known field"),
        ({"metadata": {NEEDLE: 1}}, "metadata… must be a string"),
        ({"messages": [{"role": "user", "content": "a", NEEDLE: 1}]}, "messages[0]… is not a known field"),
        ({"messages": [{"role": "user", "content": 1}]}, "messages[0]… must be a string"),
        ({"scope": {**SCOPE, NEEDLE: "x"}}, "scope… is not a known field"),
        ({"text NEEDLE": "x"}, "text… is not a known field"),
        ({"textNEEDLE": "x"}, "… is not a known field"),
        ({"sync": NEEDLE}, "sync must be true or false"),
        ({"messages": None}, "messages or text is required"),
        ({"referenceTime": NEEDLE}, "referenceTime must be an RFC 3339 time such as 2026-11-30T10:00:00Z"),
        ({"scope": {"appId": NEEDLE + "/"}}, "scope… must not contain '/' or control characters"),
    ],
)
def test_an_error_tells_no_name_that_the_caller_made_up(fields: dict[str, Any], told: str) -> None:
    """Fields of the operation's own request are named, what lies below them is not."""
    with pytest.raises(ValidationError) as caught:
        add(**fields)
    error = InvalidParameter(*first_problem(caught.value))
    assert error_text(error, AddMemoriesRequest) == f"INVALID_PARAMETER: {told}"


@pytest.mark.parametrize("name", [NEEDLE, "pass'word", 'pass"word', """pa'ss"w'ord""", "a\\", "x' y 'z", "can't 'x"])
def test_an_error_repeats_nothing_that_is_quoted(name: str) -> None:
    """Ids and names have their own fields; what the service itself quotes is one character."""
    error = NotFound(f"it can't be that requestId {name!r} does not exist in {name!r}")
    assert error_text(error, None) == "NOT_FOUND: it can't be that requestId '…' does not exist in '…'"
    assert error_text(NotFound("must not be '*' or '/'"), None) == "NOT_FOUND: must not be '*' or '/'"


def test_an_error_is_short_and_clean() -> None:
    """300 characters; without a model no field is named."""
    assert error_text(NotFound("a\x00" + "虾" * 1_000), None) == ("NOT_FOUND: a" + "虾" * 1_000)[:MAX_ERROR]
    assert error_text(InvalidParameter(NEEDLE, "is wrong"), None) == "INVALID_PARAMETER: … is wrong"
    assert error_text(InvalidParameter("", "the body must be a JSON object"), None).endswith(
        ": the body must be a JSON object"
    )


def test_the_shown_record_is_json_without_empty_texts() -> None:
    """`targetId` is always there, as in the API's example."""
    shown = call(store="mem", scope=SCOPE, summary="acceptedMessages=2").to_json()
    assert json.loads(json.dumps(shown)) == {
        "requestId": "r" * 32,
        "operation": "AddMemories",
        "scope": SCOPE,
        "targetId": "",
        "responseStatus": 200,
        "latencyMs": 3,
        "createdAt": "2026-11-30T10:00:00.000Z",
        "requestSummary": "acceptedMessages=2",
    }
    assert Key("p", LAST) > Key("p", moment(NOW))
