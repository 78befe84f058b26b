"""The job queues that the contract tests run on."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.adapters.sqlite_queue import SqliteQueue
from agent_memory.jobs import decode
from agent_memory.ports import Delivery, Job, JobQueue

if TYPE_CHECKING:
    from mypy_boto3_sqs.literals import QueueAttributeNameType

MAX_ATTEMPTS = 2
EXTRACTION = "extraction"


@dataclass(frozen=True)
class Case:
    """A queue under test and how to read the jobs that died in it."""

    queue: JobQueue
    dead: Callable[[], list[Job]]


def sqlite_case(folder: Path) -> Iterator[Case]:
    """The embedded queue under a clock that stands still."""
    ids = map(str, itertools.count())
    queue = SqliteQueue(
        folder / "jobs.sqlite3",
        now=lambda: 1_000.0,
        new_id=ids.__next__,
        visibility_seconds=60,
        max_attempts=MAX_ATTEMPTS,
    )
    yield Case(queue, lambda: jobs(queue.dead_letters(EXTRACTION)))
    queue.close()


def sqs_case(_: Path) -> Iterator[Case]:
    """SQS as moto has it, with a redrive policy as in the template."""
    import boto3
    from moto import mock_aws

    from agent_memory.adapters.sqs_queue import SqsQueue

    with mock_aws():
        client = boto3.client("sqs", region_name="eu-west-1", aws_access_key_id="test", aws_secret_access_key="test")
        fifo: dict[QueueAttributeNameType, str] = {"FifoQueue": "true", "VisibilityTimeout": "60"}
        dead_url = client.create_queue(QueueName="dead.fifo", Attributes=fifo)["QueueUrl"]
        dead_arn = client.get_queue_attributes(QueueUrl=dead_url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        fifo["RedrivePolicy"] = json.dumps({"deadLetterTargetArn": dead_arn, "maxReceiveCount": MAX_ATTEMPTS})
        urls = {
            name: client.create_queue(QueueName=f"{name}.fifo", Attributes=fifo)["QueueUrl"]
            for name in (EXTRACTION, "maintenance")
        }
        queue = SqsQueue(client, {**urls, "dead": dead_url})
        yield Case(queue, lambda: jobs(queue.receive("dead", 10)))


def jobs(deliveries: list[Delivery]) -> list[Job]:
    """What was sent."""
    return [decode(delivery.body) for delivery in deliveries]


def job(job_id: str, group: str = "g") -> Job:
    """An extraction job."""
    return Job("extract", job_id, group)
