"""WideTable on DynamoDB: every read consistent, throttling and unprocessed parts retried with full jitter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from agent_memory.adapters.backoff import Backoff
from agent_memory.adapters.dynamodb_calls import DynamoCalls
from agent_memory.adapters.dynamodb_items import (
    Request,
    batch_entry,
    key_attributes,
    query_request,
    record_from,
    single_request,
    transact_entry,
)
from agent_memory.adapters.table_rules import Record, check_limit, encode_batch, encode_many, failed_positions, span
from agent_memory.errors import ConditionFailed, ServerBusy, ServiceUnavailable
from agent_memory.ports import Check, Delete, Item, Key, Page, Put, Write

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from agent_memory.adapters.meter import Meter

KEYS_PER_GET = 100
WRITES_PER_BATCH = 25


class DynamoTable:
    """The table `table_name`; `pause` takes seconds, `random` gives 0 to below 1, `meter` sums what calls consume.

    Raises ServiceUnavailable, with the AWS code in the message, for every failure that a retry did not cure.
    """

    def __init__(
        self,
        client: DynamoDBClient,
        table_name: str,
        *,
        pause: Callable[[float], None],
        random: Callable[[], float],
        meter: Meter,
    ) -> None:
        self._table = table_name
        self._backoff = Backoff(pause, random)
        self._calls = DynamoCalls(client, self._backoff, meter)

    def get(self, keys: Iterable[Key]) -> dict[Key, Item]:
        """The items that exist, any number of keys, each key once."""
        wanted = [key_attributes(key) for key in dict.fromkeys(keys)]
        found: list[Item] = []

        def read(part: list[Request]) -> list[Request]:
            asked = {self._table: {"Keys": part, "ConsistentRead": True}}
            answer = self._calls.call("batch_get_item", RequestItems=asked)
            found.extend(record_from(attributes).to_item() for attributes in answer["Responses"].get(self._table, []))
            left: list[Request] = answer.get("UnprocessedKeys", {}).get(self._table, {}).get("Keys", [])
            return left

        self._in_parts(wanted, KEYS_PER_GET, read)
        return {item.key: item for item in found}

    def query(  # noqa: PLR0913 - as the port
        self, pk: str, first: str, last: str, *, limit: int, after: str | None = None, reverse: bool = False
    ) -> Page:
        """At most `limit` items with first <= sk <= last, behind the sort key `after`; `more` is exact."""
        check_limit(limit)
        part = span(first, last, after, reverse=reverse)
        if part is None:
            return Page((), more=False)
        found = self._read_span(query_request(self._table, pk, part, reverse=reverse), limit + 1)
        return Page(tuple(record_from(attributes).to_item() for attributes in found[:limit]), more=len(found) > limit)

    def write(self, writes: Sequence[Write]) -> None:
        """All of the writes or none (1 to 100, one per key); one alone needs no transaction, at half the cost."""
        records = encode_batch(writes)
        if len(writes) == 1:
            self._write_one(writes[0], records[0])
            return
        entries = [transact_entry(self._table, *pair) for pair in zip(writes, records, strict=True)]
        # One token for all tries: a try whose answer was lost is not applied twice.
        self._calls.call("transact_write_items", TransactItems=entries, ClientRequestToken=str(uuid4()))

    def write_many(self, writes: Iterable[Put | Delete]) -> None:
        """Any number of writes without conditions, 25 a call."""
        entries = [batch_entry(key, record) for key, record in encode_many(writes).items()]

        def send(part: list[Request]) -> list[Request]:
            answer = self._calls.call("batch_write_item", RequestItems={self._table: part})
            left: list[Request] = answer.get("UnprocessedItems", {}).get(self._table, [])
            return left

        self._in_parts(entries, WRITES_PER_BATCH, send)

    def _write_one(self, write: Write, record: Record | None) -> None:
        if isinstance(write, Check):
            versions = {key: item.version for key, item in self.get([write.key]).items()}
            if failed_positions([write], versions):
                raise ConditionFailed((0,))
            return
        operation, request = single_request(self._table, write, record)
        self._calls.call(operation, **request)

    def _read_span(self, request: Request, wanted: int) -> list[Request]:
        """Pages of at most 1 MB until `wanted` items or the end; one item over the page tells whether there is more."""
        found: list[Request] = []
        start: Any = request.get("ExclusiveStartKey")
        while True:
            resume = {"ExclusiveStartKey": start} if start else {}
            answer = self._calls.call("query", **(request | resume), Limit=wanted - len(found))
            found.extend(answer.get("Items", []))
            reached = answer.get("LastEvaluatedKey")
            if not reached or len(found) >= wanted:
                return found
            if reached == start:
                raise ServiceUnavailable("DynamoDB does not get on with a query")
            start = reached

    def _in_parts(self, entries: list[Request], size: int, send: Callable[[list[Request]], list[Request]]) -> None:
        """Send all entries; `send` gives back those left over, which are tried again while that gets anywhere."""
        for at in range(0, len(entries), size):
            pending, stalled = entries[at : at + size], 0
            while left := send(pending):
                stalled = stalled + 1 if len(left) == len(pending) else 0
                if stalled >= self._backoff.attempts:
                    raise ServerBusy("DynamoDB leaves parts of a batch unprocessed")
                self._backoff.wait(stalled)
                pending = left


def make_client(region: str | None = None, endpoint_url: str | None = None) -> DynamoDBClient:
    """A low-level client that gives up on an answer after seconds, so that a call fits into a function's time."""
    import boto3
    from botocore.config import Config

    retries: Any = {"mode": "standard", "total_max_attempts": 3}
    config = Config(connect_timeout=2, read_timeout=5, retries=retries, max_pool_connections=32, tcp_keepalive=True)
    return boto3.client("dynamodb", region_name=region, endpoint_url=endpoint_url, config=config)


def create_table(client: DynamoDBClient, name: str) -> None:
    """Make the table where no template does: for tests and local emulators; on demand, with expiry on `ttl`."""
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
        ],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    )
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 60})
    client.update_time_to_live(TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
