"""One case on a service of its own: the calls that were made, their answers, and what the checks ask about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from agent_memory.local.functions import load_routes
from agent_memory.ports import Embedder
from tests.cases.case_files import Case, NotServed
from tests.cases.listed import entries_of, identity_of
from tests.cases.models import scripted
from tests.cases.watched import WatchedEmbedder, WatchedQueue
from tests.conftest import SCOPE, Service, make_service

ENDED = ("completed", "failed", "needs_reconcile")
QUEUES = ("extraction", "maintenance")
MOST_PAGES = 1_000
PATIENCE_SECONDS = 61  # longer than a job that failed waits, and than a lease
ROUNDS = 8
OK = 200
MOST_SHOWN = 300  # characters of an answer


@dataclass
class Reply:
    """One call and its answer. What no check judged must have been answered with 200."""

    operation: str
    body: dict[str, Any]
    status: int
    answer: dict[str, Any]
    pages: int = 1
    judged: bool = False

    def judge(self) -> int:
        """The status, which now counts as looked at."""
        self.judged = True
        return self.status

    @property
    def short(self) -> str:
        """What a failed test shows of it."""
        return f"{self.operation} {self.status} {str(self.answer)[:MOST_SHOWN]}"

    @property
    def entries(self) -> list[dict[str, Any]]:
        """What a list or a search shows."""
        assert self.status == OK, self.short
        return entries_of(self.operation, self.answer)

    @property
    def identities(self) -> list[str]:
        """One id for each entry."""
        return [identity_of(self.operation, entry) for entry in self.entries]


@dataclass
class Run:
    """The service of one case, and what happened on it so far."""

    case: Case
    service: Service
    embedder: WatchedEmbedder
    queue: WatchedQueue
    routes: frozenset[str]
    replies: list[Reply] = field(default_factory=list)
    states: dict[str, list[str]] = field(default_factory=dict)  # of each task, without repeats
    occurrences: int | None = None

    @classmethod
    def of(cls, case: Case, embedder: Embedder) -> Run:
        """A fresh service with one store, `mem`; its clock starts when the case says so."""
        watched = WatchedEmbedder(embedder)
        service = make_service(embedder=watched, language_model=scripted(case.model))
        queue = WatchedQueue(service.services.queue)
        service.services.__dict__["queue"] = queue
        service.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
        run = cls(case, service, watched, queue, frozenset(load_routes()))
        if "taskStates" in case.expected:
            watched.tell = run.note_states
        return run

    def call(self, operation: str, body: Any) -> Reply:
        """Make the call and remember it."""
        if operation not in self.routes:
            raise NotServed(operation)
        status, answer = self.service.call(operation, body)
        reply = Reply(operation, body if isinstance(body, dict) else {}, status, answer)
        self.replies.append(reply)
        if operation == "AddMemories" and status == OK:
            self._note_state(answer["requestId"], self.states.setdefault(answer["requestId"], []))
        return reply

    def pages(self, operation: str, body: dict[str, Any]) -> Iterator[Reply]:
        """Page after page until there is no token; each page is held against its limit."""
        token: str | None = body.get("nextToken")
        for _ in range(MOST_PAGES):
            reply = self.call(operation, {**body, **({"nextToken": token} if token else {})})
            assert len(reply.entries) <= body.get("limit", body.get("topK", 1_000)), "more than a page holds"
            yield reply
            token = reply.answer.get("nextToken") or reply.answer.get("session", {}).get("nextToken")
            if not token:
                return
        raise AssertionError(f"{operation} does not come to an end")

    def note_states(self) -> None:
        """Ask for the state of every task that is not done, where it is new."""
        for request_id, seen in self.states.items():
            self._note_state(request_id, seen)

    def _note_state(self, request_id: str, seen: list[str]) -> None:
        if seen[-1:] == ["completed"]:  # a task that failed may be retried
            return
        status, task = self.task(request_id)
        state = task["status"] if status == OK else str(status)
        if seen[-1:] != [state]:
            seen.append(state)

    def task(self, request_id: str) -> tuple[int, dict[str, Any]]:
        """(status, task) of an add."""
        status, answer = self.service.call("GetMemoryTask", {"memoryStoreName": "mem", "requestId": request_id})
        return status, answer.get("task", {})

    def drain(self) -> None:
        """Have the queued jobs done, those in the background of a deletion too."""
        for queue in QUEUES:
            self.service.drain(queue)

    def wait(self) -> None:
        """Have the queued jobs done and repeated until every task has ended or is gone with its scope."""
        for _ in range(ROUNDS):
            self.drain()
            self.note_states()
            if all(seen[-1] in (*ENDED, "404") for seen in self.states.values()):
                return
            self.service.clock.advance(PATIENCE_SECONDS)
        raise AssertionError(f"tasks do not end: {self.states}")

    def of_operation(self, *operations: str) -> list[Reply]:
        """The replies of these operations, in order."""
        return [reply for reply in self.replies if reply.operation in operations]

    @property
    def last_task_id(self) -> str:
        """The task of the last add that was accepted."""
        return next(reversed(self.states))

    @property
    def last_memory_id(self) -> str:
        """The last memory that the last add made."""
        _, task = self.task(self.last_task_id)
        assert task["derivedUnitIds"], task
        return str(task["derivedUnitIds"][-1])

    def scopes(self) -> list[dict[str, str]]:
        """Where the case wrote, each scope once and in order."""
        written = [reply.answer["scope"] for reply in self.of_operation("AddMemories") if reply.status == OK]
        return list({tuple(scope.values()): scope for scope in written}.values())

    def stored(
        self, scopes: list[dict[str, str]] | None = None, *, include_invalid: bool = False
    ) -> list[dict[str, Any]]:
        """The memories that there are now, of all scopes that were written to, or of those given."""
        found: list[dict[str, Any]] = []
        for scope in self.scopes() if scopes is None else scopes:
            body: dict[str, Any] = {"memoryStoreName": "mem", "scope": scope, "limit": 100}
            body |= {"includeInvalid": True} if include_invalid else {}
            while body.get("nextToken", "first"):
                answer = self.service.ok("ListMemories", body)
                found += answer["memories"]
                body["nextToken"] = answer.get("nextToken")
        return found

    @property
    def last_scope(self) -> dict[str, str]:
        """Where the last add wrote."""
        return next(iter(self.scopes()[-1:]), SCOPE)
