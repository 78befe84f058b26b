"""One AddMemories before it is decided what of it is new: where it writes, until when, and what must be read. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from agent_memory import keys
from agent_memory.client_tokens import token_key
from agent_memory.incoming import Incoming, incoming_messages
from agent_memory.memory_store import MemoryStore
from agent_memory.ports import Item, Key
from agent_memory.records import born_of
from agent_memory.redaction.calls import admitted_add
from agent_memory.requests.memories import AddMemoriesRequest
from agent_memory.scopes import Scope
from agent_memory.times import LAST_MS, later, parse_rfc3339
from agent_memory.visibility import Visibility, visibility


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
        return None if given is None else token_key(self.partition, given)

    @property
    def expires_ms(self) -> int | None:
        """When messages and memories end: as the call says, else by the store's default, from the time it speaks of."""
        if self.request.expires_at is not None:
            return parse_rfc3339(self.request.expires_at)
        seconds = self.request.ttl_seconds or self.store.default_ttl_seconds
        start = parse_rfc3339(self.request.reference_time) if self.request.reference_time else self.now_ms
        return None if seconds is None else min(start + seconds * 1_000, LAST_MS)

    @property
    def body_hash(self) -> str:
        """What tells calls under one client token apart, after redaction: secrets do not."""
        body = self.request.model_dump(mode="json", exclude={"client_token", "instance", "sync", "redaction"})
        return keys.digest("body", json.dumps(body, sort_keys=True))

    def reads(self) -> list[Key]:
        """What must be known before the plan."""
        marks = [keys.message_id(self.partition, each.id_hash) for each in self.incoming]
        always = [keys.run_entry(self.store.uid, self.scope), self.gone]
        return [*marks, *always, *([self.token] if self.token else [])]

    def more_reads(self, known: Mapping[Key, Item]) -> list[Key]:
        """What must also be known, given the first: messages that are stored already and are now to live longer."""
        visible = visibility(self.store, known.get(self.gone))
        stored = [self.mark(each, known, visible) for each in self.incoming]
        return [keys.message(self.partition, mark.body["at"]) for mark in stored if mark and self.prolongs(mark)]

    def mark(self, each: Incoming, known: Mapping[Key, Item], visible: Visibility) -> Item | None:
        """The mark of a message that is stored, was not deleted with its scope and has not expired."""
        mark = known.get(keys.message_id(self.partition, each.id_hash))
        if mark is None or visible.hides(self.scope, born_of(mark)):
            return None
        expires_ms = mark.body.get("expiresMs")
        return None if expires_ms is not None and expires_ms <= self.now_ms else mark

    def prolongs(self, mark: Item) -> bool:
        """Whether the message of the mark is to live longer than was said when it was stored."""
        before = mark.body.get("expiresMs")
        return later(before, self.expires_ms) != before


def draft_add(request: AddMemoriesRequest, store: MemoryStore, now_ms: int, random_hex: str) -> Draft:
    """The request as the store takes it, its messages identified; InvalidParameter for secrets that the store refuses.

    Its id is the tenant's hash, the time (ids sort by it), randomness.
    """
    request = admitted_add(request, store.redaction)
    hashed = keys.tenant_hash(request.scope.app_id, request.scope.tenant_id)
    return Draft(request, store, incoming_messages(request, now_ms), f"{hashed}{now_ms:012x}{random_hex[:8]}", now_ms)
