"""The extraction job under repeats, crashes and rivals: the same units, once, and a task that ends."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_memory.errors import EmbedderFailed, ServiceUnavailable
from agent_memory.jobs import decode, encode
from agent_memory.local.functions import load_handler
from agent_memory.ports import Item, Put
from agent_memory.services import use_services
from tests.conftest import SCOPE, Service, make_service
from tests.stand_ins import WordEmbedder

TALK = [
    {
        "role": "user",
        "content": f"第{number}天我学了游泳 and lap {number} took {number + 60} seconds",
        "messageId": f"m{number}",
    }
    for number in range(20)
]


def deliver(service: Service, body: str, attempt: int = 1) -> list[str]:
    """Hand one queue text to the worker as SQS would; the ids that failed."""
    use_services(service.services)
    record = {
        "messageId": "1",
        "receiptHandle": "r",
        "body": body,
        "attributes": {"ApproximateReceiveCount": str(attempt), "MessageGroupId": "g"},
        "messageAttributes": {},
        "md5OfBody": "",
        "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:local:0:extraction.fifo",
        "awsRegion": "local",
    }
    answer = load_handler("extraction_worker")({"Records": [record]}, None)
    return [each["itemIdentifier"] for each in answer["batchItemFailures"]]


def take(service: Service) -> str:
    """The text of the one job that waits, which stays undone."""
    deliveries = service.services.queue.receive("extraction", 10)
    assert len(deliveries) == 1
    return deliveries[0].body


def state(service: Service) -> tuple[list[Any], int]:
    """Units by id with their versions, and the tenant's sequence number."""
    query = "SELECT sk, version FROM items WHERE sk LIKE 'unit/%' OR sk LIKE '%/head' ORDER BY sk"
    with service.services.table._pool.connection() as connection:
        rows = connection.execute(query).fetchall()
    units = [tuple(row) for row in rows if not row[0].endswith("/head")]
    return units, next((row[1] for row in rows if row[0].endswith("/head")), 0)


def test_a_job_delivered_three_times_changes_nothing_the_second_time(service: Service) -> None:
    """At-least-once delivery: same units, same versions, same change log."""
    added = service.add(TALK)
    body = take(service)
    assert deliver(service, body) == []
    first = state(service)
    assert len(first[0]) == 20
    assert (deliver(service, body, 2), deliver(service, body, 3)) == ([], [])
    assert state(service) == first
    assert service.task(added["requestId"])["attempts"] == 1


class CrashingTable:
    """Stops the worker at its n-th write, before or after the write reached the table, as a killed process would."""

    class Killed(BaseException):
        """Not an error that any code handles."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.left: int | None = None
        self.after = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def write(self, writes: Any) -> None:
        if self.left is None:
            self._table.write(writes)
            return
        self.left -= 1
        if self.left < 0 and not self.after:
            raise self.Killed
        self._table.write(writes)
        if self.left < 0:
            raise self.Killed


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("writes", range(3))
def test_a_worker_killed_at_any_write_leaves_work_that_a_repeat_completes(writes: int, after: bool) -> None:
    """Wherever it dies, the next delivery brings the same result as an undisturbed run."""
    undisturbed = make_service()
    service = make_service()
    for each in (undisturbed, service):
        each.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    undisturbed.add(TALK)
    undisturbed.drain()
    added = service.add(TALK)
    body = take(service)
    table = CrashingTable(service.services.table)
    service.services.__dict__["table"] = table
    table.left, table.after = writes, after
    try:
        deliver(service, body)
    except CrashingTable.Killed:
        service.clock.advance(61)  # the lease of the dead worker
    table.left = None
    assert deliver(service, body, 2) == []
    assert service.task(added["requestId"])["status"] == "completed"
    assert state(service) == state(undisturbed)


def test_what_exceeds_a_transaction_is_written_in_several_and_survives_a_crash_between(service: Service) -> None:
    """More bytes than one transaction holds: killed after the first, a repeat completes it and adds nothing twice."""
    items = [
        f"Item {number} of the inventory is on shelf number {number * 7} in hall {number % 9}." for number in range(340)
    ]
    talk = [{"role": "user", "content": " ".join(items[at : at + 18])} for at in range(0, 340, 18)]
    metadata = {"note": "注" * 20_000}
    undisturbed = make_service()
    undisturbed.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    undisturbed.add(talk, metadata=metadata)
    undisturbed.drain()
    assert state(undisturbed)[1] == 2
    service.add(talk, metadata=metadata)
    body = take(service)
    table = CrashingTable(service.services.table)
    service.services.__dict__["table"] = table
    table.left, table.after = 1, True
    with pytest.raises(CrashingTable.Killed):
        deliver(service, body)
    assert state(service)[1] == 1
    table.left = None
    service.clock.advance(61)
    assert deliver(service, body, 2) == []
    assert state(service) == state(undisturbed)


def test_a_phrase_said_every_day_does_not_outgrow_its_record(service: Service) -> None:
    """References are bounded to the first and the latest; the count goes on; metadata keeps its limits."""
    for day in range(130):
        batch = [{"role": "user", "content": "I fed the cat", "messageId": f"d{day}"}]
        service.add(batch, metadata={f"key{day}": "x"})
    service.drain()
    (hit,) = service.search("cat")
    refs = [ref["messageId"] for ref in hit["unit"]["source_turn_refs"]]
    assert (len(refs), refs[0], refs[19], refs[-1]) == (100, "d0", "d19", "d129")
    assert (hit["unit"]["seen_count"], len(hit["unit"]["metadata"])) == (130, 16)


def test_a_rival_that_holds_the_lease_is_waited_for(service: Service) -> None:
    """A second worker with the same job fails its record, so that the queue hands it over again later."""
    service.add(TALK[:1])
    body = take(service)
    table = CrashingTable(service.services.table)
    service.services.__dict__["table"] = table
    table.left = 1
    with pytest.raises(CrashingTable.Killed):
        deliver(service, body)
    table.left = None
    assert deliver(service, body, 2) == ["1"]
    service.clock.advance(61)
    assert deliver(service, body, 3) == []


class FailingEmbedder(WordEmbedder):
    """An embedder that does not answer."""

    def embed(self, texts: Any, side: str) -> Any:
        raise EmbedderFailed("the model does not answer")


def test_a_task_fails_with_a_reason_after_the_last_attempt(service: Service) -> None:
    """A fault of the model is retried; then the task says failed and why, and the messages are still there."""
    service.services.__dict__["embedder"] = FailingEmbedder()
    added = service.add(TALK[:2])
    body = take(service)
    for attempt in range(1, 5):
        assert deliver(service, body, attempt) == ["1"]
        assert service.task(added["requestId"])["status"] == "running"
    deliver(service, body, 5)
    task = service.task(added["requestId"])
    assert (task["status"], task["attempts"]) == ("failed", 5)
    assert task["lastError"] == "EMBEDDER_FAILED: the model does not answer"
    assert len(service.messages()) == 2
    service.clock.advance(4_000_000)
    assert service.sweep() == 0


def test_a_failed_job_does_not_let_a_later_one_of_its_conversation_pass(service: Service) -> None:
    """Order within a conversation holds when an earlier job fails; other conversations go on."""
    service.services.__dict__["embedder"] = embedder = FailingEmbedder()
    first, second = service.add("My port is 22."), service.add("My port is 2222.")
    service.drain()
    assert [service.task(each["requestId"])["attempts"] for each in (first, second)] == [1, 0]
    service.services.__dict__["embedder"] = WordEmbedder()
    assert embedder.model == "words-1"
    service.clock.advance(120)
    service.drain()
    assert [service.task(each["requestId"])["status"] for each in (first, second)] == ["completed"] * 2


class LosingTable(CrashingTable):
    """A rival worker of the tenant wins the race for the change log some times."""

    def __init__(self, table: Any, losses: int) -> None:
        super().__init__(table)
        self.losses = losses

    def write(self, writes: Any) -> None:
        change = [each for each in writes if isinstance(each, Put) and each.item.key.sk.startswith("log/")]
        head = [each for each in writes if isinstance(each, Put) and each.item.key.sk.endswith("/head")]
        if self.losses and change:
            self.losses -= 1
            empty = Item(change[0].item.key, {"puts": [], "deletes": []})
            self._table.write([Put(empty), Put(head[0].item)])
        self._table.write(writes)


def test_workers_of_one_tenant_that_collide_both_get_through(service: Service) -> None:
    """Losing the race for the head means reading again and writing behind the winner; the log has no gap."""
    service.services.__dict__["table"] = LosingTable(service.services.table, losses=3)
    added = service.add(TALK[:3])
    service.drain()
    assert service.task(added["requestId"])["status"] == "completed"
    units, sequence = state(service)
    assert (len(units), sequence) == (3, 4)
    assert len(service.search("游泳")) == 3


class DownTable(CrashingTable):
    """A table that does not answer reads of the head."""

    def get(self, keys: Any) -> Any:
        wanted = list(keys)
        if any(key.sk.endswith("/head") for key in wanted):
            raise ServiceUnavailable("the table does not answer")
        return self._table.get(wanted)


def test_an_unavailable_table_fails_the_record_and_not_the_task(service: Service) -> None:
    """The job comes again when the table does."""
    table = service.services.table
    added = service.add(TALK[:1])
    body = take(service)
    service.services.__dict__["table"] = DownTable(table)
    assert deliver(service, body) == ["1"]
    service.services.__dict__["table"] = table
    assert deliver(service, body, 2) == []
    assert service.task(added["requestId"])["status"] == "completed"


def test_job_texts_carry_no_message_text(service: Service) -> None:
    """What waits in a queue names the work and holds no content."""
    service.add("My passport number is X0000001.")
    body = take(service)
    assert "X0000001" not in body
    assert encode(decode(body)) == body
    assert json.loads(body)["payload"]["scope"] == SCOPE
