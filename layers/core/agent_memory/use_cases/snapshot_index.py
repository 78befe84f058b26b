"""The job that stores a tenant's index anew: what the log has since the last snapshot becomes a part of its own.

It may run twice, at the same time too, or die anywhere: objects that no record names are deleted by the next run, and
of two runs one changes the record. A lost job costs a longer log to read until the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory import keys
from agent_memory.change_log import SNAPSHOT_EVERY
from agent_memory.directory import Range, pages
from agent_memory.errors import AgentMemoryError, ConditionFailed, ServerBusy
from agent_memory.ports import Check, Delete
from agent_memory.records import COLLECTED_AFTER_SECONDS
from agent_memory.retrieval.pack import UnreadableBlock
from agent_memory.retrieval.snapshot_plan import Held, held_parts, without
from agent_memory.retrieval.snapshot_writer import SnapshotWriter
from agent_memory.retrieval.snapshots import Snapshot, snapshot_of, tenant_folder, unpack_alive
from agent_memory.retrieval.unit_records import LogGap, changes, unit_pages
from agent_memory.snapshot_swap import Before, SnapshotPlace
from agent_memory.store_access import TenantView, read_tenant_of

if TYPE_CHECKING:
    from agent_memory.ports import Job, WideTable
    from agent_memory.retrieval.block import IndexedUnit
    from agent_memory.services import Services

TRIES = 3
MOST_CHANGED = 100_000  # memories of the log that are held at once; where it has more, all records are read


def snapshot_index(job: Job, services: Services) -> None:
    """Store the index as of now, unless that was done since; a retryable error means: hand me the job again.

    Of a store that was deleted whatever was stored goes.
    """
    tenant = (job.payload["appId"], job.payload["tenantId"])
    names = (job.payload["instance"], job.payload["store"])
    uid, table, store = job.payload["uid"], services.table, services.snapshots
    for _ in range(TRIES):
        view = read_tenant_of(uid, names, tenant, table, services.uid_hints)
        if view is None:
            store.delete(store.names(tenant_folder(keys.tenant_partition(uid, *tenant))))
            return
        if view.head < SNAPSHOT_EVERY:
            return  # nobody looks for a snapshot of so few changes
        if _Run(view, tenant[0], SnapshotPlace(view.partition, table, store), services).carry_out():
            return
    raise ServerBusy("others are storing the index of the same tenant")


@dataclass(frozen=True, slots=True)
class _Run:
    """One try: the tenant as it was read first, so that everything read later is at least as new."""

    view: TenantView
    app_id: str
    place: SnapshotPlace
    services: Services

    def carry_out(self) -> bool:
        """Whether the record now names a snapshot that is as new as the tenant was; False where somebody else won."""
        before = self.place.look()
        last = self._usable(before)
        if last is not None and last.seq >= self.view.head:
            return self._tidied(before, last)
        writer = self._writer()
        try:
            self._write(writer, last)
            snapshot = writer.finish(self.view.head, self.view.visible.born)
        except AgentMemoryError:
            with suppress(AgentMemoryError):  # the next run deletes what is left
                writer.discard()
            raise
        try:
            body = snapshot.to_body(writer.model, writer.dim)
            self.place.swap(before, body, snapshot.names, self._checks())
        except ConditionFailed:
            writer.discard()
            return False
        _cut_log(self.view.partition, before.seq, self.services.table)
        return True

    def _usable(self, before: Before) -> Snapshot | None:
        """The snapshot to go on from; None where its objects are not all there, or hold what was deleted by scope."""
        embedder = self.services.embedder
        last = snapshot_of(before.item, embedder.model, embedder.dim)
        if last is None or not last.names <= set(before.names):
            return None
        return None if self.view.visible.hides_some_of(self.app_id, last.born) else last

    def _tidied(self, before: Before, last: Snapshot) -> bool:
        """Delete what runs that died have left."""
        if before.item is not None and set(before.names) != last.names:
            try:
                self.place.swap(before, before.item.body, last.names, self._checks())
            except ConditionFailed:
                return False
        return True

    def _writer(self) -> SnapshotWriter:
        services, embedder = self.services, self.services.embedder
        folder = tenant_folder(self.view.partition)
        return SnapshotWriter(folder, embedder.model, embedder.dim, services.snapshots, services.new_id)

    def _write(self, writer: SnapshotWriter, last: Snapshot | None) -> None:
        view, table = self.view, self.services.table
        if last is not None:
            ended_ms = self.services.now_ms() - COLLECTED_AFTER_SECONDS * 1_000
            try:
                held, present = self._changed(last)
                writer.write_changes(held, present, ended_ms)
            except (UnreadableBlock, LogGap):
                writer.discard()
            else:
                return
        writer.write_all(unit_pages(table, view.partition, view.visible))

    def _changed(self, last: Snapshot) -> tuple[list[Held], Sequence[IndexedUnit]]:
        """The parts of the last snapshot without what changed since, and what it became. Raises LogGap."""
        view = self.view
        ids, alive = unpack_alive(self.services.snapshots.read(last.alive) or b"", last.rows)
        known: dict[str, IndexedUnit | None] = {}
        deleted: set[str] = set()
        for some in changes(self.services.table, view.partition, (last.seq, view.head), view.visible):
            known.update((unit.id, unit) for unit in some.present)
            known.update(dict.fromkeys(some.gone))
            deleted.update(some.gone, some.deleted)
            if len(known) > MOST_CHANGED:
                raise LogGap
        present = [unit for unit in known.values() if unit is not None]
        return without(held_parts(last.parts, ids, alive), known.keys(), deleted), present

    def _checks(self) -> list[Check]:
        """Nothing was deleted by scope since the tenant was read, so nothing that was written is hidden."""
        store, visible = self.view.store, self.view.visible
        return [
            Check(keys.alive(store.uid), expect=store.life),
            Check(keys.gone(self.view.partition), expect=visible.generation),
        ]


def _cut_log(partition: str, upto: int, table: WideTable) -> None:
    """Delete the entries that only readers need who are older than the snapshot before this one."""
    span = Range(partition, keys.change(partition, 0).sk, keys.change(partition, upto).sk)
    for items in pages(span, "", table):
        table.write_many(Delete(item.key) for item in items)
