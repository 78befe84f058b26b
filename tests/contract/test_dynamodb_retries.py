"""Failures of DynamoDB: what is tried again, what is not, and that no try is applied twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    EndpointConnectionError,
    NoCredentialsError,
    ReadTimeoutError,
)

from agent_memory.adapters.dynamodb_items import attributes_of
from agent_memory.adapters.table_rules import encode
from agent_memory.errors import ConditionFailed, ServerBusy, ServiceUnavailable
from agent_memory.ports import Check, Delete, Item, Key, Put

from .scripted_dynamodb import ATTEMPTS, Scripted, Waits, cancelled, fault, puts, table_of
from .table_items import LAST

if TYPE_CHECKING:
    from agent_memory.adapters.dynamodb_table import DynamoTable

THROTTLED = ("ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded")


CALLS: list[Callable[[DynamoTable], object]] = [
    lambda table: table.get([Key("p", "a")]),
    lambda table: table.query("p", "", LAST, limit=1),
    lambda table: table.write(puts(1)),
    lambda table: table.write([Delete(Key("p", "a"))]),
    lambda table: table.write([Check(Key("p", "a"), expect=0)]),
    lambda table: table.write(puts(2)),
    lambda table: table.write_many(puts(2)),
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("code", [*THROTTLED, "InternalServerError", "TransactionConflictException"])
def test_every_call_is_tried_again_and_then_server_busy(call: Callable[[DynamoTable], object], code: str) -> None:
    """Throttling, conflicts and server faults: full jitter, a bounded number of tries, the code in the message."""
    client, waits = Scripted(fault(code)), Waits()

    with pytest.raises(ServerBusy, match=code):
        call(table_of(client, waits))

    assert len(client.requests) == ATTEMPTS
    assert waits.seconds == [0.025, 0.05, 0.1, 0.2, 0.4]


@pytest.mark.parametrize("call", CALLS)
def test_every_call_succeeds_once_the_trouble_is_over(call: Callable[[DynamoTable], object]) -> None:
    """Two failures, then the answer: the caller notices nothing."""
    client = Scripted(fault("ThrottlingException"), fault("Odd", status=503), {"Responses": {}, "Items": []})

    call(table_of(client))

    assert len(client.requests) == 3


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("error", "named"),
    [
        (fault("ResourceNotFoundException"), "ResourceNotFoundException"),
        (fault("AccessDeniedException"), "AccessDeniedException"),
        (fault("ValidationException"), "ValidationException"),
        (EndpointConnectionError(endpoint_url="http://127.0.0.1:1"), "EndpointConnectionError"),
        (ReadTimeoutError(endpoint_url="http://127.0.0.1:1"), "ReadTimeoutError"),
        (NoCredentialsError(), "NoCredentialsError"),
    ],
)
def test_other_failures_are_service_unavailable(
    call: Callable[[DynamoTable], object], error: ClientError | BotoCoreError, named: str
) -> None:
    """Not tried again here, and named in the message."""
    client = Scripted(error)

    with pytest.raises(ServiceUnavailable, match=named):
        call(table_of(client))

    assert len(client.requests) == 1


def test_a_transaction_keeps_its_token_over_all_tries() -> None:
    """A try whose answer was lost can't be applied twice; another transaction has another token."""
    client = Scripted(fault("InternalServerError"), cancelled("None", "TransactionConflict"), {})
    table = table_of(client)

    table.write(puts(2))
    table.write(puts(2))

    tokens = [request["ClientRequestToken"] for _, request in client.requests]
    assert tokens[0] == tokens[1] == tokens[2] != tokens[3]
    assert 1 <= len(tokens[0]) <= 36


@pytest.mark.parametrize("reason", ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"])
def test_a_transaction_that_others_hinder_is_tried_again(reason: str) -> None:
    """Conflicts and throttling of a single element, bounded."""
    client = Scripted(cancelled("None", reason))

    with pytest.raises(ServerBusy):
        table_of(client).write(puts(2))

    assert len(client.requests) == ATTEMPTS


def test_a_failed_condition_counts_more_than_a_conflict() -> None:
    """The batch can't succeed as it is, so it is not tried again."""
    client = Scripted(cancelled("TransactionConflict", "ConditionalCheckFailed", "None", "ConditionalCheckFailed"))

    with pytest.raises(ConditionFailed) as caught:
        table_of(client).write(puts(4))

    assert caught.value.failed == (1, 3)
    assert len(client.requests) == 1


def test_a_transaction_refused_for_good_names_its_reason() -> None:
    """A validation error inside a transaction is no condition and no conflict."""
    with pytest.raises(ServiceUnavailable, match="ValidationError"):
        table_of(Scripted(cancelled("None", "ValidationError"))).write(puts(2))


@pytest.mark.parametrize(("stored", "is_ours"), [({"n": 0}, True), ({"n": 1}, False)])
def test_a_put_whose_answer_was_lost_is_not_a_failed_condition(
    moto_client: Any, stored: dict[str, Any], *, is_ours: bool
) -> None:
    """A repeated put that finds exactly its own item has succeeded; one that finds another item has not."""

    def put_and_lose_the_answer(**_: Any) -> dict[str, Any]:
        table_of(moto_client).write([Put(Item(Key("p", "a"), stored, 1, b"blob", 9))])
        raise fault("InternalServerError", status=500)

    table = table_of(Scripted(put_and_lose_the_answer, moto_client.put_item))
    write = Put(Item(Key("p", "a"), {"n": 0}, 1, b"blob", 9), expect=0)

    if is_ours:
        table.write([write])
    else:
        with pytest.raises(ConditionFailed):
            table.write([write])


def test_a_retry_inside_the_client_counts_as_one() -> None:
    """The client says how often it sent the request; a deletion never claims to be the one that did it."""
    item = Item(Key("p", "a"), {})
    repeated = fault(
        "ConditionalCheckFailedException",
        Item=attributes_of(encode(item)),
        ResponseMetadata={"HTTPStatusCode": 400, "RetryAttempts": 1},
    )
    table = table_of(Scripted(repeated))

    table.write([Put(item, expect=0)])

    with pytest.raises(ConditionFailed):
        table.write([Delete(item.key, expect=1)])


def test_the_first_try_never_takes_an_equal_item_for_its_own(moto_client: Any) -> None:
    """Two writers of the same item: the second one loses."""
    write = Put(Item(Key("p", "a"), {"n": 0}), expect=0)
    table_of(moto_client).write([write])

    with pytest.raises(ConditionFailed) as caught:
        table_of(moto_client).write([write])
    assert caught.value.failed == (0,)


def test_an_unreachable_endpoint_is_service_unavailable() -> None:
    """The real client, without its own retries, against a closed port of this machine."""
    client = boto3.client(
        "dynamodb",
        region_name="eu-central-1",
        endpoint_url="http://127.0.0.1:9",
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(retries=cast("Any", {"total_max_attempts": 1}), proxies={}),
    )

    with pytest.raises(ServiceUnavailable, match="EndpointConnectionError"):
        table_of(client).get([Key("p", "a")])
