"""Reading, changing, moving and deleting what test_flow.py stored, each operation at least once."""

from __future__ import annotations

import json

from agent_memory.ports import Put
from agent_memory.records import store_of, task_item, task_of
from agent_memory.store_access import read_store_item
from agent_memory.task_access import find_task
from tests.sam.conversation import ANYWHERE, SAID, SCOPE, STORE

COPY = {"memoryStoreName": "shop_copy"}
NEIGHBOUR = {"appId": "shop", "tenantId": "u43", "agentId": "bot", "runId": "s1"}


def found(stack, query, *, store=STORE, scope=ANYWHERE):
    """The texts of a search's first three results."""
    answer = stack.ok("SearchMemories", {**store, "query": query, "scope": scope, "topK": 3})
    return [result["unit"]["text"] for result in answer["results"]]


def memory_about(stack, word):
    """The memory that has the word."""
    listed = stack.ok("ListMemories", {**STORE, "scope": ANYWHERE, "limit": 100})["memories"]
    return next(memory for memory in listed if word in memory["text"])


def test_memories_are_listed_in_pages(stack, extracted):
    """Each comes once, and the second page is told by another function instance's key."""
    first = stack.ok("ListMemories", {**STORE, "scope": ANYWHERE, "limit": 3})
    rest = stack.ok("ListMemories", {**STORE, "scope": ANYWHERE, "limit": 3, "nextToken": first["nextToken"]})
    assert len({memory["id"] for memory in first["memories"] + rest["memories"]}) == 6


def test_a_memory_can_be_changed_and_its_history_read(stack, extracted):
    """The new text is embedded and found at once from the search function; the old one is kept with who changed it."""
    memory = memory_about(stack, "我的猫叫团子")
    named = {**STORE, "memoryId": memory["id"]}
    assert stack.ok("GetMemory", named)["memory"]["version"] == 1
    assert stack.ok("UpdateMemory", {**named, "text": "我的猫叫团子，它怕打雷"})["memory"]["version"] == 2
    assert "打雷" in found(stack, "什么声音让猫害怕？")[0]
    (earlier,) = stack.ok("GetMemoryHistory", named)["versions"]
    assert (earlier["memory"]["text"], earlier["actor"]) == (memory["text"], stack.keys.api_key.split("_")[1])


def test_a_memory_can_be_deleted_with_its_evidence(stack, extracted):
    """Nobody finds it any more; its history and the message are gone, too."""
    memory = memory_about(stack, "打雷")
    named = {**STORE, "memoryId": memory["id"]}
    assert stack.ok("DeleteMemory", {**named, "cascade": "evidence"})["deleted"] is True
    assert stack.call("GetMemory", named)[0] == 404
    assert stack.call("GetMemoryHistory", named)[0] == 404
    assert not any("打雷" in text for text in found(stack, "什么声音让猫害怕？"))
    messages = stack.ok("ListMemoryStoreMessages", {**STORE, "scope": SCOPE, "limit": 500})["session"]["messages"]
    assert not any("我的猫叫团子" in message["content"] for message in messages)


def test_tasks_are_listed_and_a_failed_one_is_done_again(stack, extracted):
    """RetryMemoryTask queues the task; the worker completes it without doubling a memory."""
    before = len(stack.ok("ListMemories", {**STORE, "scope": ANYWHERE, "limit": 100})["memories"])
    _fail(stack, extracted["requestId"])
    failed = stack.ok("ListMemoryTasks", {**STORE, "scope": ANYWHERE, "status": "failed"})["tasks"]
    assert [task["requestId"] for task in failed] == [extracted["requestId"]]
    assert stack.ok("RetryMemoryTask", {**STORE, "requestId": extracted["requestId"]})["task"]["status"] == "queued"
    stack.drain()
    assert stack.ok("GetMemoryTask", {**STORE, "requestId": extracted["requestId"]})["task"]["status"] == "completed"
    assert len(stack.ok("ListMemories", {**STORE, "scope": ANYWHERE, "limit": 100})["memories"]) == before


def test_calls_are_listed(stack, added):
    """The record of a call is there when the call is answered, and has no word of its messages."""
    asked = {**STORE, "scope": ANYWHERE, "operation": "AddMemories"}
    records = stack.ok("ListMemoryStoreRequests", asked)["requests"]
    (record,) = [each for each in records if each["requestId"] == added["requestId"]]
    assert (record["responseStatus"], record["ingestStatus"], record["scope"]) == (200, "completed", SCOPE)
    assert not any(text in json.dumps(records, ensure_ascii=False) for text in SAID)


def test_a_store_can_be_taken_out_and_brought_in(stack, extracted):
    """All lines of the export make another store in which the memories are found."""
    lines = _exported(stack)
    stack.ok("CreateMemoryStore", COPY)
    answer = stack.ok("ImportMemories", {**COPY, "lines": "".join(lines)})
    assert (answer["failed"], answer["imported"]) == ([], len(lines) - 1)
    assert "虾过敏" in "".join(found(stack, "哪些海鲜不能吃？", store=COPY))


def test_an_import_may_win_over_what_is_there(stack, extracted):
    """A message that came at another time takes the place of the stored one."""
    line = next(line for line in map(json.loads, _exported(stack)) if line["type"] == "message")
    at, said, came, name = line["logKey"].split("/")
    moved = {**line, "logKey": f"{at}/{said}/{int(came[:15]) + 1:015d}{came[15:]}/{name}"}
    answer = stack.ok("ImportMemories", {**COPY, "lines": json.dumps(moved), "onConflict": "replace"})
    assert (answer["failed"], answer["imported"]) == ([], 1)


def test_messages_can_be_deleted(stack, extracted):
    """With the memory that comes from them alone."""
    asked = {**STORE, "scope": SCOPE, "limit": 500}
    messages = stack.ok("ListMemoryStoreMessages", asked)["session"]["messages"]
    (name,) = [each["messageId"] for each in messages if "43 shoes" in each["content"]]
    answer = stack.ok("DeleteMessages", {**STORE, "scope": SCOPE, "messageIds": [name]})
    assert (answer["status"], answer["deleted"], answer["notFound"]) == ("completed", 1, [])
    assert not any("43 shoes" in text for text in found(stack, "shoe size"))


def test_a_scope_can_be_deleted(stack, extracted):
    """Out of sight at once; after the maintenance worker no key of the table names the tenant but the deletion's."""
    body = {**STORE, "scope": NEIGHBOUR, "text": "Ada wears size 36", "sync": True}
    assert stack.ok("AddMemories", body)["status"] == "completed"
    prefix = {"appId": "shop", "tenantId": "u43"}
    deletion = stack.ok("DeleteScope", {**STORE, "scope": prefix})
    assert found(stack, "shoe size", scope=prefix) == []
    stack.drain()
    task = stack.ok("GetMemoryTask", {**STORE, "requestId": deletion["requestId"]})["task"]
    assert (task["status"], task["eventType"]) == ("completed", "delete_scope")
    named = [key for key in stack.items() if "u43" in "".join(key)]
    assert all("/calls/" in pk for pk, _ in named), named


def _exported(stack) -> list[str]:
    """The lines of a whole export, in pages."""
    lines: list[str] = []
    page: dict[str, str] = {}
    while page.get("nextToken") or not lines:
        page = stack.ok("ExportMemoryStore", {**STORE, "limit": 20, **_token(page)})
        lines += page["lines"].splitlines(keepends=True)
    return lines


def _token(page: dict[str, str]) -> dict[str, str]:
    return {"nextToken": page["nextToken"]} if "nextToken" in page else {}


def _fail(stack, request_id: str) -> None:
    """Let the task have failed."""
    table = stack.table()
    store = store_of(read_store_item(table, "default", STORE["memoryStoreName"]))
    item = find_task(store, request_id, table)
    failed = task_of(item).model_copy(update={"status": "failed"})
    table.write([Put(task_item(store.uid, failed, item.version + 1), expect=item.version)])
