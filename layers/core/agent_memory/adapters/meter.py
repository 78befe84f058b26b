"""Counts what a table cost: calls by operation and the capacity units that DynamoDB says it consumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Reading:
    """The sums at one moment; the difference of two readings is what happened between them."""

    calls: Mapping[str, int]
    read_units: float
    write_units: float

    def since(self, earlier: Reading) -> Reading:
        """What was added after `earlier`, without the operations that were not called."""
        calls = {name: count - earlier.calls.get(name, 0) for name, count in self.calls.items()}
        return Reading(
            MappingProxyType({name: count for name, count in calls.items() if count}),
            self.read_units - earlier.read_units,
            self.write_units - earlier.write_units,
        )


class Meter:
    """Sums that only grow; any thread may add or read. Calls that failed count, and consume what the answer told."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._calls: Counter[str] = Counter()
        self._read_units = 0.0
        self._write_units = 0.0

    def count(self, operation: str) -> None:
        """One call, before it is known how it ends."""
        with self._lock:
            self._calls[operation] += 1

    def consume(self, *, read_units: float = 0.0, write_units: float = 0.0) -> None:
        """Capacity units that an answer named."""
        with self._lock:
            self._read_units += read_units
            self._write_units += write_units

    def snapshot(self) -> Reading:
        """The sums so far."""
        with self._lock:
            return Reading(MappingProxyType(dict(self._calls)), self._read_units, self._write_units)
