"""The contract of `JobQueue`, on the SQLite file and on SQS FIFO queues with dead letters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_memory.jobs import decode
from agent_memory.ports import Job, JobQueue

from .queue_cases import EXTRACTION, MAX_ATTEMPTS, Case, job, jobs, sqlite_case, sqs_case

ANY_TEXT = ("会话/张三/每周三晚上学游泳", "é🦐‍🔥", "a b\tc\n\"'\\", "\x00\x7f\uffff", "x" * 2_000, "-", "")


@pytest.fixture(params=[sqlite_case, sqs_case], ids=["sqlite", "sqs"])
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Case]:
    """Each adapter in turn, empty."""
    yield from request.param(tmp_path)


def send(queue: JobQueue, *sent: Job) -> None:
    """Send several."""
    for one in sent:
        queue.send(one)


def received_ids(queue: JobQueue, limit: int = 10) -> list[str]:
    """The job ids of one receive."""
    return [one.job_id for one in jobs(queue.receive(EXTRACTION, limit))]


def test_a_group_comes_in_order_and_in_one_receive(case: Case) -> None:
    """One receive hands out several jobs of a group, first in, first out."""
    send(case.queue, job("1"), job("2"), job("3"))
    assert received_ids(case.queue) == ["1", "2", "3"]


def test_a_delivery_says_what_was_sent(case: Case) -> None:
    """The body is the job, Chinese payload included; ids and receipt are set; the attempt is the first."""
    sent = Job("extract", "任务-1", "店/张三/会话", {"text": "我对虾过敏", "keys": ["订单号 AB-2093", 3, None]})
    case.queue.send(sent)
    (delivery,) = case.queue.receive(EXTRACTION, 1)
    assert decode(delivery.body) == sent
    assert (delivery.attempts, delivery.queue) == (1, EXTRACTION)
    assert delivery.message_id
    assert delivery.receipt


def test_kinds_go_to_their_queues(case: Case) -> None:
    """A queue holds only the jobs of its kinds."""
    send(case.queue, Job("purge_store", "purge", "g"), job("extract"))
    assert received_ids(case.queue) == ["extract"]
    assert [one.job_id for one in jobs(case.queue.receive("maintenance", 10))] == ["purge"]


def test_an_empty_queue_gives_nothing(case: Case) -> None:
    """Receiving from an empty queue returns at once."""
    assert case.queue.receive(EXTRACTION, 10) == []


def test_a_receive_gives_at_most_ten(case: Case) -> None:
    """The limit holds, and above ten the limit of SQS."""
    send(case.queue, *(job(str(number), group=str(number)) for number in range(15)))
    assert len(received_ids(case.queue, 3)) == 3
    assert len(received_ids(case.queue, 50)) == 10


def test_a_receive_asks_for_at_least_one(case: Case) -> None:
    """A limit below one is a mistake of the caller."""
    with pytest.raises(ValueError, match="at least one"):
        case.queue.receive(EXTRACTION, 0)


def test_a_group_in_flight_is_blocked(case: Case) -> None:
    """While a job is in flight the later ones of its group wait; acknowledged, they come."""
    send(case.queue, job("1"), job("2"))
    (first,) = case.queue.receive(EXTRACTION, 1)
    assert received_ids(case.queue) == []
    send(case.queue, job("3"))
    assert received_ids(case.queue) == []
    case.queue.acknowledge(first)
    assert received_ids(case.queue) == ["2", "3"]


def test_groups_are_independent(case: Case) -> None:
    """A blocked group holds up no other, and the groups have different names."""
    send(case.queue, job("1", "甲"), job("2", "甲"), job("3", "乙"))
    (first,) = case.queue.receive(EXTRACTION, 1)
    (other,) = case.queue.receive(EXTRACTION, 10)
    assert decode(other.body).job_id == "3"
    assert first.group != other.group


def test_a_group_has_one_name(case: Case) -> None:
    """Deliveries of one group carry the same name, which SQS would take as a group id."""
    send(case.queue, job("1", "会话"), job("2", "会话"))
    first, second = case.queue.receive(EXTRACTION, 10)
    assert first.group == second.group
    assert first.group.isascii()
    assert 0 < len(first.group) <= 128


@pytest.mark.parametrize("name", ANY_TEXT, ids=range(len(ANY_TEXT)))
def test_ids_may_be_any_text(case: Case, name: str) -> None:
    """Job ids and groups are free text of any length."""
    send(case.queue, job(name, name), job(name + "2", name + "2"))
    assert [(one.job_id, one.group) for one in jobs(case.queue.receive(EXTRACTION, 10))] == [
        (name, name),
        (name + "2", name + "2"),
    ]


def test_a_job_id_is_sent_once(case: Case) -> None:
    """A repeat is dropped while the first is waiting and in flight, whatever its group.

    The five minutes after an acknowledgement are tested on the queue file: moto forgets the id of a deleted message.
    """
    send(case.queue, job("1"), job("1"), job("1", "other"))
    (delivery,) = case.queue.receive(EXTRACTION, 10)
    case.queue.send(job("1"))
    case.queue.release(delivery, 0)
    assert received_ids(case.queue) == ["1"]


def test_a_released_job_comes_again_first(case: Case) -> None:
    """Released without delay a job comes again before the later ones, with its attempt counted."""
    send(case.queue, job("1"), job("2"))
    (first,) = case.queue.receive(EXTRACTION, 1)
    case.queue.release(first, 0)
    again, second = case.queue.receive(EXTRACTION, 10)
    assert (again.message_id, again.attempts) == (first.message_id, 2)
    assert again.receipt != first.receipt
    assert (decode(second.body).job_id, second.attempts) == ("2", 1)


def test_a_job_released_with_a_delay_blocks_its_group(case: Case) -> None:
    """Until the delay is over neither the job nor a later one of its group comes."""
    send(case.queue, job("1"), job("2"), job("3", "other"))
    (first,) = case.queue.receive(EXTRACTION, 1)
    case.queue.release(first, 50)
    assert received_ids(case.queue) == ["3"]


def test_too_many_attempts_end_in_the_dead_letters(case: Case) -> None:
    """After the last attempt the next receive moves the job away and goes on with the group."""
    send(case.queue, job("坏"), job("好"))
    for attempt in range(1, MAX_ATTEMPTS + 1):
        (delivery,) = case.queue.receive(EXTRACTION, 1)
        assert delivery.attempts == attempt
        assert case.dead() == []
        case.queue.release(delivery, 0)
    assert received_ids(case.queue) == ["好"]
    assert case.dead() == [job("坏")]


def test_acknowledging_twice_is_harmless(case: Case) -> None:
    """The second acknowledgement of a hand-over does nothing, and so does a release after it."""
    send(case.queue, job("1"), job("2"))
    (first,) = case.queue.receive(EXTRACTION, 1)
    case.queue.acknowledge(first)
    case.queue.acknowledge(first)
    case.queue.release(first, 0)
    assert received_ids(case.queue) == ["2"]
    assert case.dead() == []
