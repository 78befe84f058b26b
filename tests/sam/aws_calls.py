"""What a call to AWS asks of a role, and what it costs, read from its request and its answer.

Source for actions, resources and condition keys: AWS service authorization reference, DynamoDB, SQS, KMS and S3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

SERVICES = {"DynamoDB": "dynamodb", "AmazonSQS": "sqs", "TrentService": "kms"}
READS = {"BatchGetItem", "GetItem", "Query"}
TRANSACTION_PARTS = {
    "Put": "PutItem",
    "Delete": "DeleteItem",
    "Update": "UpdateItem",
    "ConditionCheck": "ConditionCheckItem",
}
LEADING_KEYS = "dynamodb:LeadingKeys"


@dataclass(frozen=True)
class Use:
    """One permission that a call takes: on which resource (its name), and the values of condition keys."""

    action: str
    resource: str
    context: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Call:
    """One call: the permissions that it takes and the capacity units that the answer named."""

    service: str
    operation: str
    uses: tuple[Use, ...]
    read_units: float = 0.0
    write_units: float = 0.0

    @property
    def partitions(self) -> frozenset[str]:
        """The partition keys that it touches in DynamoDB."""
        return frozenset[str]().union(*(use.context.get(LEADING_KEYS, ()) for use in self.uses))


def service_of(target: str) -> tuple[str, str]:
    """Service and operation of the header X-Amz-Target."""
    name, _, operation = target.partition(".")
    return SERVICES[name.partition("_")[0]], operation


def call_of(target: str, request: Mapping[str, Any], answer: Mapping[str, Any]) -> Call:
    """The call of a request and its answer, both as JSON."""
    service, operation = service_of(target)
    if service == "sqs":
        return Call(service, operation, (Use(f"sqs:{operation}", request["QueueUrl"].rpartition("/")[2]),))
    if service == "kms":
        given = request.get("EncryptionContext", {})
        context = {f"kms:EncryptionContext:{name}": frozenset({value}) for name, value in given.items()}
        return Call(service, operation, (Use(f"kms:{operation}", request["KeyId"], context),))
    consumed = answer.get("ConsumedCapacity") or []
    tables = [consumed] if isinstance(consumed, dict) else consumed
    units = sum(float(table.get("CapacityUnits", 0)) for table in tables)
    uses = tuple(
        Use(f"dynamodb:{action}", table, {LEADING_KEYS: frozenset({partition})})
        for action, table, partition in sorted(set(_parts(operation, request)))
    )
    read = operation in READS
    return Call(service, operation, uses, read_units=units if read else 0.0, write_units=0.0 if read else units)


def object_call_of(method: str, path: str) -> Call:
    """The call to S3 of a request with the bucket first in its path: one object, or the bucket."""
    bucket, _, key = path.partition("?")[0].strip("/").partition("/")
    if not key and method == "GET":
        return Call("s3", "ListObjectsV2", (Use("s3:ListBucket", bucket),))
    operation = {"GET": "GetObject", "PUT": "PutObject", "POST": "DeleteObjects"}[method]
    return Call("s3", operation, (Use(f"s3:{operation.removesuffix('s')}", f"{bucket}/*"),))


def _parts(operation: str, request: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(action, table, partition key) of each item that a request to DynamoDB names."""
    if operation == "TransactWriteItems":
        for item in request["TransactItems"]:
            for part, asked in item.items():
                yield TRANSACTION_PARTS[part], asked["TableName"], _partition(asked)
    elif operation == "BatchGetItem":
        for table, asked in request["RequestItems"].items():
            yield from ((operation, table, key["pk"]["S"]) for key in asked["Keys"])
    elif operation == "BatchWriteItem":
        for table, asked in request["RequestItems"].items():
            yield from ((operation, table, _partition(each)) for item in asked for each in item.values())
    elif operation == "Query":
        yield operation, request["TableName"], request["ExpressionAttributeValues"][":pk"]["S"]
    else:
        yield operation, request["TableName"], _partition(request)


def _partition(request: Mapping[str, Any]) -> str:
    found: str = (request.get("Item") or request["Key"])["pk"]["S"]
    return found
