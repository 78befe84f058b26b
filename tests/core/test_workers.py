"""From an SQS event to use cases: partial failures, order within a group, what is tried again and what is not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from agent_memory.errors import AgentMemoryError, ConditionFailed, Conflict, EmbedderFailed, NotFound, ServerBusy
from agent_memory.jobs import encode
from agent_memory.local.sqs_events import sqs_event
from agent_memory.ports import Delivery, Job
from agent_memory.services import Services, use_services
from agent_memory.settings import Settings
from agent_memory.workers import Handler, scheduled, worker


@dataclass
class Notes:
    """The jobs that ran, and the lines that were logged about failed ones."""

    errors: dict[str, Exception] = field(default_factory=dict)
    ran: list[tuple[str, int]] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)

    def warning(self, _message: str, *, extra: dict[str, Any]) -> None:
        self.lines.append(extra)

    def run(self, job: Job, _services: Services) -> None:
        self.ran.append(job.job_id)
        if job.job_id in self.errors:
            raise self.errors[job.job_id]

    @property
    def handler(self) -> Handler:
        """A worker for one kind of job that does what the notes say."""
        use_services(Services(Settings(), logger=self))
        return worker(extract=self.run)


def delivery(job_id: str, group: str, body: str | None = None, attempts: int = 1) -> Delivery:
    text = encode(Job("extract", job_id, group, {"store": "商店"})) if body is None else body
    return Delivery(f"m-{job_id}", f"r-{job_id}", text, group, attempts, "extraction")


def failed(handler: Handler, *deliveries: Delivery) -> list[str]:
    """Job ids of the records that the worker wants to see again."""
    answer = handler(sqs_event(deliveries, region="eu-west-1", received_ms=0), None)
    assert set(answer) == {"batchItemFailures"}
    return [failure["itemIdentifier"].removeprefix("m-") for failure in answer["batchItemFailures"]]


def test_jobs_run_in_order() -> None:
    """One after the other."""
    notes = Notes()
    assert failed(notes.handler, delivery("1", "a", attempts=3), delivery("2", "b"), delivery("3", "a")) == []
    assert notes.ran == ["1", "2", "3"]


def test_only_what_failed_comes_again() -> None:
    """A failure in one group leaves the jobs of another alone."""
    notes = Notes({"1": ServerBusy("later")})
    assert failed(notes.handler, delivery("1", "a"), delivery("2", "b"), delivery("3", "c")) == ["1"]
    assert notes.ran == ["1", "2", "3"]


def test_after_a_failure_the_rest_of_its_group_waits() -> None:
    """Later jobs of a conversation do not overtake; they fail without being run."""
    notes = Notes({"2": ServerBusy("later")})
    batch = [delivery("1", "a"), delivery("2", "a"), delivery("3", "b"), delivery("4", "a"), delivery("5", "b")]
    assert failed(notes.handler, *batch) == ["2", "4"]
    assert notes.ran == ["1", "2", "3", "5"]


def test_a_batch_that_failed_whole_is_answered_as_any_other() -> None:
    """An exception would say less than the list."""
    notes = Notes({"1": ServerBusy("later"), "2": EmbedderFailed("later")})
    assert failed(notes.handler, delivery("1", "a"), delivery("2", "b")) == ["1", "2"]


def test_one_batch_does_not_remember_another() -> None:
    """A group that failed is tried again by the same handler."""
    notes = Notes({"1": ServerBusy("later")})
    handler = notes.handler
    assert failed(handler, delivery("1", "a")) == ["1"]
    notes.errors.clear()
    assert failed(handler, delivery("1", "a", attempts=2)) == []
    assert notes.ran == ["1", "1"]


@pytest.mark.parametrize("error", [Conflict("taken"), NotFound("gone"), AgentMemoryError("bad")])
def test_what_cannot_succeed_later_is_done(error: AgentMemoryError) -> None:
    """Its task says why, so the job ends and its group goes on; the log names job and code, not the message."""
    notes = Notes({"1": error})
    assert failed(notes.handler, delivery("1", "a"), delivery("2", "a")) == []
    assert notes.ran == ["1", "2"]
    assert notes.lines == [{"job": "1", "code": error.code}]


@pytest.mark.parametrize("error", [ServerBusy("x"), EmbedderFailed("x"), ConditionFailed()])
def test_what_may_succeed_later_comes_again(error: AgentMemoryError) -> None:
    """And is logged with its code."""
    notes = Notes({"1": error})
    assert failed(notes.handler, delivery("1", "a", attempts=4)) == ["1"]
    assert notes.lines == [{"job": "1", "code": error.code}]


@pytest.mark.parametrize("error", [RuntimeError("x"), KeyError("x"), RecursionError()])
def test_an_unexpected_error_comes_again(error: Exception) -> None:
    """Until the queue gives it to the dead letters."""
    notes = Notes({"1": error})
    assert failed(notes.handler, delivery("1", "a"), delivery("2", "b")) == ["1"]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "虾",
        "[]",
        "{}",
        '{"version":2}',
        '{"version":1,"kind":"extract"}',
        '{"version":1,"kind":"dream","jobId":"1","group":"a","payload":{}}',
        encode(Job("purge_store", "1", "a")),
        pytest.param("[" * 100_000, id="deep"),
    ],
)
def test_a_body_that_is_no_job_of_this_worker_fails_alone(body: str) -> None:
    """No JSON, another version, a kind that this worker does not do: to the dead letters, and the others run."""
    notes = Notes()
    assert failed(notes.handler, delivery("1", "a", body), delivery("2", "b")) == ["1"]
    assert notes.ran == ["2"]


def test_a_kind_goes_to_its_use_case() -> None:
    """One worker may serve several kinds."""
    extracted, purged = Notes(), Notes()
    use_services(Services(Settings(), logger=extracted))
    handler = worker(extract=extracted.run, purge_store=purged.run)
    assert failed(handler, delivery("1", "a"), delivery("2", "b", encode(Job("purge_store", "2", "b")))) == []
    assert (extracted.ran, purged.ran) == (["1"], ["2"])


def test_a_schedule_runs_its_use_case_with_the_services() -> None:
    """The answer says how much was done."""
    services = Services(Settings(), logger=Notes())
    use_services(services)
    assert scheduled(lambda given: 3 if given is services else 0)({"source": "aws.events"}, None) == {"done": 3}
