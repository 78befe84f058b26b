"""The purge job of a DeleteScope: removes what the delete has hidden, a bounded amount per job, then its mark."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import astuple, replace
from typing import TYPE_CHECKING, Any

from agent_memory import keys
from agent_memory.deletions import deletion_item, deletion_key, deletion_of
from agent_memory.dispatch import ask_for_snapshot, dispatch
from agent_memory.errors import ConditionFailed, ServerBusy
from agent_memory.memory_store import MemoryStore
from agent_memory.ports import Check, Delete, Item, Put, Write
from agent_memory.purge_steps import Place, steps
from agent_memory.purge_writes import Purge, purge_step
from agent_memory.records import outbox_item, store_item, store_of
from agent_memory.scopes import ANY, ScopePattern
from agent_memory.snapshot_swap import SnapshotPlace
from agent_memory.visibility import first_version, unmarked, visibility

if TYPE_CHECKING:
    from agent_memory.ports import Job, WideTable
    from agent_memory.services import Services

READS_PER_JOB = 20_000  # records of one job, well under the time that a Lambda has
TRIES = 8


def purge_scope(job: Job, services: Services) -> None:
    """Go on from the job's place; what is left becomes a further job, and the outbox entry goes with the last."""
    item = _store(job, services.table)
    if item is None:  # the purge of the whole store takes everything
        services.table.write([Delete(keys.outbox(job.payload["requestId"], job.payload["queuedMs"]))])
        return
    store = store_of(item)
    pattern, read = ScopePattern.model_validate(job.payload["scope"]), 0
    below = first_version(tuple(job.payload["born"]))
    purge = Purge(store.uid, pattern, below, services.now_ms())
    place = Place(*job.payload.get("place", ()))
    for step in steps(store, pattern, place, services.table):
        if (step.place.app, step.place.tenant) != (place.app, place.tenant):
            _snapshot(store, step.place, services).clear()  # from here on nobody stores what the mark hides
        place = step.place
        purge_step(step, purge, services.table)
        read += 1 + len(step.items)
        if read >= READS_PER_JOB:
            go_on(job, astuple(step.place), services)
            return
    if pattern.tenant_id == ANY:
        _purge_app_entry(store.uid, pattern.app_id, below, services.table)
    _finish(job, pattern, services)
    if ANY not in (pattern.tenant_id, pattern.agent_id):
        ask_for_snapshot(store, pattern.levels[:2], services)


def _snapshot(store: MemoryStore, place: Place, services: Services) -> SnapshotPlace:
    partition = keys.tenant_partition(store.uid, place.app, place.tenant)
    return SnapshotPlace(partition, services.table, services.snapshots)


def _store(job: Job, table: WideTable) -> Item | None:
    """The record of the job's store, unless it was deleted since."""
    key = keys.store(job.payload["instance"], job.payload["store"])
    item = table.get([key]).get(key)
    return item if item is not None and store_of(item).uid == job.payload["uid"] else None


def go_on(job: Job, place: Any, services: Services) -> None:
    """Note how far a purge is, for the sweeper too, and queue the rest."""
    rest = replace(job, job_id=job.payload["requestId"], payload={**job.payload, "place": place})
    noted = outbox_item(rest, job.payload["queuedMs"])
    stored = services.table.get([noted.key]).get(noted.key)
    if stored is None:
        return  # another worker came to the end
    body = {**noted.body, "sentMs": services.now_ms()}
    with suppress(ConditionFailed):
        services.table.write([Put(replace(noted, body=body, version=stored.version + 1), expect=stored.version)])
    dispatch(replace(rest, job_id=f"{rest.job_id}~{services.new_id()[:8]}"), services)


def end_job(job: Job, services: Services, *writes: Write) -> None:
    """The deletion is completed and its note goes, together with the other writes; raises ConditionFailed for those."""
    uid, request_id = job.payload["uid"], job.payload["requestId"]
    key = deletion_key(uid, request_id)
    stored = services.table.get([key]).get(key)
    done = [] if stored is None else [Put(deletion_item(uid, deletion_of(stored).completed(services.now_ms())))]
    services.table.write([*writes, *done, Delete(keys.outbox(request_id, job.payload["queuedMs"]))])


def _purge_app_entry(uid: str, app: str, below: int, table: WideTable) -> None:
    key = keys.app_entry(uid, app)
    item = table.get([key]).get(key)
    if item is not None and item.version < below:
        with suppress(ConditionFailed):
            table.write([Delete(key, expect=item.version)])


def _finish(job: Job, pattern: ScopePattern, services: Services) -> None:
    """Nothing older is left: the mark goes, unless a later delete renewed it."""
    for _ in range(TRIES):
        item = _store(job, services.table)
        if item is None:
            return  # what was deleted since leaves nothing to finish
        of_app = pattern.tenant_id == ANY
        unmark = _unmark_app(item, job, pattern) if of_app else _unmark(item, job, pattern, services.table)
        try:
            end_job(job, services, *unmark)
        except ConditionFailed:
            continue
        return
    raise ServerBusy("others are writing to the same tenant")


def _unmark(item: Item, job: Job, pattern: ScopePattern, table: WideTable) -> list[Write]:
    store = store_of(item)
    key = keys.gone(keys.tenant_partition(store.uid, pattern.app_id, pattern.tenant_id))
    visible = visibility(store, table.get([key]).get(key))
    generation = job.payload["born"][1]
    if visible.marks.get((pattern.agent_id, pattern.run_id)) != generation:
        return []
    body = unmarked(visible, pattern.agent_id, pattern.run_id, generation)
    return [
        Check(keys.alive(store.uid), expect=store.life),
        Put(Item(key, body, visible.generation + 1), expect=visible.generation),
    ]


def _unmark_app(item: Item, job: Job, pattern: ScopePattern) -> list[Write]:
    store = store_of(item)
    if store.gone_apps.get(pattern.app_id) != job.payload["born"][0]:
        return []
    kept = {app: life for app, life in store.gone_apps.items() if app != pattern.app_id}
    return [Put(store_item(store.model_copy(update={"gone_apps": kept}), item.version + 1), expect=item.version)]
