"""What is known of one DeleteScope or DeleteMessages, and of tasks that it stopped: what GetMemoryTask tells.

The records are kept for DAYS_KEPT days. Until then they, and for a DeleteScope nothing else, still name the scope that
was deleted.
"""

from __future__ import annotations

from typing import Any, Literal

from agent_memory import keys
from agent_memory.errors import ScopeDeleted
from agent_memory.memory_store import MemoryStore
from agent_memory.memory_task import Task
from agent_memory.ports import Item, Job, JobKind, Key
from agent_memory.scopes import ScopePattern
from agent_memory.times import format_ms
from agent_memory.values import Value

DAYS_KEPT = 30
SCOPE_WAS_DELETED = f"{ScopeDeleted.code}: the scope was deleted"
OWN_HASH = keys.digest("deletions", length=keys.TENANT_HASH)  # their ids start with it, as others with a tenant's

EventType = Literal["delete_scope", "delete_messages", "ingest"]


class Deletion(Value):
    """One deletion, as GetMemoryTask shows it: a task without messages and memories of its own.

    Or what is left of a task of the scope (`ingest`) that was not done when it was deleted.
    """

    request_id: str
    event_type: EventType
    scope: ScopePattern
    status: Literal["queued", "completed", "failed"]
    accepted_messages: int = 0
    last_error: str | None = None
    created_ms: int
    updated_ms: int

    def completed(self, now_ms: int) -> Deletion:
        """The same, done."""
        return self.model_copy(update={"status": "completed", "updated_ms": now_ms})

    def to_wire(self, store_name: str) -> dict[str, Any]:
        """The task object of the API."""
        return {
            "requestId": self.request_id,
            "eventType": self.event_type,
            "memoryStoreName": store_name,
            "conversationKey": "/".join(self.scope.levels),
            "scope": self.scope.to_json(),
            "status": self.status,
            "acceptedMessages": self.accepted_messages,
            "derivedUnitIds": [],
            "attempts": 0,
            **({"lastError": self.last_error} if self.last_error else {}),
            "createdAt": format_ms(self.created_ms),
            "updatedAt": format_ms(self.updated_ms),
            **({"finishedAt": format_ms(self.updated_ms)} if self.status != "queued" else {}),
        }


def new_deletion(event_type: EventType, scope: ScopePattern, now_ms: int, random_hex: str) -> Deletion:
    """A deletion that is asked for now."""
    request_id = f"{OWN_HASH}{now_ms:012x}{random_hex[:8]}"
    return Deletion(
        request_id=request_id,
        event_type=event_type,
        scope=scope,
        status="queued",
        created_ms=now_ms,
        updated_ms=now_ms,
    )


def stopped(task: Task, scope: ScopePattern, now_ms: int) -> Deletion | None:
    """What is left of the task once its scope is deleted and its record removed; nothing of one that had ended before.

    It names no more of the scope than the deletion does.
    """
    if task.ended and not (task.last_error or "").startswith(ScopeDeleted.code):
        return None
    return Deletion(
        request_id=task.request_id,
        event_type="ingest",
        scope=scope,
        status="failed",
        accepted_messages=task.accepted_messages,
        last_error=SCOPE_WAS_DELETED,
        created_ms=task.created_ms,
        updated_ms=now_ms,
    )


def deletion_key(uid: str, request_id: str) -> Key:
    """Where the deletion is recorded."""
    return Key(deletions_partition(uid), request_id)


def deletions_partition(uid: str) -> str:
    """All deletions of a store."""
    return f"{uid}/deletions"


def deletion_item(uid: str, deletion: Deletion) -> Item:
    """The deletion's record."""
    ttl = deletion.updated_ms // 1_000 + DAYS_KEPT * 86_400
    return Item(deletion_key(uid, deletion.request_id), deletion.to_json(), ttl=ttl)


def deletion_of(item: Item) -> Deletion:
    """The deletion of its record."""
    return Deletion.model_validate(item.body)


def deletion_job(kind: JobKind, store: MemoryStore, deletion: Deletion, **payload: Any) -> Job:
    """The job behind the deletion. Jobs of one store follow each other."""
    common = {
        "uid": store.uid,
        "instance": store.instance,
        "store": store.name,
        "scope": deletion.scope.to_json(),
        "requestId": deletion.request_id,
        "queuedMs": deletion.created_ms,
    }
    return Job(kind, deletion.request_id, f"purge/{store.uid}", {**common, **payload})
