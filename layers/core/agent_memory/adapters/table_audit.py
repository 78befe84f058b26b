"""The audit as records of the table: one where the tenant finds it, one where the store does."""

from __future__ import annotations

from collections.abc import Callable, Collection
from threading import Lock
from typing import TYPE_CHECKING

from agent_memory import keys
from agent_memory.ports import Put
from agent_memory.records import store_of
from agent_memory.timeline import call_items

if TYPE_CHECKING:
    from agent_memory.adapters.log_audit import LogAudit
    from agent_memory.audit import CallRecord
    from agent_memory.ports import WideTable

MOST_WAITING = 1_000  # so many records in memory are written by whoever brings the next one
UID_LIFE_MS = 60_000
ENDS_A_UID = ("CreateMemoryStore", "DeleteMemoryStore")

StoreName = tuple[str, str]  # instance, name


class TableAudit:
    """Keeps records for `days` in the table (none for 0), and hands each to the log.

    `eager` writes each as it comes, in one batch call: for a process that may be frozen right after its answer. It
    trusts what it knows of a store's uid for a minute, so in a store that was made anew under its old name, calls of
    the first minute may be missing. Otherwise somebody calls `flush` every moment, and a batch reads the uids.
    A call that names no existing store is in the log only: nobody could list it.
    """

    def __init__(
        self, table: WideTable, log: LogAudit, *, days: int, now_ms: Callable[[], int], eager: bool = False
    ) -> None:
        self._table = table
        self._log = log
        self._days = days
        self._now_ms = now_ms
        self._eager = eager
        self._waiting: list[CallRecord] = []
        self._taking, self._writing = Lock(), Lock()
        self._known: dict[StoreName, tuple[str, int]] = {}  # uid, and when it was read

    def record(self, call: CallRecord) -> None:
        """Log the record, and keep it for the next flush or, if eager, in the table."""
        self._log.record(call)
        if self._days <= 0 or not (call.store and call.instance):
            return
        with self._taking:
            self._waiting.append(call)
            full = len(self._waiting) >= MOST_WAITING
        if self._eager or full:
            self.flush()

    def flush(self) -> None:
        """Everything taken so far is in the table when this returns, also what another thread is just writing."""
        with self._writing:
            with self._taking:
                calls, self._waiting = self._waiting, []
            if not calls:
                return
            try:
                self._write(calls)
            except Exception as error:  # noqa: BLE001 - whatever it is, no answer may change by it
                self._log.lost(len(calls), error, self._now_ms())

    def _write(self, calls: Collection[CallRecord]) -> None:
        uids = self._uids(calls)
        filed = [(uids[named], call) for call in calls if (named := (call.instance, call.store)) in uids]
        self._table.write_many(Put(item) for uid, call in filed for item in call_items(uid, call, self._days))

    def _uids(self, calls: Collection[CallRecord]) -> dict[StoreName, str]:
        """The uid of each store that exists."""
        now, named = self._now_ms(), {(call.instance, call.store) for call in calls}
        changed = {(call.instance, call.store) for call in calls if call.operation in ENDS_A_UID}
        known = {name: uid for name, (uid, read_ms) in self._known.items() if now - read_ms < UID_LIFE_MS}
        unknown = {keys.store(*name): name for name in named if name in changed or name not in known}
        found = self._table.get(unknown) if unknown else {}
        read = {unknown[key]: store_of(item).uid for key, item in found.items()}
        fresh = {name: uid for name, uid in known.items() if name in named - changed} | read
        if self._eager:
            for name in changed:
                self._known.pop(name, None)
            self._known.update({name: (uid, now) for name, uid in read.items()})
        return fresh
