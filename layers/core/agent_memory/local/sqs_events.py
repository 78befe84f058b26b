"""SQS events as Lambda's event source mapping makes them, and its reading of what the function answers.

Source: AWS Lambda developer guide, "Using Lambda with Amazon SQS" and "Handling errors for an SQS event source".
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import md5
from typing import Any

from agent_memory.ports import Delivery

ACCOUNT = "000000000000"


def queue_arn(queue: str, region: str) -> str:
    """The ARN under which workers know a local queue."""
    return f"arn:aws:sqs:{region}:{ACCOUNT}:{queue}.fifo"


def sqs_event(deliveries: Sequence[Delivery], *, region: str, received_ms: int) -> dict[str, Any]:
    """The event for one batch. A delivery does not say when it was sent, so both time attributes are `received_ms`."""
    return {"Records": [_record(delivery, region, str(received_ms)) for delivery in deliveries]}


def failed_ids(answer: object, message_ids: Sequence[str]) -> frozenset[str]:
    """The messages to deliver again: those reported, none for an empty answer, all for one that Lambda can't read.

    Not readable are an answer that is no object, an entry without `itemIdentifier`, and an id that was not sent.
    """
    everything = frozenset(message_ids)
    if answer is None:
        return frozenset()
    if not isinstance(answer, dict):
        return everything
    failures = answer.get("batchItemFailures")
    if failures is None:
        return frozenset()
    if not isinstance(failures, list) or not all(isinstance(failure, dict) for failure in failures):
        return everything
    reported = [failure.get("itemIdentifier") for failure in failures]
    return frozenset(reported) if all(name in message_ids for name in reported) else everything


def _record(delivery: Delivery, region: str, received_ms: str) -> dict[str, Any]:
    return {
        "messageId": delivery.message_id,
        "receiptHandle": delivery.receipt,
        "body": delivery.body,
        "attributes": {
            "ApproximateReceiveCount": str(delivery.attempts),
            "SentTimestamp": received_ms,
            "SenderId": ACCOUNT,
            "MessageGroupId": delivery.group,
            "ApproximateFirstReceiveTimestamp": received_ms,
        },
        "messageAttributes": {},
        "md5OfBody": md5(delivery.body.encode(), usedforsecurity=False).hexdigest(),
        "eventSource": "aws:sqs",
        "eventSourceARN": queue_arn(delivery.queue, region),
        "awsRegion": region,
    }
