"""Events as Lambda makes them from SQS messages, and Lambda's reading of the answer."""

from __future__ import annotations

import json
from hashlib import md5

import pytest
from aws_lambda_powertools.utilities.data_classes import SQSEvent
from aws_lambda_powertools.utilities.parser.models import SqsModel

from agent_memory.local.sqs_events import failed_ids, sqs_event
from agent_memory.ports import Delivery

BODY = '{"text":"我对虾过敏"}'
DELIVERIES = [
    Delivery("m-1", "r-1", BODY, "group-a", 3, "extraction"),
    Delivery("m-2", "r-2", "{}", "b", 1, "extraction"),
]
IDS = ("m-1", "m-2", "m-3")


def test_a_record_has_what_sqs_gives() -> None:
    """Each field of a record as on AWS; attributes are text."""
    event = sqs_event(DELIVERIES, region="eu-west-1", received_ms=1_796_000_000_123)
    assert event["Records"][0] == {
        "messageId": "m-1",
        "receiptHandle": "r-1",
        "body": BODY,
        "attributes": {
            "ApproximateReceiveCount": "3",
            "SentTimestamp": "1796000000123",
            "SenderId": "000000000000",
            "MessageGroupId": "group-a",
            "ApproximateFirstReceiveTimestamp": "1796000000123",
        },
        "messageAttributes": {},
        "md5OfBody": md5(BODY.encode(), usedforsecurity=False).hexdigest(),
        "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:eu-west-1:000000000000:extraction.fifo",
        "awsRegion": "eu-west-1",
    }


def test_an_event_keeps_the_order_of_the_batch() -> None:
    """Records come as the deliveries did, and the event is plain JSON."""
    event = sqs_event(DELIVERIES, region="eu-west-1", received_ms=0)
    assert [record["messageId"] for record in event["Records"]] == ["m-1", "m-2"]
    assert json.loads(json.dumps(event)) == event


def test_powertools_reads_the_event() -> None:
    """Both readers of SQS events that Powertools has accept it."""
    event = sqs_event(DELIVERIES, region="eu-west-1", received_ms=1_796_000_000_123)
    assert len(SqsModel.model_validate(event).Records) == 2
    record = next(iter(SQSEvent(event).records))
    assert record.json_body == {"text": "我对虾过敏"}
    assert record.attributes.message_group_id == "group-a"
    assert record.queue_url.endswith("/extraction.fifo")


def failures(*ids: object) -> dict[str, object]:
    """An answer that reports these."""
    return {"batchItemFailures": [{"itemIdentifier": name} for name in ids]}


@pytest.mark.parametrize("answer", [None, {}, {"batchItemFailures": None}, {"batchItemFailures": []}])
def test_an_empty_answer_is_success(answer: object) -> None:
    """Nothing reported, nothing failed."""
    assert failed_ids(answer, IDS) == frozenset()


def test_reported_messages_failed() -> None:
    """Only the named ones failed, however often they are named."""
    assert failed_ids(failures("m-3", "m-1", "m-1"), IDS) == {"m-1", "m-3"}


@pytest.mark.parametrize(
    "answer",
    [
        failures("m-1", "unknown"),
        failures("m-1", ""),
        failures("m-1", None),
        failures(["m-1"]),
        {"batchItemFailures": [{"messageId": "m-1"}]},
        {"batchItemFailures": ["m-1"]},
        {"batchItemFailures": "m-1"},
        {"batchItemFailures": False},
        "done",
        ["m-1"],
        200,
    ],
)
def test_an_unreadable_answer_fails_the_batch(answer: object) -> None:
    """As on Lambda, a wrong report is a complete failure."""
    assert failed_ids(answer, IDS) == set(IDS)
