"""What calls of the ports would be as calls to AWS: how many, and how many bytes they carry.

A call of the table becomes as many as DynamoDB's limits make of it (100 keys a batch, 1 MB a page of a query, 25 items
a batch write); one of the snapshot store is one request to S3. Retries are none. `tests/core/test_bench_counted.py`
holds this against the adapter for DynamoDB.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from agent_memory.adapters.table_rules import encode
from agent_memory.ports import Check, Delete, Item, Key, Page, Put, WideTable, Write
from agent_memory.snapshot_store import SnapshotStore

KEYS_PER_GET = 100
WRITES_PER_BATCH = 25
PAGE_BYTES = 1024 * 1024
UNIT_BYTES = 4096  # of a read unit


@dataclass(slots=True)
class Bill:
    """Calls by name, bytes either way, and read units of DynamoDB, which every consistent read rounds up."""

    calls: Counter[str] = field(default_factory=Counter)
    read: int = 0
    written: int = 0
    units: int = 0

    @property
    def total(self) -> int:
        """All calls."""
        return self.calls.total()

    def since(self, earlier: Bill) -> Bill:
        """What came after that copy."""
        calls = self.calls - earlier.calls
        return Bill(calls, self.read - earlier.read, self.written - earlier.written, self.units - earlier.units)

    def copy(self) -> Bill:
        """As it is now."""
        return replace(self, calls=self.calls.copy())


@contextmanager
def billed(bill: Bill) -> Iterator[Bill]:
    """The bill of what happens inside, whole once that has ended."""
    before, part = bill.copy(), Bill()
    yield part
    found = bill.since(before)
    part.calls, part.read, part.written, part.units = found.calls, found.read, found.written, found.units


def calls_for(entries: int, most: int) -> int:
    """Calls for so many entries, at most so many in each."""
    return -(-entries // most)


class CountedTable:
    """The table, with every call on the bill."""

    def __init__(self, table: WideTable, bill: Bill) -> None:
        self._table, self._bill = table, bill

    def get(self, keys: Iterable[Key]) -> dict[Key, Item]:
        """An item that is not there costs a read unit too."""
        wanted = list(dict.fromkeys(keys))
        found = self._table.get(wanted)
        self._bill.calls["BatchGetItem"] += calls_for(len(wanted), KEYS_PER_GET)
        sizes = [size_of(item) for item in found.values()]
        self._bill.read += sum(sizes)
        self._bill.units += sum(calls_for(size, UNIT_BYTES) for size in sizes) + len(wanted) - len(found)
        return found

    def query(self, pk: str, first: str, last: str, **options: Any) -> Page:
        """The adapter reads one item more than the page, to tell whether there is more."""
        page = self._table.query(pk, first, last, **options)
        sizes = [size_of(item) for item in page.items]
        total = sum(sizes) + (sizes[-1] if page.more and sizes else 0)
        self._bill.calls["Query"] += max(1, calls_for(total, PAGE_BYTES))
        self._bill.read += total
        self._bill.units += max(1, calls_for(total, UNIT_BYTES))
        return page

    def write(self, writes: Sequence[Write]) -> None:
        """One transaction, or one call for a single write."""
        self._table.write(writes)
        single = {Put: "PutItem", Delete: "DeleteItem", Check: "BatchGetItem"}[type(writes[0])]
        self._bill.calls["TransactWriteItems" if len(writes) > 1 else single] += 1
        self._bill.written += sum(size_of(write.item) for write in writes if isinstance(write, Put))

    def write_many(self, writes: Iterable[Put | Delete]) -> None:
        """The last write of each key is sent."""
        sent = {write.item.key if isinstance(write, Put) else write.key: write for write in writes}
        self._table.write_many(sent.values())
        self._bill.calls["BatchWriteItem"] += calls_for(len(sent), WRITES_PER_BATCH)
        self._bill.written += sum(size_of(write.item) for write in sent.values() if isinstance(write, Put))


class CountedSnapshots:
    """The store of snapshots, with every call on the bill."""

    def __init__(self, store: SnapshotStore, bill: Bill) -> None:
        self._store, self._bill = store, bill

    def read(self, name: str) -> bytes | None:
        """One request."""
        data = self._store.read(name)
        self._bill.calls["GetObject"] += 1
        self._bill.read += len(data or b"")
        return data

    def write(self, name: str, data: bytes) -> None:
        """One request."""
        self._store.write(name, data)
        self._bill.calls["PutObject"] += 1
        self._bill.written += len(data)

    def delete(self, names: Iterable[str]) -> None:
        """1,000 names a request."""
        gone = list(names)
        self._store.delete(gone)
        self._bill.calls["DeleteObjects"] += calls_for(len(gone), 1_000)

    def names(self, prefix: str) -> list[str]:
        """1,000 names a page."""
        found = self._store.names(prefix)
        self._bill.calls["ListObjectsV2"] += max(1, calls_for(len(found), 1_000))
        return found


def size_of(item: Item) -> int:
    """Bytes of the item as DynamoDB counts them, a little rounded up."""
    return encode(item).size
