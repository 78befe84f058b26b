"""One transaction of a settlement: which units go together, and all that is written with them. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent_memory import keys
from agent_memory.change_log import log_writes
from agent_memory.memory_store import MemoryStore
from agent_memory.memory_task import Task
from agent_memory.models import MemoryUnit
from agent_memory.packed_vectors import most_token_bytes
from agent_memory.ports import Check, Delete, Item, Key, Put, Write
from agent_memory.records import task_item, unit_item
from agent_memory.settlement.settle import Plan
from agent_memory.visibility import Visibility

UNITS_PER_WRITE = 80  # leaves room for task, head, log, life check and outbox among the 100 writes
BYTES_PER_WRITE = 1_500_000  # of DynamoDB's 4 MB for a transaction: new units and those they merge with count apart
VECTOR_BYTES = 4_096


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a task, written with its last units: the task as it will be and the version it has now.

    `visible` was read before the task's messages. `replaces` are memories that an earlier attempt made of them.
    """

    store: MemoryStore
    task: Task
    version: int
    outbox: Key
    visible: Visibility
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Commit:
    """What one transaction is about: some units of a task, and perhaps the task's end."""

    store: MemoryStore
    partition: str
    visible: Visibility
    units: Sequence[MemoryUnit]
    ending: Ending | None
    now_ms: int


@dataclass(slots=True)
class Done:
    """What is known of the units of a task: packed vectors, ids they go on under, deleted ones, log entries, counts."""

    vectors: dict[str, bytes] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    logged: list[int] = field(default_factory=list)
    merged: int = 0
    superseded: int = 0
    dropped: dict[str, int] = field(default_factory=dict)

    def name(self, unit_id: str) -> str:
        """The id under which the unit is written."""
        while unit_id in self.renamed:
            unit_id = self.renamed[unit_id]
        return unit_id

    def with_plan(self, plan: Plan) -> Done:
        """The same after the plan is written."""
        dropped = {
            name: self.dropped.get(name, 0) + plan.dropped.get(name, 0) for name in (*self.dropped, *plan.dropped)
        }
        return replace(
            self,
            renamed={**self.renamed, **plan.names},
            deleted=self.deleted | plan.deleted,
            merged=self.merged + plan.merged,
            superseded=self.superseded + plan.superseded,
            dropped=dropped,
        )


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


def halves(commit: Commit) -> tuple[Commit, Commit]:
    """The same work in two transactions, the end of the task in the second."""
    middle = len(commit.units) // 2
    return replace(commit, units=commit.units[:middle], ending=None), replace(commit, units=commit.units[middle:])


def size_of(items: Iterable[Item]) -> int:
    """About how many bytes the records have."""
    return sum(len(json.dumps(item.body)) + len(item.blob) for item in items)


def plan_writes(commit: Commit, plan: Plan, head: int, done: Done) -> list[Write]:
    """The transaction over what was read: units that are new or changed, log and head if any, the end of the task.

    `done` tells what came of the task's units, these included.
    """
    writes: list[Write] = [
        Check(keys.alive(commit.store.uid), expect=commit.visible.life),
        Check(keys.gone(commit.partition), expect=commit.visible.generation),
    ]
    changed: list[str] = []
    for each in plan.settled:
        if each.unit is not None:
            blob = each.vector or done.vectors[each.unit.id]
            writes.append(Put(unit_item(commit.partition, each.unit, blob), expect=each.expect))
            changed.append(each.unit.id)
    if changed:
        writes.extend(log_writes(commit.partition, head, puts=changed))
    if commit.ending is not None:
        ending = commit.ending
        task = ended_task(ending.task, done)
        writes.append(Put(task_item(commit.store.uid, task, ending.version + 1), expect=ending.version))
        writes.append(Delete(ending.outbox))
    return writes


def ended_task(task: Task, done: Done) -> Task:
    """The task with what came of its units."""
    ids = dict.fromkeys(done.name(unit_id) for unit_id in task.derived_unit_ids)
    kept = tuple(unit_id for unit_id in ids if unit_id not in done.deleted)
    if task.outcome is None:
        return task.model_copy(update={"derived_unit_ids": kept})
    refused = {name: task.outcome.refused.get(name, 0) + count for name, count in done.dropped.items()}
    outcome = task.outcome.model_copy(
        update={"merged": done.merged, "superseded": done.superseded, "refused": {**task.outcome.refused, **refused}}
    )
    return task.model_copy(update={"derived_unit_ids": kept, "outcome": outcome})


def failed_keys(writes: Sequence[Write], failed: Sequence[int]) -> frozenset[Key]:
    """The keys of the writes at those positions."""
    return frozenset(_key(writes[index]) for index in failed)


def _key(write: Write) -> Key:
    return write.item.key if isinstance(write, Put) else write.key


def known_by_id(stored: Mapping[Key, Item]) -> dict[str, Item]:
    """Records of memories by their id."""
    return {key.sk.removeprefix("unit/"): item for key, item in stored.items() if key.sk.startswith("unit/")}
