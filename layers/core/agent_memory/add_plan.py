"""What one AddMemories writes, decided from what was read before. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from agent_memory import keys
from agent_memory.add_draft import Draft
from agent_memory.client_tokens import MadeCall, made_before, token_item
from agent_memory.errors import Conflict
from agent_memory.incoming import Incoming
from agent_memory.memory_task import Task
from agent_memory.ports import Check, Item, Job, Key, Put, Write
from agent_memory.records import (
    born_of,
    directory_items,
    message_item,
    message_of,
    outbox_item,
    task_entry,
    task_item,
    ttl_of,
)
from agent_memory.visibility import Visibility, next_version, visibility


@dataclass(frozen=True, slots=True)
class AddPlan:
    """What is written, the job that follows, and what the answer tells; no writes for a call that was made before."""

    request_id: str
    accepted: int
    duplicates: int
    job: Job
    writes: list[Write]


def plan_add(draft: Draft, known: Mapping[Key, Item]) -> AddPlan:
    """The plan over what was read; Conflict for an id or a token that was used for something else."""
    visible = visibility(draft.store, known.get(draft.gone))
    stored = known.get(draft.token) if draft.token else None
    call = made_before(stored, draft.scope, draft.body_hash, visible, draft.now_ms)
    if call is not None:
        return AddPlan(call.request_id, call.accepted, call.duplicates, _job(draft, call.request_id), [])
    messages = [_message(draft, each, known, visible) for each in draft.incoming]
    accepted = len(draft.request.messages or []) + bool(draft.request.text)
    duplicates = accepted - sum(each.is_new for each in messages)
    task = _task(draft, messages, accepted, visible)
    job = _job(draft, draft.request_id)
    made = MadeCall(draft.body_hash, draft.request_id, accepted, duplicates)
    remembered = [token_item(draft.token, made, stored, visible, draft.now_ms)] if draft.token else []
    writes: list[Write] = [
        Check(keys.alive(draft.store.uid), expect=draft.store.life),
        Check(draft.gone, expect=visible.generation),
        *(write for each in messages for write in each.writes),
        *_directory(draft, known, visible),
        Put(task_item(draft.store.uid, task, version=1), expect=0),
        *map(Put, (outbox_item(job, draft.now_ms), task_entry(draft.store.uid, task))),
        *(Put(item, expect=stored.version if stored else 0) for item in remembered),
    ]
    return AddPlan(draft.request_id, accepted, duplicates, job, writes)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A message of the call: where it lies in the conversation's log, and what is written for it.

    `told` is the task that stored it, for one that was sent before.
    """

    log_key: str
    writes: tuple[Write, ...] = ()
    is_new: bool = False
    told: str | None = None


def _message(draft: Draft, each: Incoming, known: Mapping[Key, Item], visible: Visibility) -> _Placed:
    mark = draft.mark(each, known, visible)
    if mark is None:
        return _new_message(draft, each, known, visible)
    if each.contradicts(mark.body["content"]):
        raise Conflict(f"messages[{each.position}].messageId is stored with other content")
    log_key = mark.body["at"]
    item = known.get(keys.message(draft.partition, log_key))
    if not draft.prolongs(mark) or item is None:
        return _Placed(log_key, told=mark.body.get("task"))
    message = message_of(item).model_copy(update={"expires_ms": draft.expires_ms})
    longer = replace(message_item(draft.partition, log_key, message), version=item.version + 1)
    body = {name: value for name, value in mark.body.items() if name != "expiresMs"}
    writes = (Put(longer, expect=item.version), _mark(draft, mark.key, body, known, visible))
    return _Placed(log_key, writes, told=mark.body.get("task"))


def _new_message(draft: Draft, each: Incoming, known: Mapping[Key, Item], visible: Visibility) -> _Placed:
    tail = f"{draft.request_id[-8:]}{each.position:02d}/{each.id_hash}"
    log_key = keys.message_log_key(each.filed_ms, draft.now_ms, tail)
    key = keys.message_id(draft.partition, each.id_hash)
    body = {"at": log_key, "content": each.content_hash, "born": visible.born, "task": draft.request_id}
    message = each.message.model_copy(update={"born": visible.born, "expires_ms": draft.expires_ms})
    put = Put(message_item(draft.partition, log_key, message))
    return _Placed(log_key, (_mark(draft, key, body, known, visible), put), is_new=True)


def _mark(draft: Draft, key: Key, body: Mapping[str, Any], known: Mapping[Key, Item], visible: Visibility) -> Put:
    """The mark that a message is stored; it lives as long as the message."""
    stored, expires_ms = known.get(key), draft.expires_ms
    expires = {} if expires_ms is None else {"expiresMs": expires_ms}
    version, ttl = next_version(stored, visible.born), ttl_of(expires_ms, draft.now_ms)
    return Put(Item(key, {**body, **expires}, version, ttl=ttl), expect=stored.version if stored else 0)


def _directory(draft: Draft, known: Mapping[Key, Item], visible: Visibility) -> list[Write]:
    entry = known.get(keys.run_entry(draft.store.uid, draft.scope))
    if entry is not None and not visible.hides(draft.scope, born_of(entry)):
        return []
    items = directory_items(draft.store.uid, draft.scope, visible.born, visible.entry_version)
    return [Put(item) for item in items]


def _task(draft: Draft, messages: list[_Placed], accepted: int, visible: Visibility) -> Task:
    return Task(
        request_id=draft.request_id,
        scope=draft.scope,
        status="queued",
        accepted_messages=accepted,
        log_keys=tuple(each.log_key for each in messages),
        told={each.log_key: each.told for each in messages if each.told},
        metadata=draft.request.metadata,
        infer=draft.request.infer,
        expires_ms=draft.expires_ms,
        born=visible.born,
        created_ms=draft.now_ms,
        updated_ms=draft.now_ms,
    )


def _job(draft: Draft, request_id: str) -> Job:
    payload = {
        "uid": draft.store.uid,
        "instance": draft.store.instance,
        "store": draft.store.name,
        "scope": draft.scope.to_json(),
        "requestId": request_id,
        "queuedMs": draft.now_ms,
    }
    return Job(kind="extract", job_id=request_id, group=draft.partition, payload=payload)
