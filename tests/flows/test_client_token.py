"""`clientToken`: a call made again answers as the first time and stores nothing; another call under it is refused."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from agent_memory.client_tokens import TOKEN_LIFE_MS
from agent_memory.errors import ServiceUnavailable
from tests.conftest import SCOPE, Service
from tests.flows.stored_rows import rows

TOKENS = ["t", "订单-2093/第一次", "🦐" * 128, "%2F", " ", "token/x"]


def body(token: str, content: str = "我对虾过敏", **fields: Any) -> dict[str, Any]:
    message = {"role": "user", "content": content}
    return {"memoryStoreName": "mem", "scope": SCOPE, "clientToken": token, "messages": [message], **fields}


@pytest.mark.parametrize("token", TOKENS)
def test_a_call_made_again_answers_as_the_first_time(service: Service, token: str) -> None:
    """The same task, the same counts, and not a record more; before and after the task is done."""
    first = service.ok("AddMemories", body(token))
    before = rows(service)
    assert service.ok("AddMemories", body(token)) == first
    assert rows(service) == before
    service.drain()
    before = rows(service)
    assert service.ok("AddMemories", body(token)) == first
    assert rows(service) == before
    assert service.drain() == 0
    assert len(service.messages()) == 1


def test_the_answer_is_that_of_the_first_call_even_if_its_messages_were_known(service: Service) -> None:
    """Counts of duplicates too: a repeat must not look like another call."""
    service.add("我对虾过敏")
    first = service.ok("AddMemories", body("t"))
    assert (first["acceptedMessages"], first["duplicateMessages"]) == (1, 1)
    assert service.ok("AddMemories", body("t")) == first


@pytest.mark.parametrize(
    "fields",
    [
        {"messages": [{"role": "user", "content": "我养了一只猫"}]},
        {"messages": [{"role": "assistant", "content": "我对虾过敏"}]},
        {"text": "还有一句"},
        {"metadata": {"k": "v"}},
        {"infer": False},
        {"ttlSeconds": 60},
        {"referenceTime": "2026-01-01T00:00:00Z"},
    ],
)
def test_another_body_under_the_token_is_a_conflict(service: Service, fields: dict[str, Any]) -> None:
    """409, and nothing is stored of it."""
    service.ok("AddMemories", body("t"))
    before = rows(service)
    status, answer = service.call("AddMemories", {**body("t"), **fields})
    assert (status, answer["code"]) == (409, "CONFLICT")
    assert rows(service) == before


def test_waiting_for_the_result_is_no_other_body(service: Service) -> None:
    """A repeat with sync waits for the task of the first call; defaults may be written out."""
    first = service.ok("AddMemories", body("t"))
    again = service.ok("AddMemories", body("t", sync=True, infer=True, metadata={}, expiresAt=None))
    assert (again["requestId"], again["status"], again["unitsCreated"]) == (first["requestId"], "completed", 1)
    assert service.ok("AddMemories", body("t", sync=True)) == again


def test_a_token_belongs_to_its_conversation(service: Service) -> None:
    """Two conversations, stores or instances never share one."""
    service.ok("CreateMemoryStore", {"memoryStoreName": "other"})
    service.ok("CreateMemoryStore", {"memoryStoreName": "mem"}, x_ots_instancename="two")
    scopes = [{**SCOPE, level: "另"} for level in SCOPE]
    answers = [
        service.ok("AddMemories", body("t", content=str(place), scope=each)) for place, each in enumerate(scopes)
    ]
    answers.append(service.ok("AddMemories", {**body("t", content="x"), "memoryStoreName": "other"}))
    answers.append(service.ok("AddMemories", body("t", content="y"), x_ots_instancename="two"))
    answers.append(service.ok("AddMemories", body("t")))
    assert len({each["requestId"] for each in answers}) == len(answers)


def test_a_token_is_remembered_for_seven_days(service: Service) -> None:
    """Then it names a new call, also with another body; the messages are still known."""
    first = service.ok("AddMemories", body("t"))
    service.clock.advance(TOKEN_LIFE_MS / 1_000 - 1)
    assert service.ok("AddMemories", body("t")) == first
    service.clock.advance(1)
    second = service.ok("AddMemories", body("t", content="我养了一只猫"))
    assert second["requestId"] != first["requestId"]
    assert service.ok("AddMemories", body("t", content="我养了一只猫")) == second
    assert service.call("AddMemories", body("t"))[0] == 409
    service.clock.advance(TOKEN_LIFE_MS / 1_000)
    third = service.ok("AddMemories", body("t"))
    assert (third["duplicateMessages"], third["requestId"] == first["requestId"]) == (1, False)


class LosingAnswers:
    """A table whose next write reaches it, and whose answer does not come back."""

    def __init__(self, table: Any) -> None:
        self._table, self._lose = table, True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def write(self, writes: Any) -> None:
        self._table.write(writes)
        if self._lose:
            self._lose = False
            raise ServiceUnavailable("no answer")


def test_a_call_whose_answer_was_lost_is_made_again_safely(service: Service) -> None:
    """The client sees 503, repeats, and gets the task that there is; the sweeper brings it to its end."""
    table = service.services.table
    service.services.__dict__["table"] = LosingAnswers(table)
    assert service.call("AddMemories", body("t"))[0] == 503
    service.services.__dict__["table"] = table
    answer = service.ok("AddMemories", body("t"))
    assert len(service.messages()) == 1
    service.clock.advance(3_600)
    service.sweep()
    service.drain()
    assert service.task(answer["requestId"])["status"] == "completed"
    assert len([key for key, _ in rows(service) if key.sk.startswith("task/")]) == 1


def test_of_calls_at_once_one_is_made(service: Service) -> None:
    """All get its answer, whoever comes first."""
    answers: list[dict[str, Any]] = []
    start = threading.Barrier(4)

    def call() -> None:
        start.wait()
        answers.append(service.ok("AddMemories", body("t")))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert all(each == answers[0] for each in answers)
    assert len([key for key, _ in rows(service) if key.sk.startswith("task/")]) == 1
    service.drain()
    assert len(service.search("虾")) == 1


def test_calls_at_once_with_other_bodies_are_told_apart(service: Service) -> None:
    """One of them is made, the others are refused."""
    outcomes: list[tuple[int, dict[str, Any]]] = []
    start = threading.Barrier(4)

    def call(number: int) -> None:
        start.wait()
        outcomes.append(service.call("AddMemories", body("t", content=f"第{number}句")))

    threads = [threading.Thread(target=call, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(status for status, _ in outcomes) == [200, 409, 409, 409]
    assert len(service.messages()) == 1
