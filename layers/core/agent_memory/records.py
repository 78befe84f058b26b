"""Records to items and back. Pure; the keys come from `keys`, conditions are the use cases' business."""

from __future__ import annotations

from functools import lru_cache

from agent_memory import keys
from agent_memory.jobs import encode
from agent_memory.memory_store import MemoryStore
from agent_memory.memory_task import Task
from agent_memory.models import Born, MemoryUnit, Message
from agent_memory.ports import Item, Job
from agent_memory.scopes import Scope
from agent_memory.timeline_keys import timeline
from agent_memory.times import parse_rfc3339
from agent_memory.visibility import Visibility, first_version

COLLECTED_AFTER_SECONDS = 30 * 86_400  # an expired record stays this long for questions about the past


def ttl_of(expires_ms: int | None, written_ms: int) -> int | None:
    """When the table may collect what expires then, in Unix seconds."""
    return None if expires_ms is None else max(expires_ms, written_ms) // 1_000 + COLLECTED_AFTER_SECONDS


def store_item(store: MemoryStore, version: int) -> Item:
    """The store's record."""
    return Item(keys.store(store.instance, store.name), store.to_json(), version)


def store_of(item: Item) -> MemoryStore:
    """The store of its record."""
    return MemoryStore.model_validate(item.body)


def task_item(uid: str, task: Task, version: int) -> Item:
    """A task's record."""
    return Item(keys.task(uid, task.scope, task.request_id), task.to_json(), version)


def task_of(item: Item) -> Task:
    """The task of its record."""
    return Task.model_validate(item.body)


def task_entry(uid: str, task: Task) -> Item:
    """The task's place among all tasks of its store."""
    key = timeline("tasks", uid, task.created_ms, task.request_id)
    return Item(key, {"scope": task.scope.to_json(), "born": task.born})


def message_item(partition: str, log_key: str, message: Message) -> Item:
    """A message in its conversation's log; its version grows with its birth."""
    key, version = keys.message(partition, log_key), first_version(message.born)
    return Item(key, message.to_json(), version, ttl=ttl_of(message.expires_ms, keys.arrival_ms(log_key)))


def message_of(item: Item) -> Message:
    """The message of its record."""
    return Message.model_validate(item.body)


def unit_item(partition: str, unit: MemoryUnit, vector: bytes) -> Item:
    """A memory unit with its packed vector."""
    expires_ms = parse_rfc3339(unit.expires_at) if unit.expires_at else None
    ttl = ttl_of(expires_ms, parse_rfc3339(unit.updated_at))
    return Item(keys.unit(partition, unit.id), unit.to_json(), unit.version, vector, ttl)


def unit_of(item: Item) -> MemoryUnit:
    """The unit of its record."""
    return MemoryUnit.model_validate({**item.body, "scope": stored_scope(item)})


def stored_scope(item: Item) -> Scope:
    """The scope of a record that has one."""
    return _scope(**item.body["scope"])


@lru_cache(maxsize=4_096)
def _scope(**levels: str) -> Scope:
    """Records share few scopes, and checking one takes longer than the rest of its record."""
    return Scope.model_validate(levels)


def is_tombstone(item: Item) -> bool:
    """Whether the record says that its unit was deleted: it holds no text and keeps a repeat from bringing it back."""
    return "deletedMs" in item.body


def tombstone_item(stored: Item, deleted_ms: int, born: Born) -> Item:
    """What takes the place of a unit that was deleted."""
    body = {"id": stored.body["id"], "scope": stored.body["scope"], "deletedMs": deleted_ms, "born": list(born)}
    return Item(stored.key, body, stored.version + 1, ttl=stored.ttl)


def born_of(item: Item) -> Born:
    """Life and generation in which the record was written."""
    life, generation = item.body.get("born", (1, 0))
    return (life, generation)


def shown(item: Item, visible: Visibility) -> bool:
    """Whether the unit's record is one that a reader may see."""
    return not is_tombstone(item) and not visible.hides(stored_scope(item), born_of(item))


def outbox_item(job: Job, queued_ms: int) -> Item:
    """The durable note that a job is to be done; it goes when the job is done."""
    return Item(keys.outbox(job.job_id, queued_ms), {"job": encode(job), "sentMs": queued_ms, "sends": 1})


def directory_items(uid: str, scope: Scope, born: Born, version: int) -> list[Item]:
    """Entries by which a conversation is found again from the store, widest first."""
    app, tenant = scope.app_id, scope.tenant_id
    hashed = keys.tenant_hash(app, tenant)
    return [
        Item(keys.app_entry(uid, app), {}, version),
        Item(keys.tenant_entry(uid, app, tenant), {}, version),
        Item(keys.tenant_by_hash(uid, hashed, app, tenant), {"appId": app, "tenantId": tenant}, version),
        Item(keys.run_entry(uid, scope), {**scope.to_json(), "born": born}, version),
    ]


def scope_of(item: Item) -> Scope:
    """The conversation of its directory entry."""
    return Scope.model_validate({name: level for name, level in item.body.items() if name != "born"})
