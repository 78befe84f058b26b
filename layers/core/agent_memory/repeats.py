"""Messages that an earlier task has dealt with: sent again they name its memories and cost no call of a model."""

from __future__ import annotations

from dataclasses import dataclass

from agent_memory import keys
from agent_memory.memory_task import Task
from agent_memory.ports import WideTable
from agent_memory.records import is_tombstone, task_of, unit_of


@dataclass(frozen=True, slots=True)
class Repeats:
    """The places of the messages in the conversation's log, and the memories that they are evidence of."""

    log_keys: frozenset[str] = frozenset()
    unit_ids: tuple[str, ...] = ()


def read_repeats(task: Task, uid: str, table: WideTable) -> Repeats:
    """Of the task's messages those whose first task was completed by a language model."""
    if not task.told:
        return Repeats()
    names = dict.fromkeys(task.told.values())
    read = table.get([keys.task(uid, task.scope, name) for name in names])
    done = {each.request_id: each for each in map(task_of, read.values()) if _is_done(each)}
    places = frozenset(place for place, name in task.told.items() if name in done)
    partition = keys.tenant_partition(uid, *task.scope.levels[:2])
    made = dict.fromkeys(unit_id for each in done.values() for unit_id in each.derived_unit_ids)
    items = table.get([keys.unit(partition, unit_id) for unit_id in made])
    units = [unit_of(item) for item in items.values() if not is_tombstone(item)]
    told = {unit.id for unit in units if any(ref.log_key in places for ref in unit.source_turn_refs)}
    return Repeats(places, tuple(unit_id for unit_id in made if unit_id in told))


def _is_done(task: Task) -> bool:
    return task.status == "completed" and task.path == "llm"
