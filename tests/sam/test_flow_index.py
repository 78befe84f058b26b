"""Stored indexes on S3: asked for by every function that writes memories, loaded by those that search, and removed."""

from __future__ import annotations

import json
import sys

from agent_memory import keys
from agent_memory.change_log import SNAPSHOT_EVERY
from agent_memory.ports import Item, Put
from agent_memory.store_access import read_tenant
from tests.sam.conversation import ANYWHERE, SCOPE, STORE
from tests.sam.costs import TITLE, cost_line
from tests.sam.test_flow_changes import COPY, found, memory_about

OTHER_RUN = {**SCOPE, "runId": "s9"}
QUERY = {**STORE, "query": "学游泳是星期几？", "scope": ANYWHERE, "topK": 3}


def stretch(stack, number, store=STORE):
    """Let the log be one entry short of that many snapshots. Its entries are missing: warm indexes load anew."""
    table = stack.table()
    names = ("default", store["memoryStoreName"])
    partition = read_tenant(table, names, (SCOPE["appId"], SCOPE["tenantId"]), {}).partition
    table.write([Put(Item(keys.head(partition), {}, version=number * SNAPSHOT_EVERY - 1))])


def test_a_change_asks_for_a_snapshot_and_searches_load_it(stack, extracted, capsys):
    """Record, objects and the end of the log, not the memories one by one; warm, nothing of it."""
    stretch(stack, 1)
    memory = memory_about(stack, "游泳")
    stack.ok("UpdateMemory", {**STORE, "memoryId": memory["id"], "title": "游泳课"})
    assert stack.waiting("IndexQueue") == 1
    stack.drain()
    assert len(stack.objects()) == 2
    front = stack.fronts["search_memories"]
    costs = []
    for what in ("SearchMemories, cold, from a snapshot", "SearchMemories, warm"):
        start = len(front.calls)
        assert "每周三" in "".join(each["unit"]["text"] for each in stack.ok("SearchMemories", QUERY)["results"])
        costs.append((what, front.calls[start:]))
    cold, warm = ([call.operation for call in calls] for _, calls in costs)
    assert cold.count("GetObject") == 2
    assert "GetObject" not in warm
    assert "Query" not in warm
    with capsys.disabled():
        sys.stdout.write("\n".join(["\n", TITLE, *(cost_line(*cost) for cost in costs), ""]))


def test_claims_are_settled_against_the_stored_index(stack, extracted):
    """By the function that was called and by the worker, both of which load it, then read on in the log."""
    there = {**STORE, "scope": {**SCOPE, "runId": "s8"}}
    for city in ("Leeds", "York"):
        stack.ok("AddMemories", {**there, "text": f"I live in {city}.", "sync": True})
    for city in ("杭州", "北京"):
        stack.ok("AddMemories", {**there, "text": f"我住在{city}。"})
        stack.drain()
    assert [each["search_text"] for each in stack.ok("ListMemories", there)["memories"]] == ["user: 我住在北京。"]
    assert len(stack.ok("ListMemories", {**there, "includeInvalid": True})["memories"]) == 4
    for name in ("add_memories", "extraction_worker"):
        assert {"GetObject", "Query"} <= {call.operation for call in stack.fronts[name].calls}, name
    stack.ok("DeleteScope", there)
    stack.drain()


def test_a_later_snapshot_replaces_the_objects_and_cuts_the_log(stack, extracted):
    """From an extraction this time; lists load it as searches do."""
    first = stack.objects()
    stretch(stack, 2)
    stack.ok("AddMemories", {**STORE, "scope": OTHER_RUN, "text": "Mia collects blue umbrellas 收集雨伞"})
    stack.drain()
    stretch(stack, 3)
    stack.ok("AddMemories", {**STORE, "scope": OTHER_RUN, "text": "Mia's boat is called 海星", "sync": True})
    stack.drain()
    assert not set(first) & set(stack.objects())
    assert "blue umbrellas" in "".join(found(stack, "umbrella"))
    assert memory_about(stack, "海星")
    calls = stack.fronts["index_worker"].calls
    assert {"BatchWriteItem", "GetObject", "DeleteObjects"} <= {call.operation for call in calls}


def test_an_import_asks_as_well(stack, extracted):
    """Where memories come in as lines."""
    stretch(stack, 1, COPY)
    page = stack.ok("ExportMemoryStore", {**STORE, "limit": 500})
    lines = [line for line in page["lines"].splitlines() if json.loads(line)["type"] == "memory" and "海星" in line]
    assert stack.ok("ImportMemories", {**COPY, "lines": "\n".join(lines)})["imported"] == 1
    assert stack.waiting("IndexQueue") == 1
    stack.drain()
    assert "海星" in "".join(found(stack, "name of the boat", store=COPY))


def test_deletions_remove_what_is_stored(stack, extracted):
    """Messages with the call, a conversation with its purge; what is left is stored anew and found."""
    before = set(stack.objects())
    messages = stack.ok("ListMemoryStoreMessages", {**STORE, "scope": OTHER_RUN})["session"]["messages"]
    (name,) = [each["messageId"] for each in messages if "海星" in each["content"]]
    stack.ok("DeleteMessages", {**STORE, "scope": OTHER_RUN, "messageIds": [name]})
    after = set(stack.objects())
    assert after < before
    stack.drain()
    assert set(stack.objects()) > after
    stack.ok("DeleteScope", {**STORE, "scope": OTHER_RUN})
    assert not any("umbrellas" in text for text in found(stack, "umbrella"))
    stack.drain()
    assert len(stack.objects()) == 4
    assert not any("umbrellas" in text for text in found(stack, "umbrella"))
    assert "每周三" in "".join(found(stack, "学游泳是星期几？"))
