"""Writing the units of a task: in transactions that the tenant's change log orders, the task's end in the last one.

A transaction carries units, one change-log entry and the head of the log, all under conditions on what was read. So
two workers can't both win, a crash leaves whole transactions only, and a repeat finds its units and adds nothing. It
stands only while the store's life and the tenant's generation are those that were read before the task's messages:
whatever is deleted of a tenant raises one of them, so nothing is written that was made from deleted messages.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent_memory import keys
from agent_memory.change_log import log_writes, logged
from agent_memory.errors import ConditionFailed, ServerBusy
from agent_memory.memory_store import MemoryStore
from agent_memory.models import MemoryUnit, Task
from agent_memory.packed_vectors import Pack, most_token_bytes
from agent_memory.ports import Check, Delete, Item, Key, Put, WideTable, Write
from agent_memory.records import task_item, unit_item
from agent_memory.settlement.units import Settled, said_again_id, settle, was_edited
from agent_memory.visibility import Visibility

UNITS_PER_WRITE = 80  # leaves room for task, head, log, life check and outbox among the 100 writes
BYTES_PER_WRITE = 1_500_000  # of DynamoDB's 4 MB for a transaction: new units and those they merge with count apart
VECTOR_BYTES = 4_096
TRIES = 8


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a task, written with its last units: the task as it will be and the version it has now.

    `visible` was read before the task's messages.
    """

    store: MemoryStore
    task: Task
    version: int
    outbox: Key
    visible: Visibility


@dataclass(frozen=True, slots=True)
class Commit:
    """What one transaction is about: some units of a task, and perhaps the task's end."""

    store: MemoryStore
    partition: str
    visible: Visibility
    units: Sequence[MemoryUnit]
    ending: Ending | None
    now_ms: int


@dataclass(frozen=True, slots=True)
class Done:
    """What is known of the units of a task: packed vectors, ids that edited units had, deleted ones, log entries."""

    vectors: dict[str, bytes] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    logged: list[int] = field(default_factory=list)

    def name(self, unit_id: str) -> str:
        """The id under which the unit is written."""
        while unit_id in self.renamed:
            unit_id = self.renamed[unit_id]
        return unit_id


def commit_units(
    table: WideTable, pack: Pack, units: Sequence[MemoryUnit], ending: Ending, now_ms: int
) -> tuple[int, ...] | None:
    """Write the units and end the task: the numbers of the entries in the tenant's change log.

    None when something of the tenant was deleted since its messages were read. Raises ConditionFailed
    when the task was taken over, ServerBusy when other workers of the tenant kept winning.
    """
    scope = ending.task.scope
    partition = keys.tenant_partition(ending.store.uid, scope.app_id, scope.tenant_id)
    done = Done()
    parts = transactions(units, with_tokens=ending.store.token_vectors)
    for place, part in enumerate(parts, 1):
        last = ending if place == len(parts) else None
        commit = Commit(ending.store, partition, ending.visible, part, last, now_ms)
        if not _commit(table, pack, commit, done):
            return None
    return tuple(done.logged)


def transactions(units: Sequence[MemoryUnit], *, with_tokens: bool = False) -> list[list[MemoryUnit]]:
    """The units in order, parted so that each part fits into one transaction by number and by bytes; at least one."""
    parts: list[list[MemoryUnit]] = [[]]
    room = BYTES_PER_WRITE
    for unit in units:
        tokens = most_token_bytes(unit.search_text) if with_tokens else 0
        size = len(unit.model_dump_json().encode()) + VECTOR_BYTES + tokens
        if parts[-1] and (len(parts[-1]) == UNITS_PER_WRITE or size > room):
            parts.append([])
            room = BYTES_PER_WRITE
        parts[-1].append(unit)
        room -= size
    return parts


def _commit(table: WideTable, pack: Pack, commit: Commit, done: Done) -> bool:
    for _ in range(TRIES):
        wanted = [keys.unit(commit.partition, unit.id) for unit in commit.units]
        stored = table.get([*wanted, keys.head(commit.partition)])
        if len(wanted) > 1 and _size(stored.values()) > BYTES_PER_WRITE:
            return all(_commit(table, pack, half, done) for half in halves(commit))
        said_again = {
            unit.id: said_again_id(unit)
            for key, unit in zip(wanted, commit.units, strict=True)
            if was_edited(stored.get(key), unit, commit.visible)
        }
        if said_again:
            done.renamed.update(said_again)
            named = [unit.model_copy(update={"id": done.name(unit.id)}) for unit in commit.units]
            commit = replace(commit, units=named)
            continue
        settled = [
            settle(stored.get(key), unit, commit.visible, commit.now_ms)
            for key, unit in zip(wanted, commit.units, strict=True)
        ]
        done.deleted.update(unit.id for unit, each in zip(commit.units, settled, strict=True) if each.stays_deleted)
        _embed(pack, [each.unit for each in settled if each.unit and not each.vector], done.vectors)
        writes = plan_writes(commit, settled, stored, done)
        try:
            table.write(writes)
        except ConditionFailed as error:
            if _is_overtaken(error, writes, commit):
                return False
            continue
        done.logged.extend(logged(writes))
        return True
    raise ServerBusy("other workers are writing to the same tenant")


def halves(commit: Commit) -> tuple[Commit, Commit]:
    """The same work in two transactions, the end of the task in the second."""
    middle = len(commit.units) // 2
    return replace(commit, units=commit.units[:middle], ending=None), replace(commit, units=commit.units[middle:])


def _size(items: Iterable[Item]) -> int:
    return sum(len(json.dumps(item.body)) + len(item.blob) for item in items)


def _embed(pack: Pack, units: Sequence[MemoryUnit], vectors: dict[str, bytes]) -> None:
    missing = [unit for unit in units if unit.id not in vectors]
    if missing:
        packed = pack([unit.search_text for unit in missing])
        vectors.update({unit.id: each for unit, each in zip(missing, packed, strict=True)})


def plan_writes(commit: Commit, settled: Sequence[Settled], stored: Mapping[Key, Item], done: Done) -> list[Write]:
    """The transaction over what was read: units that are new or changed, log and head if any, the end of the task."""
    writes: list[Write] = [
        Check(keys.alive(commit.store.uid), expect=commit.visible.life),
        Check(keys.gone(commit.partition), expect=commit.visible.generation),
    ]
    changed: list[str] = []
    for each in settled:
        if each.unit is not None:
            blob = each.vector or done.vectors[each.unit.id]
            writes.append(Put(unit_item(commit.partition, each.unit, blob), expect=each.expect))
            changed.append(each.unit.id)
    if changed:
        head = stored.get(keys.head(commit.partition))
        writes.extend(log_writes(commit.partition, head.version if head else 0, puts=changed))
    if commit.ending is not None:
        ending = commit.ending
        ids = dict.fromkeys(done.name(unit_id) for unit_id in ending.task.derived_unit_ids)
        kept = tuple(unit_id for unit_id in ids if unit_id not in done.deleted)
        task = ending.task.model_copy(update={"derived_unit_ids": kept})
        writes.append(Put(task_item(commit.store.uid, task, ending.version + 1), expect=ending.version))
        writes.append(Delete(ending.outbox))
    return writes


def _is_overtaken(error: ConditionFailed, writes: Sequence[Write], commit: Commit) -> bool:
    """Whether something was deleted meanwhile; else a race for units or log was lost, which is worth another try.

    Raises the error where the task is no longer ours.
    """
    failed = {_key(writes[index]) for index in error.failed}
    if commit.ending and task_item(commit.store.uid, commit.ending.task, 1).key in failed:
        raise error
    return bool(failed & {keys.alive(commit.store.uid), keys.gone(commit.partition)})


def _key(write: Write) -> Key:
    return write.item.key if isinstance(write, Put) else write.key
