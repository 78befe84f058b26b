"""What every table adapter demands of writes and ranges, so that a batch one adapter takes is taken by all.

Sizes are counted as in "DynamoDB item sizes and formats" of the DynamoDB developer guide, rounded up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_memory.errors import ItemTooLarge, ServiceUnavailable
from agent_memory.ports import MAX_ITEM_BYTES, MAX_WRITES, Check, Delete, Item, Key, Put, Write

MAX_BATCH_BYTES = 4 * 1024 * 1024  # of one transaction
MAX_PK_BYTES = 2048
MAX_SK_BYTES = 1024
OVERHEAD_BYTES = 40  # attribute names (10), version and expiry (at most 11 each), rounded up


@dataclass(frozen=True, slots=True)
class Record:
    """An item in the form that tables keep: the body as JSON text, which gives back exactly what was written."""

    key: Key
    version: int
    text: str
    blob: bytes
    ttl: int | None

    @property
    def size(self) -> int:
        """Bytes that count towards the limits."""
        return len((self.key.pk + self.key.sk + self.text).encode()) + len(self.blob) + OVERHEAD_BYTES

    def to_item(self) -> Item:
        """The item again."""
        try:
            body = json.loads(self.text)
        except ValueError as error:
            raise ServiceUnavailable("a stored record is damaged") from error
        return Item(self.key, body, self.version, self.blob, self.ttl)


@dataclass(frozen=True, slots=True)
class Span:
    """The part of a partition that a query reads: low <= sk <= high, without `after` where that is given."""

    low: str
    high: str
    after: str | None


def encode(item: Item) -> Record:
    """The record of an item; raises ItemTooLarge, or ValueError for what JSON or the key can't hold."""
    if item.version < 1:
        raise ValueError("an item's version starts at 1")
    _check_key(item.key)
    record = Record(item.key, item.version, _text(item.body), item.blob, item.ttl)
    if record.size > MAX_ITEM_BYTES:
        raise ItemTooLarge(f"an item of {record.size} bytes is over the limit of {MAX_ITEM_BYTES}")
    return record


def encode_batch(writes: Sequence[Write]) -> tuple[Record | None, ...]:
    """For each write of an atomic batch its record, or None where nothing is put.

    Raises ValueError for no writes, over 100, or two of one key; ItemTooLarge for an item or a batch over the limit.
    """
    if not 1 <= len(writes) <= MAX_WRITES:
        raise ValueError(f"a batch holds 1 to {MAX_WRITES} writes, not {len(writes)}")
    if len({key_of(write) for write in writes}) < len(writes):
        raise ValueError("a batch writes each key once")
    records = tuple(encode(write.item) if isinstance(write, Put) else None for write in writes)
    total = sum(record.size for record in records if record)
    if total > MAX_BATCH_BYTES:
        raise ItemTooLarge(f"a batch of {total} bytes is over the limit of {MAX_BATCH_BYTES}")
    return records


def encode_many(writes: Iterable[Put | Delete]) -> dict[Key, Record | None]:
    """The last write of each key: its record, or None to delete. Raises ValueError where one has a condition."""
    outcome: dict[Key, Record | None] = {}
    for write in writes:
        if write.expect is not None:
            raise ValueError("writes without order take no conditions")
        outcome[key_of(write)] = encode(write.item) if isinstance(write, Put) else None
    return outcome


def key_of(write: Write) -> Key:
    """The key that a write is about."""
    return write.item.key if isinstance(write, Put) else write.key


def failed_positions(writes: Sequence[Write], versions: Mapping[Key, int]) -> tuple[int, ...]:
    """Positions whose condition does not hold, given the stored version of each existing item."""
    return tuple(
        position
        for position, write in enumerate(writes)
        if write.expect is not None and versions.get(key_of(write), 0) != write.expect
    )


def conditional_keys(writes: Sequence[Write]) -> list[Key]:
    """The keys whose stored version decides about the batch."""
    return [key_of(write) for write in writes if isinstance(write, Check) or write.expect is not None]


def span(first: str, last: str, after: str | None, *, reverse: bool) -> Span | None:
    """The range that is left behind `after`, or None where it is empty.

    Strings of Python compare by code point, which is the order of their UTF-8 bytes. `after` is only kept inside the
    range, as DynamoDB refuses a start key outside; no sort key is empty, so the lowest is one NUL.
    """
    low, high = first or "\x00", last
    if after is not None and (after < low if not reverse else after > high):
        after = None
    if low > high or after == (low if reverse else high) or (after is not None and not low <= after <= high):
        return None
    return Span(low, high, after)


def check_limit(limit: int) -> None:
    """Raises ValueError for a page size below 1."""
    if limit < 1:
        raise ValueError("a page holds at least one item")


def _check_key(key: Key) -> None:
    if not key.pk or not key.sk:
        raise ValueError("neither part of a key is empty")
    if len(key.pk.encode()) > MAX_PK_BYTES or len(key.sk.encode()) > MAX_SK_BYTES:
        raise ItemTooLarge(f"a key is over its limits ({MAX_PK_BYTES} and {MAX_SK_BYTES} bytes)")


def _text(body: Mapping[str, Any]) -> str:
    text = json.dumps(dict(body), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate survives only as an escape
        return json.dumps(dict(body), separators=(",", ":"), allow_nan=False)
    return text
