"""Answers of the service against what the document says of them: every field, no other, every listed status."""

from __future__ import annotations

from typing import Any

import pytest

from agent_memory.openapi.answers.table import ANSWERS
from agent_memory.openapi.operations import operations
from tests.conftest import make_service
from tests.flows.described import misfits
from tests.stand_ins import ScriptedReranker

SCOPE = {"appId": "店", "tenantId": "用户 42", "agentId": "bot", "runId": "s1"}
TENANT = {"appId": "店", "tenantId": "用户 42"}
EVERYWHERE = {"appId": "*"}
STORE_SETTINGS = {
    "description": "书店",
    "extractInstructions": "尺码",
    "storageMode": "file+ots",
    "defaultTtlSeconds": 90,
}


class Caller:
    """Calls operations on the store `mem` and notes what the document does not describe."""

    def __init__(self) -> None:
        self.service = make_service()
        self.misfits: list[str] = []
        self.answered: set[str] = set()

    def __call__(self, name: str, body: Any = None, **headers: str) -> dict[str, Any]:
        """The answer, whatever its status."""
        named = {"memoryStoreName": "mem"} if name != "ListMemoryStores" else {}
        status, answer = self.service.call(name, {**named, **(body or {})}, **headers)
        self.misfits += misfits(name, status, answer)
        self.answered |= {name} if status == 200 else set()
        found: dict[str, Any] = answer
        return found

    def add(self, *texts: str, **fields: Any) -> dict[str, Any]:
        """An add of user messages that is done at once."""
        messages = [{"role": "user", "content": text} for text in texts]
        return self("AddMemories", {"scope": SCOPE, "messages": messages, "sync": True, **fields})


@pytest.fixture
def call() -> Caller:
    made = Caller()
    made("CreateMemoryStore")
    return made


def of_stores(call: Caller) -> None:
    """With every setting and with none, whole lists and pages."""
    call("CreateMemoryStore", {"memoryStoreName": "other", **STORE_SETTINGS})
    call("GetMemoryStore")
    call("UpdateMemoryStore", {"description": "店"})
    call("ListMemoryStores", {"limit": 1})
    call("ListMemoryStores")
    call("DeleteMemoryStore", {"memoryStoreName": "other"})


def of_messages_and_tasks(call: Caller) -> None:
    """Tasks that made something, made nothing and wait; pages of messages, scopes and calls."""
    done = call.add("我穿43码的鞋。", "I moved to Hamburg in May 2025.", metadata={"k": "v"}, ttlSeconds=900)
    call.add("ok", clientToken="t-1")
    waiting = call("AddMemories", {"scope": {**SCOPE, "runId": "s2"}, "text": "我喜欢喝绿茶。"})
    for each in (done, waiting):
        call("GetMemoryTask", {"requestId": each["requestId"]})
    for limit in (1, 50):
        call("ListMemoryStoreMessages", {"scope": SCOPE, "limit": limit})
        call("ListMemoryStoreScopes", {"limit": limit})
        call("ListMemoryTasks", {"scope": EVERYWHERE, "limit": limit})
        call("ListMemoryStoreRequests", {"scope": EVERYWHERE, "limit": limit})


def of_memories(call: Caller) -> None:
    """Search with evidence and context, pages, every kind of change, history."""
    call.add("我穿43码的鞋。", "I moved to Hamburg in May 2025.", "She paints on Sundays.", "我喜欢喝绿茶。")
    search = {"query": "鞋码 Hamburg 绿茶", "scope": TENANT, "contextScope": SCOPE, "includeEvidence": True}
    call("SearchMemories", {**search, "topK": 1})
    call("SearchMemories", search)
    call("ListMemories", {"scope": EVERYWHERE, "limit": 1})
    first, second = call("ListMemories", {"scope": EVERYWHERE})["memories"][:2]
    one, other = {"memoryId": first["id"]}, {"memoryId": second["id"]}
    call("UpdateMemory", {**one, "title": "鞋码", "keywords": ["鞋"], "metadata": {"checked": "yes"}})
    call("UpdateMemory", {**one, "text": "穿44码的鞋", "effectiveAt": "2026-05", "timePrecision": "month"})
    call("GetMemory", one)
    call("GetMemoryHistory", {**one, "limit": 1})
    call("GetMemoryHistory", one)
    call("DeleteMemory", one)
    call("DeleteMemory", {**other, "cascade": "evidence"})


def of_searches(call: Caller) -> None:
    """Neighbours in the evidence, scores of the parts, the past, and models that do not answer."""
    call.add("早上好。", "我穿43码的鞋。", "They are red.", "I bought them in Hamburg.", infer=False)
    search = {"query": "43码的鞋", "scope": TENANT, "includeScores": True}
    call("SearchMemories", {**search, "topK": 1, "includeEvidence": True})
    call("SearchMemories", {**search, "keywordOnly": True, "dedup": "mmr", "includeInvalid": True})
    call("SearchMemories", {**search, "asOf": "2026-11-30T10:00:00Z"})
    call("ListMemories", {"scope": EVERYWHERE, "asOf": "2026-11-30T10:00:00Z"})
    call("ListMemories", {"scope": EVERYWHERE, "includeInvalid": True})
    reranker = ScriptedReranker(lambda text: 0.5)
    call.service.services.__dict__["reranker"] = reranker
    call("SearchMemories", search)
    reranker.fails = True
    answer = call("SearchMemories", search)
    assert [each["code"] for each in answer["warnings"]] == ["RERANKER_FAILED"]


def of_transfer(call: Caller) -> None:
    """Pages out, lines in, good ones and bad ones."""
    call.add("我穿43码的鞋。", "I moved to Hamburg in May 2025.")
    call("ExportMemoryStore", {"limit": 1})
    lines = call("ExportMemoryStore")["lines"]
    call("CreateMemoryStore", {"memoryStoreName": "copy"})
    call("ImportMemories", {"memoryStoreName": "copy", "lines": lines + "no line\n"})


def of_deletion(call: Caller) -> None:
    """Messages that are there and messages that are not, a conversation, a tenant of which there is nothing."""
    call.add("我穿43码的鞋。", "I moved to Hamburg in May 2025.")
    listed = call("ListMemoryStoreMessages", {"scope": SCOPE})["session"]["messages"]
    call("DeleteMessages", {"scope": SCOPE, "messageIds": [listed[0]["messageId"], "none"]})
    call("DeleteMessages", {"scope": SCOPE, "messageIds": ["none"]})
    for scope in (SCOPE, {"appId": "nobody"}):
        deletion = call("DeleteScope", {"scope": scope})
        call("GetMemoryTask", {"requestId": deletion["requestId"]})


TOURS = (of_stores, of_messages_and_tasks, of_memories, of_searches, of_transfer, of_deletion)


@pytest.mark.parametrize("tour", TOURS)
def test_answers_are_as_described(call, tour):
    """Each field of each answer, and no other."""
    tour(call)
    assert call.misfits == []


def test_every_answer_that_is_described_was_seen(call):
    """No description goes without a look at the real thing."""
    for tour in TOURS:
        tour(call)
    unseen = set(ANSWERS) - call.answered
    assert unseen <= {"RetryMemoryTask"}, "RetryMemoryTask answers as GetMemoryTask does"


def test_every_operation_has_its_answer_described():
    """An operation that is new has to be."""
    assert set(operations()) == set(ANSWERS)


@pytest.mark.parametrize(
    ("name", "body", "headers"),
    [
        ("GetMemoryStore", {"memoryStoreName": "nobody"}, {}),
        ("GetMemoryStore", {"memoryStoreName": "*"}, {}),
        ("CreateMemoryStore", {}, {}),
        ("SearchMemories", {}, {}),
        ("GetMemoryStore", {}, {"x_ots_apikey": "amk_none_x"}),
        ("GetMemoryStore", {}, {"x_ots_signature": "x"}),
        ("GetMemoryStore", {}, {"x_ots_instancename": "\u0000"}),
    ],
)
def test_refusals_are_as_described(call, name, body, headers):
    """Under a status that the operation lists, with one of the codes of that status."""
    assert set(call(name, body, **headers)) == {"code", "message", "requestId"}
    assert call.misfits == []
