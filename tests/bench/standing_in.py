"""Records that stand in for more than a disk should hold: those of a few memories for those of a million.

An index of a million memories is made without their records; a search then reads those of its winners. So each memory
that was never written is answered for by one that was, of about the same size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from agent_memory import keys
from agent_memory.ports import Item, Key, WideTable


class FewMemories:
    """The table, in which any memory of the partition `large` has a record: its own, or one of those of `written`."""

    def __init__(self, table: WideTable, large: str, written: Sequence[Key]) -> None:
        self._table, self._large, self._written = table, large, tuple(written)
        self._own = {key.sk: key for key in written}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def get(self, wanted: Iterable[Key]) -> dict[Key, Item]:
        """Under the keys that were asked for."""
        places = {key: self._place(key) for key in wanted}
        found = self._table.get(places.values())
        return {key: replace(found[place], key=key) for key, place in places.items() if place in found}

    def _place(self, key: Key) -> Key:
        if key.pk != self._large or not key.sk.startswith("unit/"):
            return key
        own = self._own.get(key.sk)
        return own or self._written[int(key.sk.removeprefix("unit/"), 16) % len(self._written)]


class FewTenants:
    """The table, in which tenant number n has the memories of number n modulo those that were written."""

    def __init__(self, table: WideTable, uid: str, app: str, written: int) -> None:
        self._table, self._uid, self._app, self._written = table, uid, app, written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def partition(self, number: int) -> str:
        """Where the tenant of that number lies."""
        return keys.tenant_partition(self._uid, self._app, tenant_name(number))

    def query(self, pk: str, first: str, last: str, **options: Any) -> Any:
        """The page of the tenant that stands in; its items keep their keys."""
        number = int(pk.rpartition("-")[2]) % self._written
        return self._table.query(self.partition(number), first, last, **options)


def tenant_name(number: int) -> str:
    """The level of its scope."""
    return f"tenant-{number}"
