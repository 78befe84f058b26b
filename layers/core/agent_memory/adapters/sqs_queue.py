"""The `JobQueue` on SQS FIFO queues; visibility time-out, attempts and dead letters are settings of the queues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from agent_memory.adapters.fifo import opaque_id, receive_limit, release_delay
from agent_memory.errors import ServerBusy, ServiceUnavailable
from agent_memory.jobs import QUEUE_OF_KIND, encode
from agent_memory.ports import Delivery, Job

if TYPE_CHECKING:
    from botocore.exceptions import ClientError
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

# Codes of a receipt that no longer holds its message. A FIFO queue reports an expired one as InvalidParameterValue.
_EXPIRED = frozenset({"ReceiptHandleIsInvalid", "MessageNotInflight", "InvalidParameterValue"})
_BUSY = frozenset(
    {"RequestThrottled", "Throttling", "ThrottlingException", "TooManyRequestsException", "RequestLimitExceeded"}
    | {"KmsThrottled", "OverLimit", "SlowDown"}
)
_FIRST_SERVER_ERROR = 500


class SqsQueue:
    """FIFO queues by queue name. Raises ServerBusy when throttled, ServiceUnavailable when SQS can't be reached."""

    def __init__(self, client: SQSClient, queue_urls: Mapping[str, str], *, wait_seconds: int = 0) -> None:
        self._client = client
        self._queue_urls = queue_urls
        self._wait_seconds = wait_seconds

    def send(self, job: Job) -> None:
        """Send the job; SQS drops the same deduplication id for five minutes."""
        with _named_errors():
            self._client.send_message(
                QueueUrl=self._queue_urls[QUEUE_OF_KIND[job.kind]],
                MessageBody=encode(job),
                MessageGroupId=opaque_id(job.group),
                MessageDeduplicationId=opaque_id(job.job_id),
            )

    def receive(self, queue: str, limit: int) -> list[Delivery]:
        """Receive once, waiting up to `wait_seconds` for the first message."""
        with _named_errors():
            answer = self._client.receive_message(
                QueueUrl=self._queue_urls[queue],
                MaxNumberOfMessages=receive_limit(limit),
                WaitTimeSeconds=self._wait_seconds,
                MessageSystemAttributeNames=["MessageGroupId", "ApproximateReceiveCount"],
            )
        return [_delivery(message, queue) for message in answer.get("Messages", [])]

    def acknowledge(self, delivery: Delivery) -> None:
        """Delete the message; an expired receipt is ignored."""
        with _named_errors(ignored=_EXPIRED):
            self._client.delete_message(QueueUrl=self._queue_urls[delivery.queue], ReceiptHandle=delivery.receipt)

    def release(self, delivery: Delivery, delay_seconds: int) -> None:
        """Hide the message for the delay (at most twelve hours) from now; an expired receipt is ignored."""
        with _named_errors(ignored=_EXPIRED):
            self._client.change_message_visibility(
                QueueUrl=self._queue_urls[delivery.queue],
                ReceiptHandle=delivery.receipt,
                VisibilityTimeout=release_delay(delay_seconds),
            )


def _delivery(message: MessageTypeDef, queue: str) -> Delivery:
    attributes = message["Attributes"]
    return Delivery(
        message_id=message["MessageId"],
        receipt=message["ReceiptHandle"],
        body=message["Body"],
        group=attributes["MessageGroupId"],
        attempts=int(attributes["ApproximateReceiveCount"]),
        queue=queue,
    )


@contextmanager
def _named_errors(ignored: frozenset[str] = frozenset()) -> Iterator[None]:
    from botocore.exceptions import ClientError, HTTPClientError
    from botocore.exceptions import ConnectionError as NotConnected

    try:
        yield
    except ClientError as error:
        code = error.response["Error"]["Code"].rpartition(".")[2]  # some codes come as AWS.SimpleQueueService.<code>
        if code not in ignored:
            raise _named(error, code) from error
    except (NotConnected, HTTPClientError) as error:
        raise ServiceUnavailable("the job queue does not answer") from error


def _named(error: ClientError, code: str) -> Exception:
    if code in _BUSY:
        return ServerBusy("the job queue is busy")
    if error.response["ResponseMetadata"]["HTTPStatusCode"] >= _FIRST_SERVER_ERROR:
        return ServiceUnavailable("the job queue does not answer")
    return error


def make_client(*, endpoint_url: str | None = None) -> SQSClient:
    """A client for the region and credentials of the environment; it retries throttling and dropped connections."""
    import boto3
    from botocore.config import Config

    retrying = Config(retries={"mode": "standard", "total_max_attempts": 4}, connect_timeout=3, read_timeout=30)
    return boto3.client("sqs", endpoint_url=endpoint_url, config=retrying)
