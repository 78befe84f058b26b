"""What the SQS adapter makes of the answers of SQS that moto never gives: throttling, outages, expired receipts."""

from __future__ import annotations

from typing import Any, cast

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError
from moto import mock_aws

from agent_memory.adapters.sqs_queue import SqsQueue, make_client
from agent_memory.errors import AgentMemoryError, ServerBusy, ServiceUnavailable
from agent_memory.ports import Delivery, Job

DELIVERY = Delivery("message", "receipt", "{}", "group", 1, "extraction")
JOB = Job("extract", "任务", "会话")


class Answering:
    """A client of which every call is noted and ends in the given error of SQS, or well."""

    def __init__(self, code: str = "", status: int = 400) -> None:
        self.code = code
        self.status = status
        self.calls: list[dict[str, Any]] = []

    def __getattr__(self, operation: str) -> Any:
        def call(**request: Any) -> dict[str, Any]:
            self.calls.append(request)
            if self.code:
                answer = {"Error": {"Code": self.code}, "ResponseMetadata": {"HTTPStatusCode": self.status}}
                raise ClientError(cast("Any", answer), operation)
            return {}

        return call


def queue_of(client: Any, **options: int) -> SqsQueue:
    """The adapter over the client."""
    return SqsQueue(client, {"extraction": "https://sqs.invalid/extraction.fifo"}, **options)


@pytest.mark.parametrize(
    ("code", "status", "error"),
    [
        ("RequestThrottled", 400, ServerBusy),
        ("AWS.SimpleQueueService.OverLimit", 403, ServerBusy),
        ("ThrottlingException", 400, ServerBusy),
        ("KmsThrottled", 400, ServerBusy),
        ("InternalError", 500, ServiceUnavailable),
        ("ServiceUnavailable", 503, ServiceUnavailable),
    ],
)
def test_trouble_of_sqs_has_our_names(code: str, status: int, error: type[AgentMemoryError]) -> None:
    """Throttling is ServerBusy, a failing server ServiceUnavailable, in every call."""
    queue = queue_of(Answering(code, status))
    with pytest.raises(error):
        queue.send(JOB)
    with pytest.raises(error):
        queue.receive("extraction", 1)
    with pytest.raises(error):
        queue.acknowledge(DELIVERY)
    with pytest.raises(error):
        queue.release(DELIVERY, 1)


def test_mistakes_stay_as_they_are() -> None:
    """What retrying can't mend is not dressed up as an outage."""
    with pytest.raises(ClientError):
        queue_of(Answering("AccessDenied", 403)).send(JOB)
    with pytest.raises(ClientError):
        queue_of(Answering("InvalidParameterValue")).send(JOB)


@pytest.mark.parametrize(
    "code", ["ReceiptHandleIsInvalid", "InvalidParameterValue", "AWS.SimpleQueueService.MessageNotInflight"]
)
def test_an_expired_receipt_is_ignored(code: str) -> None:
    """Acknowledging and releasing after the time-out do nothing, but both are asked for."""
    client = Answering(code)
    queue = queue_of(client)
    queue.acknowledge(DELIVERY)
    queue.release(DELIVERY, 1)
    assert [request["ReceiptHandle"] for request in client.calls] == [DELIVERY.receipt] * 2


def test_nobody_answering_is_unavailable() -> None:
    """A refused connection is ServiceUnavailable."""
    once = Config(retries={"total_max_attempts": 1}, connect_timeout=1, read_timeout=1)
    session = boto3.Session(aws_access_key_id="test", aws_secret_access_key="test", region_name="eu-west-1")
    client = session.client("sqs", endpoint_url="http://127.0.0.1:1", config=once)
    with pytest.raises(ServiceUnavailable):
        queue_of(client).receive("extraction", 1)


def test_a_send_fits_the_limits_of_sqs() -> None:
    """Group and deduplication id are hex digests, different for different texts."""
    client = Answering()
    queue_of(client).send(JOB)
    request = client.calls[0]
    names = [request["MessageGroupId"], request["MessageDeduplicationId"]]
    assert [len(name) for name in names] == [64, 64]
    assert all(int(name, 16) >= 0 for name in names)
    assert names[0] != names[1]


def test_polls_are_short_unless_told() -> None:
    """The wait for a first message is none by default and else the constructor's."""
    client = Answering()
    queue_of(client).receive("extraction", 50)
    queue_of(client, wait_seconds=7).receive("extraction", 2)
    asked = [(request["WaitTimeSeconds"], request["MaxNumberOfMessages"]) for request in client.calls]
    assert asked == [(0, 10), (7, 2)]


def test_a_release_is_cut_at_what_sqs_takes() -> None:
    """Visibility is changed to at most twelve hours."""
    client = Answering()
    queue_of(client).release(DELIVERY, 10**6)
    assert client.calls[0]["VisibilityTimeout"] == 43_200


def test_the_client_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Region from the environment, endpoint as told, retries limited."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    with mock_aws():
        client = make_client(endpoint_url="http://127.0.0.1:1")
    assert client.meta.region_name == "eu-west-1"
    assert client.meta.endpoint_url == "http://127.0.0.1:1"
    assert client.meta.config.retries == {"mode": "standard", "total_max_attempts": 4}  # type: ignore[attr-defined]
