"""What a purge deletes of the records it comes to, and how: never anything that was written after the delete.

A record of a generation may be written again under the key of an older one at any moment. Where versions grow with the
birth of a record, the version that was seen is the condition. A memory's version is the client's and starts again at 1,
so its condition is the head of the tenant's change log, which every write of a memory moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from agent_memory import keys
from agent_memory.errors import ConditionFailed, ServerBusy
from agent_memory.ports import MAX_WRITES, Check, Delete, Item, Key, WideTable
from agent_memory.purge_steps import Step
from agent_memory.records import born_of, task_entry, task_of
from agent_memory.scopes import Scope
from agent_memory.visibility import Visibility

TRIES = 8


def purge_step(step: Step, below_version: int, uid: str, table: WideTable) -> None:
    """Delete of the step's records what is gone; entries of the directory if they are older than `below_version`."""
    visible = step.tenant.visible
    if step.entries:
        _delete_seen((item for item in step.items if item.version < below_version), table)
    elif step.scope is not None:
        scope = step.scope
        _delete_seen((item for item in step.items if visible.hides(scope, born_of(item))), table)
    else:
        _purge_own(step.items, visible, uid, table)


def _purge_own(items: Sequence[Item], visible: Visibility, uid: str, table: WideTable) -> None:
    """Of a tenant's own partition: tasks with what leads to them, memories, and the change log.

    The log may go at any time: whoever misses an entry loads the tenant's memories anew.
    """
    memories: list[Key] = []
    plain: list[Key] = []
    for item in items:
        if item.key.sk.startswith("log/"):
            plain.append(item.key)
        elif is_hidden(item, visible):
            plain.extend(_of_task(item, uid)) if item.key.sk.startswith("task/") else memories.append(item.key)
    table.write_many(Delete(key) for key in plain)
    _delete_at_head(memories, visible, table)


def is_hidden(item: Item, visible: Visibility) -> bool:
    """Whether a record that names its scope is gone."""
    return "scope" in item.body and visible.hides(Scope.model_validate(item.body["scope"]), born_of(item))


def _of_task(item: Item, uid: str) -> Iterator[Key]:
    """The task, its entry among all tasks of the store, and the note that it is to be done; the task goes last."""
    task = task_of(item)
    yield task_entry(uid, task).key
    yield keys.outbox(task.request_id, task.created_ms)
    yield item.key


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
