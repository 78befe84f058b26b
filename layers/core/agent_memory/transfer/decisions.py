"""What becomes of each record of an import, given what the store has. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeGuard

from agent_memory import keys
from agent_memory.models import MemoryUnit
from agent_memory.ports import Check, Delete, Item, Key, Put, Write
from agent_memory.records import born_of, is_tombstone, message_item, unit_item
from agent_memory.scopes import Scope
from agent_memory.store_access import TenantView
from agent_memory.times import parse_rfc3339
from agent_memory.transfer.batches import Incoming
from agent_memory.transfer.incoming_lines import HistoryLine, MemoryLine, MessageLine
from agent_memory.visibility import next_version

NOT_COMPARED = {"born", "version", "embedding_model"}  # a store's own, or follow from how it came there


@dataclass(frozen=True, slots=True)
class Target:
    """Where the records go: the tenant as it is now, whether what it has gives way, and the model of its vectors."""

    view: TenantView
    replace: bool
    now_ms: int
    model: str = ""

    def sees(self, item: Item | None, scope: Scope) -> TypeGuard[Item]:
        """Whether the record is there, was not deleted with its scope and has not expired."""
        if item is None or self.view.visible.hides(scope, born_of(item)):
            return False
        expires_at = item.body.get("expires_at")
        expires_ms = parse_rfc3339(expires_at) if expires_at else item.body.get("expiresMs")
        return expires_ms is None or expires_ms > self.now_ms

    def sees_unit(self, item: Item | None) -> TypeGuard[Item]:
        """The same for a memory or what is left of a deleted one."""
        return item is not None and self.sees(item, Scope.model_validate(item.body["scope"]))


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome for a line. An imported memory is `unit`, to be written under `expect`; all else is in `writes`."""

    incoming: Incoming
    outcome: Literal["imported", "skipped", "failed"]
    problem: str = ""
    writes: tuple[Write, ...] = ()
    unit: MemoryUnit | None = None
    expect: int = 0


def reads(batch: Sequence[Incoming], view: TenantView) -> list[Key]:
    """What must be known before the decisions and their writes."""
    return [key for each in batch for key in (*_own_keys(each, view), keys.run_entry(view.store.uid, each.line.scope))]


def decide(batch: Sequence[Incoming], target: Target, known: Mapping[Key, Item]) -> list[Decision]:
    """One decision per record, in order; a version of history follows the memory before it in the batch."""
    decisions: list[Decision] = []
    versions: dict[str, int] = {}
    for each in batch:
        decision = _decide(each, target, known, versions)
        if decision.unit is not None:
            versions[decision.unit.id] = decision.unit.version
        decisions.append(decision)
    return decisions


def _own_keys(incoming: Incoming, view: TenantView) -> list[Key]:
    line = incoming.line
    if isinstance(line, MessageLine):
        run = keys.run_partition(view.store.uid, line.scope)
        return [keys.message_id(run, line.id_hash), keys.message(run, line.log_key)]
    unit = line.memory
    earlier = [keys.earlier(view.partition, unit.id, unit.version)] if isinstance(line, HistoryLine) else []
    return [keys.unit(view.partition, unit.id), *earlier]


def _decide(incoming: Incoming, target: Target, known: Mapping[Key, Item], versions: Mapping[str, int]) -> Decision:
    line = incoming.line
    if line.expires_at is not None and parse_rfc3339(line.expires_at) <= target.now_ms:
        return Decision(incoming, "skipped")
    stored = [known.get(key) for key in _own_keys(incoming, target.view)]
    if isinstance(line, MessageLine):
        return _message(incoming, line, target, stored)
    if isinstance(line, MemoryLine):
        return _memory(incoming, line, target, stored[0])
    return _version(incoming, line, target, stored, versions)


def _message(incoming: Incoming, line: MessageLine, target: Target, stored: Sequence[Item | None]) -> Decision:
    mark, there = stored
    born = target.view.visible.born
    run = keys.run_partition(target.view.store.uid, line.scope)
    message = line.message.to_message(born)
    item = message_item(run, line.log_key, message)
    before = mark.body.get("at") if mark else None
    if target.sees(mark, line.scope) and (not target.replace or (before == line.log_key and _same(there, item.body))):
        return Decision(incoming, "skipped")
    body: dict[str, Any] = {
        "at": line.log_key,
        "content": keys.digest("content", message.role, message.content),
        "born": born,
    }
    if message.expires_ms is not None:
        body["expiresMs"] = message.expires_ms
    mark_key, mark_version = keys.message_id(run, line.id_hash), next_version(mark, born)
    writes: list[Write] = [
        Put(Item(mark_key, body, mark_version, ttl=item.ttl), expect=mark.version if mark else 0),
        Put(replace(item, version=next_version(there, born)), expect=there.version if there else 0),
    ]
    if before not in (None, line.log_key):
        writes.append(Delete(keys.message(run, before)))
    return Decision(incoming, "imported", writes=tuple(writes))


def _memory(incoming: Incoming, line: MemoryLine, target: Target, stored: Item | None) -> Decision:
    """Its own version, or the next one where the store is already there: versions of a memory never go back."""
    given = line.memory
    before = stored.version if stored else 0
    newer = given.version > before
    if target.sees_unit(stored):
        equal = not is_tombstone(stored) and not newer and _same(stored, given.to_json())
        if equal or not target.replace:
            return Decision(incoming, "skipped")
    version = given.version if newer else before + 1
    unit = given.to_unit(born=target.view.visible.born, version=version, embedding_model=target.model)
    return Decision(incoming, "imported", unit=unit, expect=before)


def _version(
    incoming: Incoming, line: HistoryLine, target: Target, stored: Sequence[Item | None], versions: Mapping[str, int]
) -> Decision:
    now, earlier = stored
    given = line.memory
    written = versions.get(given.id)
    if written is not None:
        current = written
    elif target.sees_unit(now):
        current = 0 if is_tombstone(now) else now.version
    else:
        return Decision(incoming, "failed", "memory.id has no memory in the store: its own line comes first")
    item = _earlier_item(line, target, next_version(earlier, target.view.visible.born))
    kept = target.sees(earlier, given.scope) and (not target.replace or _same_version(earlier, item))
    if given.version >= current or kept:
        return Decision(incoming, "skipped")
    writes: list[Write] = [Put(item, expect=earlier.version if earlier else 0)]
    if written is None:
        writes.append(Check(keys.unit(target.view.partition, given.id), expect=current))
    return Decision(incoming, "imported", writes=tuple(writes))


def _earlier_item(line: HistoryLine, target: Target, version: int) -> Item:
    born = target.view.visible.born
    unit = line.memory.to_unit(born=born)
    body = {
        "scope": unit.scope.to_json(),
        "born": list(born),
        "unit": unit.to_json(),
        "actor": line.actor,
        "replacedMs": parse_rfc3339(line.replaced_at),
    }
    key = keys.earlier(target.view.partition, unit.id, unit.version)
    return Item(key, body, version, ttl=unit_item(target.view.partition, unit, b"").ttl)


def _same(stored: Item | None, given: Mapping[str, Any]) -> bool:
    return stored is not None and _compared(stored.body) == _compared(given)


def _same_version(stored: Item | None, item: Item) -> bool:
    if stored is None:
        return False
    stored_unit, unit = stored.body["unit"], item.body["unit"]
    return _same(stored, {**item.body, "unit": stored_unit}) and _compared(stored_unit) == _compared(unit)


def _compared(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name not in NOT_COMPARED}
