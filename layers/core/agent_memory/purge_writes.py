"""What a purge deletes of the records it comes to, and how: never anything that was written after the delete.

A record of a generation may be written again under the key of an older one at any moment. Where versions grow with the
birth of a record, the version that was seen is the condition. A memory's version is the client's and starts again at 1,
so its condition is the head of the tenant's change log, which every write of a memory moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from agent_memory import keys
from agent_memory.deletions import deletion_item, stopped
from agent_memory.errors import ConditionFailed, ServerBusy
from agent_memory.memory_task import Task
from agent_memory.ports import MAX_WRITES, Check, Delete, Item, Key, Put, WideTable
from agent_memory.purge_steps import Step
from agent_memory.records import born_of, task_entry, task_of
from agent_memory.scopes import Scope, ScopePattern
from agent_memory.visibility import Visibility

TRIES = 8


@dataclass(frozen=True, slots=True)
class Purge:
    """What a purge is about. Entries of the directory go if their version is below `below_version`."""

    uid: str
    pattern: ScopePattern
    below_version: int
    now_ms: int


def purge_step(step: Step, purge: Purge, table: WideTable) -> None:
    """Delete of the step's records what is gone."""
    visible = step.tenant.visible
    if step.entries:
        _delete_seen((item for item in step.items if item.version < purge.below_version), table)
    elif step.scope is not None:
        scope = step.scope
        _delete_seen((item for item in step.items if visible.hides(scope, born_of(item))), table)
    else:
        hidden = [item for item in step.items if is_hidden(item, visible)]
        _purge_tasks([task_of(item) for item in hidden if item.key.sk.startswith("task/")], purge, table)
        _delete_at_head([item.key for item in hidden if not item.key.sk.startswith("task/")], visible, table)
        # The change log may go at any time: whoever misses an entry loads the tenant's memories anew.
        table.write_many(Delete(item.key) for item in step.items if item.key.sk.startswith("log/"))


def _purge_tasks(tasks: Sequence[Task], purge: Purge, table: WideTable) -> None:
    """Delete the tasks with what leads to them. Of those that the deletion has stopped it stays known that it did.

    One that another deletion has hidden waits for the purge of that one.
    """
    mine = [task for task in tasks if purge.pattern.matches(task.scope)]
    left = [stopped(task, purge.pattern, purge.now_ms) for task in mine]
    table.write_many(Put(deletion_item(purge.uid, each)) for each in left if each is not None)
    table.write_many(Delete(key) for task in mine for key in _of_task(task, purge.uid))


def is_hidden(item: Item, visible: Visibility) -> bool:
    """Whether a record that names its scope is gone."""
    return "scope" in item.body and visible.hides(Scope.model_validate(item.body["scope"]), born_of(item))


def _of_task(task: Task, uid: str) -> Iterator[Key]:
    """The task, its entry among all tasks of the store, and the note that it is to be done."""
    yield task_entry(uid, task).key
    yield keys.outbox(task.request_id, task.created_ms)
    yield keys.task(uid, task.scope, task.request_id)


def _delete_seen(items: Iterable[Item], table: WideTable) -> None:
    """Delete these versions; what is newer by now stays."""
    rest = iter(items)
    while batch := [Delete(item.key, expect=item.version) for item in islice(rest, MAX_WRITES)]:
        try:
            table.write(batch)
        except ConditionFailed:
            for each in batch:
                with suppress(ConditionFailed):
                    table.write([each])


def _delete_at_head(wanted: Sequence[Key], visible: Visibility, table: WideTable) -> None:
    for start in range(0, len(wanted), MAX_WRITES - 1):
        _delete_batch(wanted[start : start + MAX_WRITES - 1], visible, table)


def _delete_batch(batch: Sequence[Key], visible: Visibility, table: WideTable) -> None:
    head = keys.head(batch[0].pk)
    for _ in range(TRIES):
        before = table.get([head]).get(head)  # read before the records: whatever is written after it moves it
        hidden = [item for item in table.get(batch).values() if is_hidden(item, visible)]
        if not hidden:
            return
        try:
            table.write(
                [
                    Check(head, expect=before.version if before else 0),
                    *(Delete(item.key, expect=item.version) for item in hidden),
                ]
            )
        except ConditionFailed:
            continue
        return
    raise ServerBusy("others keep writing to the tenant")
