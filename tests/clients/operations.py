"""Every operation of the API, called through one client in an order that a user could have; each checks its answer."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from tests.clients.client_process import Refused
from tests.clients.outcomes import NO_METHOD, Outcomes
from tests.flows.server_process import wait_until

Call = Callable[[str, dict[str, Any]], dict[str, Any]]

SCOPE = {"appId": "shop", "tenantId": "u42", "agentId": "bot", "runId": "s1"}
EVERYTHING = dict.fromkeys(SCOPE, "*")
TENANT = {**SCOPE, "agentId": "*", "runId": "*"}
SAID = "我对花生过敏，鞋码是43号。"
MESSAGES = [
    {"role": "user", "content": SAID, "timestamp": "2026-11-30T10:00:00Z", "messageId": "said-1"},
    {"role": "assistant", "content": "Noted: no peanuts, size 43.", "metadata": {"channel": "web"}},
]
DREAM = (
    "CreateMemoryDreamTask",
    "GetMemoryDreamTask",
    "ListMemoryDreamTasks",
    "CancelMemoryDreamTask",
    "ListMemoryDreamActions",
    "ApplyMemoryDreamActions",
)
ENDED = ("completed", "failed", "needs_reconcile")
WAIT_STEPS = 400  # of a twentieth of a second


class Tour:
    """One client's way through the operations, in a store of its own; `without` are those that the client lacks."""

    def __init__(self, call: Call, outcomes: Outcomes, without: tuple[str, ...] = ()) -> None:
        self._call, self._outcomes, self._without = call, outcomes, without
        self._store = f"m_{uuid.uuid4().hex[:12]}"
        self._task = self._memory = ""

    def walk(self) -> None:
        """All of it, and what came of each operation."""
        for operation, step in self._steps():
            self._take(operation, operation, step)
        for operation in (*DREAM, "AddItem"):
            self._take(operation, f"{operation}: refused, says why", lambda name=operation: self._not_here(name))
        self._take("CreateMemoryStore", "errors: 404, 409, 400", self._errors)
        self._take("DeleteMemory", "DeleteMemory", self._delete_memory)
        self._take("DeleteMemoryStore", "DeleteMemoryStore", self._delete_store)

    def _steps(self) -> tuple[tuple[str, Callable[[], None]], ...]:
        return (
            ("CreateMemoryStore", self._create),
            ("UpdateMemoryStore", self._update_store),
            ("GetMemoryStore", self._get_store),
            ("ListMemoryStores", self._list_stores),
            ("AddMemories", self._add),
            ("GetMemoryTask", self._get_task),
            ("SearchMemories", self._search),
            ("ListMemories", self._list),
            ("GetMemory", self._get),
            ("UpdateMemory", self._update),
            ("ListMemoryStoreMessages", self._messages),
            ("ListMemoryTasks", self._tasks),
            ("ListMemoryStoreRequests", self._requests),
            ("ListMemoryStoreScopes", self._scopes),
        )

    def _take(self, operation: str, row: str, step: Callable[[], None]) -> None:
        if operation in self._without:
            self._outcomes.note(row, NO_METHOD)
            return
        with self._outcomes.of(row):
            step()

    def _ask(self, operation: str, **body: Any) -> dict[str, Any]:
        return self._call(operation, {"memoryStoreName": self._store, **body})

    def _create(self) -> None:
        made = self._ask("CreateMemoryStore", description="鞋店", extractInstructions="尺码和过敏")
        assert made["memoryStoreName"] == self._store
        assert made["outputTypes"] == ["structured"]

    def _update_store(self) -> None:
        assert "description" not in self._ask("UpdateMemoryStore", description="")

    def _get_store(self) -> None:
        assert self._ask("GetMemoryStore")["extractInstructions"] == "尺码和过敏"

    def _list_stores(self) -> None:
        assert self._store in self._pages("ListMemoryStores", "stores", "memoryStoreName", {"limit": 100})

    def _add(self) -> None:
        asks = "GetMemoryTask" not in self._without
        added = self._ask("AddMemories", scope=SCOPE, messages=MESSAGES, metadata={"channel": "web"}, sync=not asks)
        assert added["acceptedMessages"] == len(MESSAGES)
        assert added["status"] == ("accepted" if asks else "completed")
        self._task = added["requestId"]

    def _get_task(self) -> None:
        wait_until(lambda: self._state()["status"] in ENDED, WAIT_STEPS)
        task = self._state()
        assert task["status"] == "completed", task
        assert task["derivedUnitIds"]

    def _state(self) -> dict[str, Any]:
        task: dict[str, Any] = self._ask("GetMemoryTask", requestId=self._task)["task"]
        return task

    def _search(self) -> None:
        found = self._ask("SearchMemories", query="花生过敏", scope=TENANT, topK=5, includeEvidence=True)
        assert "花生" in found["results"][0]["unit"]["text"]
        assert found["evidence"]
        self._memory = found["results"][0]["unit"]["id"]

    def _list(self) -> None:
        pages = self._pages("ListMemories", "memories", "id", self._of_store(scope=EVERYTHING, limit=1))
        assert self._memory in pages
        assert len(set(pages)) == len(pages)

    def _get(self) -> None:
        assert self._ask("GetMemory", memoryId=self._memory)["memory"]["id"] == self._memory
        assert self._ask("GetMemory", memoryId=self._memory, scope=SCOPE)["memory"]["scope"] == SCOPE

    def _update(self) -> None:
        change = {"title": "过敏", "keywords": ["花生"], "metadata": {"checked": "yes"}}
        updated = self._ask("UpdateMemory", memoryId=self._memory, **change)
        assert updated["updated"] is True
        assert {"title": "过敏", "version": 2}.items() <= updated["memory"].items()
        assert updated["memory"]["metadata"] == {"channel": "web", "checked": "yes"}

    def _messages(self) -> None:
        session = self._ask("ListMemoryStoreMessages", scope=SCOPE)["session"]
        assert sorted(message["content"] for message in session["messages"]) == [MESSAGES[1]["content"], SAID]

    def _tasks(self) -> None:
        tasks = self._ask("ListMemoryTasks", scope=TENANT, status="completed")["tasks"]
        assert [task["requestId"] for task in tasks] == [self._task]

    def _requests(self) -> None:
        body = self._of_store(scope=TENANT, operation="AddMemories")
        wait_until(
            lambda: self._pages("ListMemoryStoreRequests", "requests", "requestId", body) == [self._task], WAIT_STEPS
        )

    def _scopes(self) -> None:
        assert self._ask("ListMemoryStoreScopes", scope=EVERYTHING, limit=100)["scopes"] == [SCOPE]

    def _errors(self) -> None:
        assert self._refusal("GetMemoryStore", memoryStoreName="nope").code == "NOT_FOUND"
        assert self._refusal("CreateMemoryStore").code == "CONFLICT"
        refused = self._refusal("SearchMemories", query="x", scope={"appId": "*"})
        assert (refused.status, refused.code) == (400, "INVALID_PARAMETER")

    def _not_here(self, operation: str) -> None:
        refused = self._refusal(operation, scope=SCOPE)
        assert refused.status in (400, 404, 501)
        assert refused.code != "JsonDecodeError"  # which the command line takes for a service without memory
        assert operation in refused.message

    def _delete_memory(self) -> None:
        assert self._ask("DeleteMemory", memoryId=self._memory)["deleted"] is True
        assert self._refusal("GetMemory", memoryId=self._memory).status == 404

    def _delete_store(self) -> None:
        deleted = self._ask("DeleteMemoryStore")
        assert (deleted["deleted"], deleted["memoryStoreName"]) == (True, self._store)

    def _refusal(self, operation: str, **body: Any) -> Refused:
        try:
            answer = self._ask(operation, **body)
        except Refused as refused:
            return refused
        raise AssertionError(f"{operation} was to be refused: {answer}")

    def _of_store(self, **body: Any) -> dict[str, Any]:
        return {"memoryStoreName": self._store, **body}

    def _pages(self, operation: str, key: str, identity: str, body: dict[str, Any]) -> list[str]:
        """The identities on all pages."""
        page = self._call(operation, body)
        found = [item[identity] for item in page[key]]
        while "nextToken" in page:
            page = self._call(operation, {**body, "nextToken": page["nextToken"]})
            found += [item[identity] for item in page[key]]
        return found
