"""Adds, extractions, deletes, purges and crashes in any order, against a model that is a set of what was said."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.errors import AgentMemoryError
from agent_memory.jobs import decode
from agent_memory.ports import Delivery, Job
from agent_memory.use_cases.extract_memories import extract_memories
from agent_memory.use_cases.purge_messages import purge_messages
from agent_memory.use_cases.purge_scope import purge_scope
from tests.conftest import Service, make_service
from tests.flows.stored_rows import rows_with

LEVELS = ("appId", "tenantId", "agentId", "runId")
SCOPES = [("店", "t", "a", "r"), ("店", "t", "a", "s"), ("店", "t", "b", "r"), ("店", "u", "a", "r")]
PATTERNS = [*SCOPES[:2], ("店", "t", "a"), ("店", "t"), ("店",)]
CALLS = {"extract": extract_memories, "purge_scope": purge_scope, "purge_messages": purge_messages}
Step = tuple[Any, ...]


class Killed(Exception):
    """The process ended."""


class Meddled:
    """A table before whose n-th call something happens once: other calls are made, or the process dies."""

    def __init__(self, table: Any, number: int, happens: Callable[[], None]) -> None:
        self._table, self.left, self._happens = table, number, happens

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._table, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            self.left -= 1
            if self.left == 0:
                self._happens()
            return method(*args, **kwargs)

        return call if name in ("get", "query", "write", "write_many") else method


class World:
    """The service, and what a client would say is in it."""

    def __init__(self) -> None:
        self.service: Service = make_service()
        self.service.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
        self.said: dict[tuple[str, ...], set[str]] = {each: set() for each in SCOPES}
        self.table = self.service.services.table
        assert self.service.services.indexes  # on the table itself, not on one that is meddled with
        self.job: Job | None = None  # in hand, while others act
        self.deleted = 0

    def do(self, *steps: Step) -> None:
        for kind, *rest in steps:
            getattr(self, kind)(*rest)

    def add(self, place: int, word: str) -> None:
        scope = SCOPES[place]
        text = f"针{''.join(scope)}{word}"
        self.service.clock.advance(0.001)
        self.service.add(text, scope=dict(zip(LEVELS, scope, strict=True)))
        self.said[scope].add(text)

    def delete(self, place: int) -> None:
        self.deleted, pattern = place, PATTERNS[place]
        scope = dict(zip(LEVELS, pattern, strict=False))
        self.service.ok("DeleteScope", {"memoryStoreName": "mem", "scope": scope})
        for each in SCOPES:
            if each[: len(pattern)] == pattern:
                self.said[each].clear()

    def delete_again(self) -> None:
        """Once more what was deleted last."""
        self.delete(self.deleted)

    def forget(self, place: int, word: str) -> None:
        """DeleteMessages of one message, if it is there."""
        scope = SCOPES[place]
        text, named = f"针{''.join(scope)}{word}", dict(zip(LEVELS, scope, strict=True))
        ids = [each["messageId"] for each in self.service.messages(scope=named) if each["content"] == text]
        if ids:
            self.service.ok("DeleteMessages", {"memoryStoreName": "mem", "scope": named, "messageIds": ids})
            self.said[scope].discard(text)

    def work(self, queue: str, number: int = 0, meanwhile: tuple[Step, ...] | None = ()) -> bool:
        """Run one job; before its n-th call of the table others do something, or (None) it dies. Whether that came."""
        deliveries: list[Delivery] = self.service.services.queue.receive(queue, 1)
        services = self.service.services

        meddled = Meddled(self.table, number, partial(self.others, meanwhile))
        for delivery in deliveries:
            self.job = decode(delivery.body)
            services.__dict__["table"] = meddled
            try:
                CALLS[self.job.kind](self.job, services)
            except (Killed, AgentMemoryError):
                services.queue.release(delivery, 0)
            else:
                services.queue.acknowledge(delivery)
            services.__dict__["table"] = self.table
        return number > 0 >= meddled.left

    def others(self, steps: tuple[Step, ...] | None) -> None:
        """What others do in the middle of a call or job; without steps its process dies."""
        self.service.services.__dict__["table"] = self.table
        if steps is None:
            raise Killed
        self.do(*steps)

    def again(self) -> None:
        """Another worker does the whole job that is in hand, as if it had been handed out twice."""
        if self.job is not None:
            with suppress(AgentMemoryError):
                CALLS[self.job.kind](self.job, self.service.services)

    def check(self) -> None:
        """Every message is there, and no memory or message that should not be."""
        for scope, texts in self.said.items():
            named = dict(zip(LEVELS, scope, strict=True))
            assert {each["content"] for each in self.service.messages(scope=named)} == texts
            found = self.service.search("针", scope=named, topK=50)
            assert {each["unit"]["search_text"].removeprefix("user: ") for each in found} <= texts
            listed = self.service.ok("ListMemoryStoreScopes", {"memoryStoreName": "mem", "scope": named})["scopes"]
            assert len(listed) == 1 or not texts

    def settle(self) -> None:
        """Let everything come to its end."""
        for _ in range(4):
            self.service.clock.advance(3_600)
            self.service.sweep()
            self.service.drain()
            self.service.drain("maintenance")

    def check_end(self) -> None:
        """Memories of exactly what was said, and no other record of what was not."""
        self.check()
        for scope, texts in self.said.items():
            named = dict(zip(LEVELS, scope, strict=True))
            found = self.service.search("针", scope=named, topK=50)
            assert {each["unit"]["search_text"].removeprefix("user: ") for each in found} == texts
        words = [f"针{''.join(scope)}{word}" for scope in SCOPES for word in "甲乙"]
        left = set().union(*self.said.values())
        assert rows_with(self.service, *(word for word in words if word not in left)) == []
        for scope, texts in self.said.items():
            named = dict(zip(LEVELS, scope, strict=True))
            again = [self.service.add(text, scope=named)["duplicateMessages"] for text in texts]
            assert again == [1] * len(texts)


ADDED = (("add", 0, "甲"), ("add", 0, "乙"), ("add", 1, "甲"), ("add", 3, "甲"))
EXTRACTED = (("work", "extraction"),) * 4
PURGED = ("work", "maintenance")
JOBS: dict[str, tuple[tuple[Step, ...], str]] = {
    "extract": (ADDED, "extraction"),
    "purge run": ((*ADDED, *EXTRACTED, ("delete", 0)), "maintenance"),
    "purge agent, half extracted": ((*ADDED, *EXTRACTED[:2], ("delete", 2)), "maintenance"),
    "purge tenant": ((*ADDED, *EXTRACTED, ("delete", 3)), "maintenance"),
    "purge application": ((*ADDED, *EXTRACTED, ("delete", 4)), "maintenance"),
}
AGAIN = (*ADDED, *EXTRACTED)
MEANWHILE: dict[str, tuple[Step, ...] | None] = {
    "it dies": None,
    "the same is added": AGAIN,
    "the same is added and deleted again": (*AGAIN, ("delete_again",)),
    "another worker does it, then the same is added": (("again",), *AGAIN),
    "the run is deleted": (("delete", 0),),
    "the tenant is deleted, purged, filled": (("delete", 3), PURGED, ("again",), *AGAIN),
    "the application is deleted and purged": (("delete", 4), PURGED, ("again",)),
    "the application is deleted, then the same is added": (("delete", 4), *AGAIN),
    "a message is deleted": (("forget", 0, "甲"),),
    "a message is deleted and added": (("forget", 0, "甲"), *AGAIN),
}


@pytest.mark.parametrize("meanwhile", MEANWHILE)
@pytest.mark.parametrize("job", JOBS)
def test_whatever_happens_within_a_job(job: str, meanwhile: str) -> None:
    """Before each of its calls of the table."""
    before, queue = JOBS[job]
    number, came = 0, True
    while came:
        number += 1
        world = World()
        world.do(*before)
        came = world.work(queue, number, MEANWHILE[meanwhile])
        world.check()
        world.settle()
        world.check_end()
    assert number > 5


@pytest.mark.parametrize("meanwhile", [each for each in MEANWHILE if each != "it dies"])
@pytest.mark.parametrize("before", [(), ADDED, (*ADDED, *EXTRACTED)], ids=["new", "known", "extracted"])
def test_whatever_happens_within_an_add(before: tuple[Step, ...], meanwhile: str) -> None:
    """What is accepted is stored, even if the call had found it stored already, and then it was deleted."""
    number, came = 0, True
    while came:
        number += 1
        world = World()
        world.do(*before)
        meddled = Meddled(world.table, number, partial(world.others, MEANWHILE[meanwhile]))
        world.service.services.__dict__["table"] = meddled
        world.do(("add", 0, "甲"))
        came = meddled.left <= 0
        world.service.services.__dict__["table"] = world.table
        world.check()
        world.settle()
        world.check_end()
    assert number > 2


PLACES, WORDS, NUMBERS = st.integers(0, len(SCOPES) - 1), st.sampled_from("甲乙"), st.integers(1, 25)
CALL = st.one_of(
    st.tuples(st.just("add"), PLACES, WORDS),
    st.tuples(st.just("delete"), st.integers(0, len(PATTERNS) - 1)),
    st.tuples(st.just("forget"), PLACES, WORDS),
    st.just(("again",)),
)
OTHERS = st.none() | st.lists(CALL, min_size=1, max_size=3).map(tuple)
WORK = st.tuples(st.just("work"), st.sampled_from(["extraction", "maintenance"]), NUMBERS, OTHERS)


@settings(max_examples=60)
@given(st.lists(CALL | WORK, min_size=4, max_size=14))
def test_no_order_loses_or_keeps_anything(order: list[Step]) -> None:
    """What was added after a delete stays, what was added before never comes back, whatever happens in between."""
    world = World()
    for step in order:
        world.do(step)
        world.check()
    world.settle()
    world.check_end()
