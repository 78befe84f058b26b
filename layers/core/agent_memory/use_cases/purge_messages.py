"""The job of a DeleteMessages: the messages, then all memories of their conversation that point at them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory import keys
from agent_memory.change_log import log_writes, logged
from agent_memory.directory import Range, pages
from agent_memory.dispatch import ask_for_snapshot, log_grew
from agent_memory.errors import ConditionFailed, ServerBusy
from agent_memory.forgetting import points_at, without_sources
from agent_memory.ports import MAX_WRITES, Check, Delete, Item, Key, Put, Write
from agent_memory.records import unit_item
from agent_memory.scopes import Scope
from agent_memory.snapshot_swap import SnapshotPlace
from agent_memory.store_access import TenantView, read_tenant_of
from agent_memory.unit_history import MAX_VERSION
from agent_memory.use_cases.purge_scope import end_job, go_on
from agent_memory.visibility import unchanged

if TYPE_CHECKING:
    from agent_memory.ports import Job, WideTable
    from agent_memory.services import Services

READS_PER_JOB = 20_000  # memories of one job, well under the time that a Lambda has
MESSAGES_PER_WRITE = 45  # each with its mark
UNITS_PER_WRITE = 20
TRIES = 8


def purge_messages(job: Job, services: Services) -> None:
    """Everything that is left to do; a retryable error means: hand me the job again."""
    delete_logged(job, services)
    purge_memories(job, services, READS_PER_JOB)


def delete_logged(job: Job, services: Services) -> None:
    """Delete the messages and the marks of their ids.

    The tenant gets a new generation, so an extraction that has read the messages begins again without them.
    """
    log_keys = job.payload["logKeys"]
    for start in range(0, len(log_keys), MESSAGES_PER_WRITE):
        _delete_part(job, log_keys[start : start + MESSAGES_PER_WRITE], services)


def purge_memories(job: Job, services: Services, most_reads: int) -> bool:
    """Go through the tenant's memories from the job's place on; False when the rest has become a further job."""
    scope, table, read = _scope(job), services.table, 0
    run = keys.run_partition(job.payload["uid"], scope)
    places = {keys.message(run, each): each for each in job.payload["logKeys"]}
    deleted = places.keys() - table.get(places).keys()  # an import may have brought one back
    forgotten = _Forgotten(scope, frozenset(key.sk for key in deleted), job.payload["cascade"] == "memories")
    partition = keys.tenant_partition(job.payload["uid"], scope.app_id, scope.tenant_id)
    for items in pages(Range(partition, *keys.prefix_range("unit/")), job.payload.get("place", ""), table):
        touched = [item.key for item in items if points_at(item, scope, forgotten.log_keys)]
        for start in range(0, len(touched), UNITS_PER_WRITE):
            _forget(job, touched[start : start + UNITS_PER_WRITE], forgotten, services)
        read += len(items)
        if read >= most_reads:
            go_on(job, items[-1].key.sk, services)
            return False
    if forgotten.cascades:
        _clear_snapshot(job, partition, services)
    end_job(job, services)
    return True


def _clear_snapshot(job: Job, partition: str, services: Services) -> None:
    """What was deleted goes from the stored index as well, which is made anew."""
    view = _view(job, services)
    if view is not None and SnapshotPlace(partition, services.table, services.snapshots).clear():
        ask_for_snapshot(view.store, _scope(job).levels[:2], services)


@dataclass(frozen=True, slots=True)
class _Forgotten:
    """Messages of a conversation that are gone, and whether memories without other sources go as well."""

    scope: Scope
    log_keys: frozenset[str]
    cascades: bool


def _scope(job: Job) -> Scope:
    return Scope.model_validate(job.payload["scope"])


def _view(job: Job, services: Services) -> TenantView | None:
    """The tenant as it is now; None where the job's store was deleted."""
    names = (job.payload["instance"], job.payload["store"])
    tenant = _scope(job).levels[:2]
    return read_tenant_of(job.payload["uid"], names, tenant, services.table, services.uid_hints)


def _delete_part(job: Job, log_keys: Sequence[str], services: Services) -> None:
    run = keys.run_partition(job.payload["uid"], _scope(job))
    for _ in range(TRIES):
        view = _view(job, services)
        if view is None:
            return
        doomed = _logged(run, log_keys, services.table)
        if not doomed:
            return
        generation = view.visible.generation
        renewed = Item(keys.gone(view.partition), unchanged(view.visible), generation + 1)
        writes: list[Write] = [
            Check(keys.alive(view.store.uid), expect=view.store.life),
            Put(renewed, expect=generation),
            *(Delete(item.key, expect=item.version) for item in doomed),
        ]
        try:
            services.table.write(writes)
        except ConditionFailed:
            continue
        return
    raise ServerBusy("others are writing to the same tenant; try again")


def _logged(run: str, log_keys: Sequence[str], table: WideTable) -> list[Item]:
    """The messages with these sort keys, and the marks that lead to them."""
    messages = [keys.message(run, each) for each in log_keys]
    marks = {keys.message_id(run, each.rpartition("/")[2]): each for each in log_keys}
    read = table.get([*messages, *marks])
    return [item for key, item in read.items() if key not in marks or item.body["at"] == marks[key]]


def _forget(job: Job, batch: Sequence[Key], forgotten: _Forgotten, services: Services) -> None:
    table = services.table
    for _ in range(TRIES):
        view = _view(job, services)
        if view is None:
            return
        items = [each for each in table.get(batch).values() if points_at(each, forgotten.scope, forgotten.log_keys)]
        if not items:
            return
        writes, earlier = _writes(view, items, forgotten, services)
        room = MAX_WRITES - len(writes)
        table.write_many(Delete(key) for key in earlier[room:])
        try:
            table.write([*writes, *(Delete(key) for key in earlier[:room])])
        except ConditionFailed:
            continue
        log_grew(view.store, forgotten.scope.levels[:2], logged(writes), services)
        return
    raise ServerBusy("others are writing to the same tenant")


def _writes(
    view: TenantView, items: Sequence[Item], forgotten: _Forgotten, services: Services
) -> tuple[list[Write], list[Key]]:
    """The transaction for some memories, and their earlier versions, which go with it."""
    now, changed, deleted = services.now_ms(), list[Write](), dict[str, Write]()
    earlier: list[Key] = []
    puts: list[str] = []
    for item in items:
        unit = without_sources(item, forgotten.log_keys, now)
        if forgotten.cascades and unit.seen_count == 0:
            deleted[unit.id] = Delete(item.key, expect=item.version)
            ends = (keys.earlier(view.partition, unit.id, version).sk for version in (0, MAX_VERSION))
            found = pages(Range(view.partition, *ends), "", services.table)
            earlier.extend(each.key for page in found for each in page)
        else:
            puts.append(unit.id)
            changed.append(Put(unit_item(view.partition, unit, item.blob), expect=item.version))
    return [
        Check(keys.alive(view.store.uid), expect=view.store.life),
        Check(keys.gone(view.partition), expect=view.visible.generation),
        *changed,
        *deleted.values(),
        *log_writes(view.partition, view.head, puts=puts, deletes=list(deleted)),
    ], earlier
