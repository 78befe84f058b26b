"""Writing the units of a task: in transactions that the tenant's change log orders, the task's end in the last one.

A transaction carries units, one change-log entry and the head of the log, all under conditions on what was read. So
two workers can't both win, a crash leaves whole transactions only, and a repeat finds its units and adds nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from agent_memory import keys
from agent_memory.errors import ConditionFailed, ScopeDeleted, ServerBusy
from agent_memory.memory_store import MemoryStore
from agent_memory.models import Born, MemoryUnit, Task
from agent_memory.ports import Check, Delete, Embedder, Item, Key, Put, WideTable, Write
from agent_memory.records import pack_vector, task_item, unit_item
from agent_memory.scopes import Scope
from agent_memory.settlement.units import Settled, settle
from agent_memory.visibility import visibility

UNITS_PER_WRITE = 80  # leaves room for task, head, log, life check and outbox among the 100 writes
BYTES_PER_WRITE = 1_500_000  # of DynamoDB's 4 MB for a transaction: new units and those they merge with count apart
VECTOR_BYTES = 4_096
TRIES = 8


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a task, written with its last units: the task as it will be and the version it has now."""

    store: MemoryStore
    task: Task
    version: int
    outbox: Key


@dataclass(frozen=True, slots=True)
class Commit:
    """What one transaction is about: some units of a task, and perhaps the task's end."""

    store: MemoryStore
    partition: str
    scope: Scope
    born: Born
    units: Sequence[MemoryUnit]
    ending: Ending | None
    now_ms: int


def commit_units(
    table: WideTable, embedder: Embedder, units: Sequence[MemoryUnit], ending: Ending, now_ms: int
) -> None:
    """Write the units and end the task.

    Raises ConditionFailed when the task was taken over or the store is gone, ScopeDeleted when the scope was deleted
    since the task began, ServerBusy when other workers of the tenant kept winning.
    """
    scope = ending.task.scope
    partition = keys.tenant_partition(ending.store.uid, scope.app_id, scope.tenant_id)
    vectors: dict[str, bytes] = {}
    parts = transactions(units)
    for place, part in enumerate(parts, 1):
        last = ending if place == len(parts) else None
        commit = Commit(ending.store, partition, scope, ending.task.born, part, last, now_ms)
        _commit(table, embedder, commit, vectors)


def transactions(units: Sequence[MemoryUnit]) -> list[list[MemoryUnit]]:
    """The units in order, parted so that each part fits into one transaction by number and by bytes; at least one."""
    parts: list[list[MemoryUnit]] = [[]]
    room = BYTES_PER_WRITE
    for unit in units:
        size = len(unit.model_dump_json().encode()) + VECTOR_BYTES
        if parts[-1] and (len(parts[-1]) == UNITS_PER_WRITE or size > room):
            parts.append([])
            room = BYTES_PER_WRITE
        parts[-1].append(unit)
        room -= size
    return parts


def _commit(table: WideTable, embedder: Embedder, commit: Commit, vectors: dict[str, bytes]) -> None:
    wanted = [keys.unit(commit.partition, unit.id) for unit in commit.units]
    for _ in range(TRIES):
        stored = table.get([*wanted, keys.head(commit.partition), keys.gone(commit.partition)])
        if len(wanted) > 1 and _size(stored.values()) > BYTES_PER_WRITE:
            for half in halves(commit):
                _commit(table, embedder, half, vectors)
            return
        visible = visibility(commit.store, stored.get(keys.gone(commit.partition)))
        settled = [
            settle(stored.get(key), unit, visible, commit.now_ms)
            for key, unit in zip(wanted, commit.units, strict=True)
        ]
        _embed(embedder, [each.unit for each in settled if each.unit and not each.vector], vectors)
        writes = plan_writes(commit, settled, stored, vectors)
        try:
            table.write(writes)
        except ConditionFailed as error:
            _reraise_unless_contended(error, writes, commit)
            continue
        return
    raise ServerBusy("other workers are writing to the same tenant")


def halves(commit: Commit) -> tuple[Commit, Commit]:
    """The same work in two transactions, the end of the task in the second."""
    middle = len(commit.units) // 2
    return replace(commit, units=commit.units[:middle], ending=None), replace(commit, units=commit.units[middle:])


def _size(items: Iterable[Item]) -> int:
    return sum(len(json.dumps(item.body)) + len(item.blob) for item in items)


def _embed(embedder: Embedder, units: Sequence[MemoryUnit], vectors: dict[str, bytes]) -> None:
    missing = [unit for unit in units if unit.id not in vectors]
    if missing:
        rows = embedder.embed([unit.search_text for unit in missing], "passage")
        vectors.update({unit.id: pack_vector(row) for unit, row in zip(missing, rows, strict=True)})


def plan_writes(
    commit: Commit, settled: Sequence[Settled], stored: Mapping[Key, Item], vectors: Mapping[str, bytes]
) -> list[Write]:
    """The transaction over what was read: units that are new or changed, log and head if any, the end of the task."""
    gone = stored.get(keys.gone(commit.partition))
    if visibility(commit.store, gone).hides(commit.scope, commit.born):
        raise ScopeDeleted("the scope was deleted after these messages were added")
    writes: list[Write] = [
        Check(keys.alive(commit.store.uid), expect=commit.store.life),
        Check(keys.gone(commit.partition), expect=gone.version if gone else 0),
    ]
    changed: list[str] = []
    for each in settled:
        if each.unit is not None:
            blob = each.vector or vectors[each.unit.id]
            writes.append(Put(unit_item(commit.partition, each.unit, blob), expect=each.expect))
            changed.append(each.unit.id)
    if changed:
        head = stored.get(keys.head(commit.partition))
        writes.extend(log_writes(commit.partition, head.version if head else 0, puts=changed))
    if commit.ending is not None:
        ending = commit.ending
        writes.append(Put(task_item(commit.store.uid, ending.task, ending.version + 1), expect=ending.version))
        writes.append(Delete(ending.outbox))
    return writes


def log_writes(partition: str, sequence: int, *, puts: Sequence[str] = (), deletes: Sequence[str] = ()) -> list[Write]:
    """The next entry of the tenant's change log after `sequence`, and the head that points at it."""
    entry = Item(keys.change(partition, sequence + 1), {"puts": list(puts), "deletes": list(deletes)})
    head = Item(keys.head(partition), {}, version=sequence + 1)
    return [Put(entry, expect=0), Put(head, expect=sequence)]


def _reraise_unless_contended(error: ConditionFailed, writes: Sequence[Write], commit: Commit) -> None:
    """A lost race for units or log is worth another try; a task or store that is no longer ours is not."""
    failed = {_key(writes[index]) for index in error.failed}
    task_keys = {task_item(commit.store.uid, commit.ending.task, 1).key} if commit.ending else set()
    if failed & ({keys.alive(commit.store.uid)} | task_keys):
        raise error


def _key(write: Write) -> Key:
    return write.item.key if isinstance(write, Put) else write.key
