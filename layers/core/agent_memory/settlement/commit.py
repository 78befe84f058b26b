"""Writing the units of a task: in transactions that the tenant's change log orders, the task's end in the last one.

A transaction carries units, one change-log entry and the head of the log, all under conditions on what was read. So
two workers can't both win, a crash leaves whole transactions only, and a repeat finds its units and adds nothing. It
stands only while the store's life and the tenant's generation are those that were read before the task's messages:
whatever is deleted of a tenant raises one of them, so nothing is written that was made from deleted messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agent_memory import keys
from agent_memory.change_log import logged
from agent_memory.errors import ConditionFailed, ServerBusy
from agent_memory.models import MemoryUnit
from agent_memory.packed_vectors import Pack
from agent_memory.ports import MAX_WRITES, Item, Key, WideTable
from agent_memory.records import task_item
from agent_memory.settlement.first_version import first_version, without_first_version
from agent_memory.settlement.judging import Judge, Judged
from agent_memory.settlement.known import around, may_be_known
from agent_memory.settlement.settle import Plan, known_units, settle_all
from agent_memory.settlement.transaction import (
    BYTES_PER_WRITE,
    Commit,
    Done,
    Ending,
    ended_task,
    failed_keys,
    halves,
    known_by_id,
    plan_writes,
    size_of,
    transactions,
)
from agent_memory.settlement.units import is_another, said_again_id
from agent_memory.superseded import read_superseded

if TYPE_CHECKING:
    from agent_memory.retrieval.index_cache import IndexCache

TRIES = 8


@dataclass(slots=True)
class Settler:
    """What settling works with. `judge` is asked at most once, before the rules; None: the rules decide alone."""

    table: WideTable
    indexes: IndexCache
    pack: Pack
    judge: Judge | None = None
    judged: Judged = field(default_factory=Judged)


@dataclass(frozen=True, slots=True)
class _Read:
    """What a transaction is planned over: records of memories by id, the end of the change log, who is near whom."""

    stored: Mapping[str, Item]
    head: int
    near: Mapping[str, Sequence[str]] = field(default_factory=dict)


def commit_units(settler: Settler, units: Sequence[MemoryUnit], ending: Ending, now_ms: int) -> tuple[int, ...] | None:
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
        after = _commit(settler, Commit(ending.store, partition, ending.visible, part, last, now_ms), done)
        if after is None:
            return None
        done = after
    return tuple(done.logged)


def _commit(settler: Settler, commit: Commit, done: Done) -> Done | None:
    """What is done when the transaction is written; None where something was deleted meanwhile."""
    for _ in range(TRIES):
        commit, read = _read(settler.table, commit, done)
        if len(commit.units) > 1 and size_of(read.stored.values()) > BYTES_PER_WRITE:
            return _in_halves(settler, commit, done)
        _embed(settler.pack, [unit for unit in commit.units if unit.id not in read.stored], done.vectors)
        read = _with_known(settler, commit, read, done)
        moment = (commit.visible, commit.now_ms)
        plan = settle_all(commit.units, read.stored, read.near, settler.judged.verdicts, moment)
        plan = _with_earlier_ones(settler.table, commit, plan, done)
        _embed(settler.pack, [each.unit for each in plan.settled if each.unit and not each.vector], done.vectors)
        after = done.with_plan(plan)
        writes = plan_writes(_told(commit, settler.judged), plan, read.head, after)
        if len(writes) > MAX_WRITES and len(commit.units) > 1:
            return _in_halves(settler, commit, done)
        try:
            settler.table.write(writes)
        except ConditionFailed as error:
            if _is_overtaken(failed_keys(writes, error.failed), commit, error):
                return None
            continue
        return replace(after, logged=[*after.logged, *logged(writes)])
    raise ServerBusy("other workers are writing to the same tenant")


def _told(commit: Commit, judged: Judged) -> Commit:
    """The same, where it ends the task with what judging cost."""
    if commit.ending is None or not judged.spent.calls:
        return commit
    task = commit.ending.task.after_judging(judged.spent, judged.failure)
    return replace(commit, ending=replace(commit.ending, task=task))


def _in_halves(settler: Settler, commit: Commit, done: Done) -> Done | None:
    for half in halves(commit):
        after = _commit(settler, half, done)
        if after is None:
            return None
        done = after
    return done


def _read(table: WideTable, commit: Commit, done: Done) -> tuple[Commit, _Read]:
    """The records of the units, which get another id where theirs stands for something else by now, and the head."""
    while True:
        wanted = [keys.unit(commit.partition, unit.id) for unit in commit.units]
        stored = table.get([*wanted, keys.head(commit.partition)])
        said_again = {
            unit.id: said_again_id(unit)
            for key, unit in zip(wanted, commit.units, strict=True)
            if is_another(stored.get(key), unit, commit.visible)
        }
        if not said_again:
            head = stored.get(keys.head(commit.partition))
            return commit, _Read(known_by_id(stored), head.version if head else 0)
        done.renamed.update(said_again)
        named = [unit.model_copy(update={"id": done.name(unit.id)}) for unit in commit.units]
        commit = replace(commit, units=named)


def _with_known(settler: Settler, commit: Commit, read: _Read, done: Done) -> _Read:
    """The same with what is known around new claims, which the judge gets to see the first time."""
    asking = [unit for unit in commit.units if unit.id not in read.stored and may_be_known(unit)]
    if not asking or not read.head:
        return read
    rows = settler.indexes.at(commit.partition, read.head, commit.visible).rows
    near = around(rows, asking, done.vectors, commit.now_ms)
    missing = dict.fromkeys(each for ids in near.values() for each in ids if each not in read.stored)
    found = settler.table.get([keys.unit(commit.partition, each) for each in missing])
    read = _Read({**read.stored, **known_by_id(found)}, read.head, near)
    if settler.judge is not None:
        judge, settler.judge = settler.judge, None
        settler.judged = judge(asking, _shown(asking, read, commit))
    return read


def _with_earlier_ones(table: WideTable, commit: Commit, plan: Plan, done: Done) -> Plan:
    """The plan, at the end of the task with what becomes of the memories of an earlier attempt."""
    if commit.ending is None or not commit.ending.replaces:
        return plan
    task = ended_task(commit.ending.task, done.with_plan(plan))
    before = table.get([keys.unit(commit.partition, each) for each in commit.ending.replaces])
    stale = first_version(plan, before.values(), task.derived_unit_ids, task.log_keys, commit.visible)
    under = [item for unit, _ in stale for item in read_superseded(unit, commit.partition, table, commit.visible)]
    return without_first_version(plan, stale, under, task.derived_unit_ids, commit.now_ms)


def _shown(asking: Sequence[MemoryUnit], read: _Read, commit: Commit) -> dict[str, list[MemoryUnit]]:
    return {
        unit.id: known_units(
            [read.stored[each] for each in read.near.get(unit.id, ()) if each in read.stored], commit.visible
        )
        for unit in asking
    }


def _embed(pack: Pack, units: Sequence[MemoryUnit], vectors: dict[str, bytes]) -> None:
    missing = [unit for unit in units if unit.id not in vectors]
    if missing:
        packed = pack([unit.search_text for unit in missing])
        vectors.update({unit.id: each for unit, each in zip(missing, packed, strict=True)})


def _is_overtaken(failed: frozenset[Key], commit: Commit, error: ConditionFailed) -> bool:
    """Whether something was deleted meanwhile; else a race for units or log was lost, which is worth another try.

    Raises the error where the task is no longer ours.
    """
    if commit.ending and task_item(commit.store.uid, commit.ending.task, 1).key in failed:
        raise error
    return bool(failed & {keys.alive(commit.store.uid), keys.gone(commit.partition)})
