"""A task in the hands of a worker: taken for a time, given back, or ended as failed; each over the version it had."""

from __future__ import annotations

from typing import Any

from agent_memory import keys
from agent_memory.errors import AgentMemoryError, ConditionFailed, LlmFailed, ServerBusy
from agent_memory.memory_task import Task
from agent_memory.ports import Delete, Item, Key, Put, WideTable
from agent_memory.records import task_item, task_of


def outbox_of(task: Task) -> Key:
    """Where it stands that the task is to be done."""
    return keys.outbox(task.request_id, task.created_ms)


def claim(item: Item, uid: str, table: WideTable, now_ms: int, lease_ms: int) -> Item:
    """The task's record with a lease of this worker on it; ServerBusy where another one has it."""
    task = task_of(item)
    if task.status == "running" and task.lease_until_ms > now_ms:
        raise ServerBusy("another worker holds the task")
    changes: dict[str, Any] = {
        "status": "running",
        "attempts": task.attempts + 1,
        "lease_until_ms": now_ms + lease_ms,
        "updated_ms": now_ms,
    }
    claimed = task_item(uid, task.model_copy(update=changes), item.version + 1)
    try:
        table.write([Put(claimed, expect=item.version)])
    except ConditionFailed as error:
        raise ServerBusy("another worker took the task") from error
    return claimed


def fail(uid: str, claimed: Item, error: AgentMemoryError, table: WideTable, now_ms: int) -> None:
    """End the task without success; its messages stay, for RetryMemoryTask."""
    changes = {"status": "failed", "finished_ms": now_ms, **_noted(error, now_ms)}
    task = _after(claimed, changes, error)
    table.write([Put(task_item(uid, task, claimed.version + 1), expect=claimed.version), Delete(outbox_of(task))])


def hand_back(uid: str, claimed: Item, error: AgentMemoryError, table: WideTable, now_ms: int) -> None:
    """Give the lease up, so that the next hand-over need not wait for it."""
    task = _after(claimed, {"lease_until_ms": 0, **_noted(error, now_ms)}, error)
    table.write([Put(task_item(uid, task, claimed.version + 1), expect=claimed.version)])


def _noted(error: AgentMemoryError, now_ms: int) -> dict[str, Any]:
    return {"last_error": f"{error.code}: {error.message}", "updated_ms": now_ms}


def _after(claimed: Item, changes: dict[str, Any], error: AgentMemoryError) -> Task:
    task = task_of(claimed).model_copy(update=changes)
    return task.having_spent(error.spent) if isinstance(error, LlmFailed) else task
