"""Requests to DynamoDB and its answers, built and read without any call.

Attributes: pk, sk (S), v (N, the version), b (S, the body as JSON text), x (B, the blob if any), ttl (N, if any).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent_memory.adapters.table_rules import Record, Span, key_of
from agent_memory.ports import Check, Key, Put, Write

Attributes = dict[str, Any]
Request = dict[str, Any]

RETRIED_CODES = frozenset(
    {
        "InternalServerError",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ServiceUnavailable",
        "ThrottlingException",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)
SERVER_FAULT = 500  # the HTTP status from which on the fault is not the request's
RETRIED_REASONS = frozenset({"ProvisionedThroughputExceeded", "ThrottlingError", "TransactionConflict"})


def key_attributes(key: Key) -> Attributes:
    """The primary key."""
    return {"pk": {"S": key.pk}, "sk": {"S": key.sk}}


def key_from(attributes: Mapping[str, Any]) -> Key:
    """The key of an item or a start key."""
    return Key(attributes["pk"]["S"], attributes["sk"]["S"])


def attributes_of(record: Record) -> Attributes:
    """The whole item."""
    attributes: Attributes = key_attributes(record.key) | {"v": {"N": str(record.version)}, "b": {"S": record.text}}
    if record.blob:
        attributes["x"] = {"B": record.blob}
    if record.ttl is not None:
        attributes["ttl"] = {"N": str(record.ttl)}
    return attributes


def record_from(attributes: Mapping[str, Any]) -> Record:
    """The record of a whole item."""
    ttl = int(attributes["ttl"]["N"]) if "ttl" in attributes else None
    blob = bytes(attributes["x"]["B"]) if "x" in attributes else b""
    return Record(key_from(attributes), int(attributes["v"]["N"]), attributes["b"]["S"], blob, ttl)


def condition(expect: int | None) -> Request:
    """The condition that the stored version is `expect`; nothing for None."""
    if expect is None:
        return {}
    if expect == 0:
        return {"ConditionExpression": "attribute_not_exists(pk)"}
    return {"ConditionExpression": "v = :v", "ExpressionAttributeValues": {":v": {"N": str(expect)}}}


def transact_entry(table: str, write: Write, record: Record | None) -> Request:
    """One element of TransactWriteItems; `record` is what a Put writes."""
    request: Request = {"TableName": table} | condition(write.expect)
    if record is not None:
        return {"Put": request | {"Item": attributes_of(record)}}
    verb = "ConditionCheck" if isinstance(write, Check) else "Delete"
    return {verb: request | {"Key": key_attributes(key_of(write))}}


def single_request(table: str, write: Write, record: Record | None) -> tuple[str, Request]:
    """The operation of the client and its arguments for one Put or Delete on its own."""
    entry = transact_entry(table, write, record)
    if isinstance(write, Put):
        return "put_item", entry["Put"] | {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    return "delete_item", entry["Delete"]


def batch_entry(key: Key, record: Record | None) -> Request:
    """One element of BatchWriteItem: put the record, or delete the key where there is none."""
    if record is None:
        return {"DeleteRequest": {"Key": key_attributes(key)}}
    return {"PutRequest": {"Item": attributes_of(record)}}


def query_request(table: str, pk: str, part: Span, *, reverse: bool) -> Request:
    """A consistent Query of the span, without a limit."""
    request: Request = {
        "TableName": table,
        "ConsistentRead": True,
        "ScanIndexForward": not reverse,
        "KeyConditionExpression": "pk = :pk AND sk BETWEEN :low AND :high",
        "ExpressionAttributeValues": {":pk": {"S": pk}, ":low": {"S": part.low}, ":high": {"S": part.high}},
    }
    if part.after is not None:  # the start key need not exist
        request["ExclusiveStartKey"] = key_attributes(Key(pk, part.after))
    return request


def failed_conditions(reasons: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """Positions of a cancelled transaction whose condition did not hold."""
    return tuple(at for at, reason in enumerate(reasons) if reason.get("Code") == "ConditionalCheckFailed")


def is_retried(error: Mapping[str, Any]) -> bool:
    """Whether the same request may succeed in a moment, given the parsed error answer."""
    code = error.get("Error", {}).get("Code", "")
    reasons = {reason.get("Code") or "None" for reason in error.get("CancellationReasons", [])} - {"None"}
    if code == "TransactionCanceledException":
        return bool(reasons & RETRIED_REASONS) and "ConditionalCheckFailed" not in reasons
    return code in RETRIED_CODES or error.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= SERVER_FAULT


def consumed_units(answer: Mapping[str, Any]) -> float:
    """Capacity units of an answer, summed over its tables."""
    consumed = answer.get("ConsumedCapacity") or []
    tables = [consumed] if isinstance(consumed, Mapping) else consumed
    return float(sum(table.get("CapacityUnits", 0.0) for table in tables))
