"""What one AddMemories writes, decided from what was read before. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from agent_memory import keys
from agent_memory.errors import Conflict
from agent_memory.incoming import Incoming, incoming_messages
from agent_memory.memory_store import MemoryStore
from agent_memory.models import Task
from agent_memory.ports import Check, Item, Job, Key, Put, Write
from agent_memory.records import born_of, directory_items, message_item, outbox_item, task_entry, task_item
from agent_memory.requests.memories import AddMemoriesRequest
from agent_memory.scopes import Scope
from agent_memory.times import parse_rfc3339
from agent_memory.visibility import Visibility, visibility

TOKEN_LIFE_MS = 7 * 86_400_000  # how long a clientToken is remembered


@dataclass(frozen=True, slots=True)
class Draft:
    """One AddMemories before it is known which of its messages are new."""

    request: AddMemoriesRequest
    store: MemoryStore
    incoming: list[Incoming]
    request_id: str
    now_ms: int

    @property
    def scope(self) -> Scope:
        """Where it writes."""
        return self.request.scope

    @property
    def partition(self) -> str:
        """The conversation's messages."""
        return keys.run_partition(self.store.uid, self.scope)

    @property
    def gone(self) -> Key:
        """What was deleted in the tenant."""
        return keys.gone(keys.tenant_partition(self.store.uid, self.scope.app_id, self.scope.tenant_id))

    @property
    def token(self) -> Key | None:
        """Where the client's name for the call is remembered."""
        given = self.request.client_token
        return None if given is None else keys.client_token(self.store.uid, self.scope, given)

    @property
    def expires_ms(self) -> int | None:
        """When messages and memories end: as the call says, else by the store's default."""
        if self.request.expires_at is not None:
            return parse_rfc3339(self.request.expires_at)
        seconds = self.request.ttl_seconds or self.store.default_ttl_seconds
        return None if seconds is None else self.now_ms + seconds * 1_000

    def reads(self) -> list[Key]:
        """What must be known before the plan."""
        marks = [keys.message_id(self.partition, each.id_hash) for each in self.incoming]
        always = [keys.run_entry(self.store.uid, self.scope), self.gone]
        return [*marks, *always, *([self.token] if self.token else [])]


@dataclass(frozen=True, slots=True)
class AddPlan:
    """What is written, the job that follows, and what the answer tells; no writes for a call that was made before."""

    request_id: str
    accepted: int
    duplicates: int
    job: Job
    writes: list[Write]


def draft_add(request: AddMemoriesRequest, store: MemoryStore, now_ms: int, random_hex: str) -> Draft:
    """The request with its messages identified; its id is the tenant's hash, the time (ids sort by it), randomness."""
    hashed = keys.tenant_hash(request.scope.app_id, request.scope.tenant_id)
    return Draft(request, store, incoming_messages(request, now_ms), f"{hashed}{now_ms:012x}{random_hex[:8]}", now_ms)


def plan_add(draft: Draft, known: Mapping[Key, Item]) -> AddPlan:
    """The plan over what was read; Conflict for an id or a token that was used for something else."""
    visible = visibility(draft.store, known.get(draft.gone))
    made_before = _made_before(draft, known, visible)
    if made_before is not None:
        return made_before
    log_keys, messages = _messages(draft, known, visible)
    accepted = len(draft.request.messages or []) + bool(draft.request.text)
    task, job = _task(draft, log_keys, accepted, visible), _job(draft, draft.request_id)
    plan = AddPlan(draft.request_id, accepted, accepted - len(messages) // 2, job, [])
    gone = known.get(draft.gone)
    plan.writes.extend(
        [
            Check(keys.alive(draft.store.uid), expect=draft.store.life),
            Check(draft.gone, expect=gone.version if gone else 0),
            *messages,
            *_directory(draft, known, visible),
            Put(task_item(draft.store.uid, task, version=1), expect=0),
            *map(Put, (outbox_item(job, draft.now_ms), task_entry(draft.store.uid, task))),
            *_remember(draft, known, plan, visible),
        ]
    )
    return plan


def _messages(draft: Draft, known: Mapping[Key, Item], visible: Visibility) -> tuple[list[str], list[Write]]:
    """Sort keys of all messages, and for those that are new the message and the mark of its identity."""
    log_keys: list[str] = []
    writes: list[Write] = []
    changes = {"born": visible.born, "expires_ms": draft.expires_ms}
    for each in draft.incoming:
        key = keys.message_id(draft.partition, each.id_hash)
        stored = known.get(key)
        if stored is not None and not visible.hides(draft.scope, born_of(stored)):
            if each.contradicts(stored.body["content"]):
                raise Conflict(f"messages[{each.position}].messageId is stored with other content")
            log_keys.append(stored.body["at"])
            continue
        tail = f"{draft.request_id[-8:]}{each.position:02d}/{each.id_hash}"
        log_key = keys.message_log_key(each.message.timestamp_ms, draft.now_ms, tail)
        version = stored.version if stored else 0
        mark = {"at": log_key, "content": each.content_hash, "born": visible.born}
        writes.append(Put(Item(key, mark, version + 1), expect=version))
        writes.append(Put(message_item(draft.partition, log_key, each.message.model_copy(update=changes))))
        log_keys.append(log_key)
    return log_keys, writes


def _directory(draft: Draft, known: Mapping[Key, Item], visible: Visibility) -> list[Write]:
    entry = known.get(keys.run_entry(draft.store.uid, draft.scope))
    if entry is not None and not visible.hides(draft.scope, born_of(entry)):
        return []
    items = directory_items(draft.store.uid, draft.scope, visible.born, visible.entry_version)
    return [Put(item) for item in items]


def _made_before(draft: Draft, known: Mapping[Key, Item], visible: Visibility) -> AddPlan | None:
    item = known.get(draft.token) if draft.token else None
    if item is None or visible.hides(draft.scope, born_of(item)) or item.body["untilMs"] <= draft.now_ms:
        return None
    if item.body["body"] != _body_hash(draft):
        raise Conflict("clientToken was used with another body")
    request_id = item.body["requestId"]
    return AddPlan(request_id, item.body["accepted"], item.body["duplicates"], _job(draft, request_id), [])


def _remember(draft: Draft, known: Mapping[Key, Item], plan: AddPlan, visible: Visibility) -> list[Write]:
    if draft.token is None:
        return []
    stored, until_ms = known.get(draft.token), draft.now_ms + TOKEN_LIFE_MS
    body = {
        "requestId": plan.request_id,
        "body": _body_hash(draft),
        "accepted": plan.accepted,
        "duplicates": plan.duplicates,
        "untilMs": until_ms,
        "born": visible.born,
    }
    version = stored.version if stored else 0
    return [Put(Item(draft.token, body, version + 1, ttl=until_ms // 1_000), expect=version)]


def _body_hash(draft: Draft) -> str:
    body = draft.request.model_dump(mode="json", exclude={"client_token", "instance", "sync"})
    return keys.digest("body", json.dumps(body, sort_keys=True))


def _task(draft: Draft, log_keys: list[str], accepted: int, visible: Visibility) -> Task:
    return Task(
        request_id=draft.request_id,
        scope=draft.scope,
        status="queued",
        accepted_messages=accepted,
        log_keys=tuple(log_keys),
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
