"""The records of a store in the order of their keys, as lines, from any place on.

Tenant by tenant: the messages of each conversation, then each memory with its earlier versions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agent_memory import keys
from agent_memory.directory import Tenant, runs, tenants
from agent_memory.memory_store import MemoryStore
from agent_memory.models import MemoryUnit
from agent_memory.packed_vectors import without_tokens
from agent_memory.ports import Item, WideTable
from agent_memory.records import born_of, message_of, shown, unit_of
from agent_memory.scopes import Scope, ScopePattern
from agent_memory.times import parse_rfc3339
from agent_memory.transfer.outgoing_lines import history_line, memory_line, message_line

PAGE = 100

# Application, tenant and part; in the part the run and a message's key, or a memory, its version, an earlier one's key.
Place = tuple[str, str, str, str, str, str]
Step = tuple[Place, str]  # a place that was passed, and its line; empty for what is not shown
START: Place = ("", "", "", "", "", "")


@dataclass(frozen=True, slots=True)
class Walk:
    """What is walked, and from which instant's view of what has expired."""

    store: MemoryStore
    pattern: ScopePattern
    parts: frozenset[str]
    vectors: bool
    table: WideTable
    now_ms: int


def steps(walk: Walk, start: Place) -> Iterator[Step]:
    """Everything behind `start`."""
    for tenant in tenants(walk.store, walk.pattern, start[:2], walk.table):
        here = (tenant.app_id, tenant.tenant_id) == start[:2]
        part = _Part(walk, tenant, keys.tenant_partition(walk.store.uid, tenant.app_id, tenant.tenant_id))
        place = start if here else part.place("", "")
        yield place, ""
        if "messages" in walk.parts and place[2] != "memories":
            yield from part.messages(place[3], place[4])
        if "memories" in walk.parts:
            yield from part.memories(*(place[3:] if place[2] == "memories" else ("", "0", "")))


@dataclass(frozen=True, slots=True)
class _Part:
    """One tenant on the way."""

    walk: Walk
    tenant: Tenant
    partition: str

    def place(self, part: str, *within: str) -> Place:
        first, second, third = (*within, "", "", "")[:3]
        return (self.tenant.app_id, self.tenant.tenant_id, part, first, second, third)

    def messages(self, run: str, after: str) -> Iterator[Step]:
        """The rest of the conversation `run`, behind the message `after`, and all conversations behind it."""
        if run:
            agent, _, name = run.partition("/")
            levels = (keys.decode_level(agent), keys.decode_level(name))
            yield from self._conversation(run, self._scope(*levels), after)
        walk = self.walk
        for place, scope in runs(walk.store.uid, self.tenant, walk.pattern.agent_id, run, walk.table):
            yield self.place("messages", place), ""
            if scope is not None:
                yield from self._conversation(place, scope, "")

    def memories(self, unit_id: str, version: str, earlier: str) -> Iterator[Step]:
        """The earlier versions that are left of the memory `unit_id` when it had the version, and all behind it."""
        after = keys.unit(self.partition, unit_id)
        if unit_id:
            item = self.walk.table.get([after]).get(after)
            if item is not None and self._seen(item):
                yield from self._versions(unit_id, int(version), earlier)
        for item in self._items(self.partition, keys.prefix_range("unit/"), after.sk if unit_id else None):
            name = item.key.sk.removeprefix("unit/")
            unit = self._seen(item)
            if unit is None:
                yield self.place("memories", name, "0"), ""
                continue
            line = memory_line(unit, without_tokens(item.blob) if self.walk.vectors else b"")
            yield self.place("memories", name, str(unit.version)), line
            yield from self._versions(name, unit.version, "")

    def _conversation(self, run: str, scope: Scope, after: str) -> Iterator[Step]:
        if not self.walk.pattern.matches(scope):
            return
        partition = keys.run_partition(self.walk.store.uid, scope)
        for item in self._items(partition, keys.prefix_range("at/"), after or None):
            message, place = message_of(item), self.place("messages", run, item.key.sk)
            gone = message.expired(self.walk.now_ms) or self.tenant.visible.hides(scope, message.born)
            yield place, "" if gone else message_line(scope, item.key.sk, message)

    def _versions(self, unit_id: str, version: int, after: str) -> Iterator[Step]:
        """Those before the version that was exported; a memory of version 1 has none."""
        if version <= 1:
            return
        first, last = (keys.earlier(self.partition, unit_id, number).sk for number in (1, version - 1))
        for item in self._items(self.partition, (first, last), after or None):
            unit, place = MemoryUnit.model_validate(item.body["unit"]), self.place("memories", unit_id, str(version))
            hidden = self.tenant.visible.hides(unit.scope, born_of(item)) or self._expired(unit)
            line = "" if hidden else history_line(unit, item.body["actor"], item.body["replacedMs"])
            yield (*place[:5], item.key.sk), line

    def _seen(self, item: Item) -> MemoryUnit | None:
        if not shown(item, self.tenant.visible):
            return None
        unit = unit_of(item)
        return unit if self.walk.pattern.matches(unit.scope) and not self._expired(unit) else None

    def _expired(self, unit: MemoryUnit) -> bool:
        return unit.expires_at is not None and parse_rfc3339(unit.expires_at) <= self.walk.now_ms

    def _scope(self, agent: str, run: str) -> Scope:
        return Scope(app_id=self.tenant.app_id, tenant_id=self.tenant.tenant_id, agent_id=agent, run_id=run)

    def _items(self, pk: str, span: tuple[str, str], after: str | None) -> Iterator[Item]:
        while True:
            page = self.walk.table.query(pk, *span, limit=PAGE, after=after)
            yield from page.items
            if not page.more:
                return
            after = page.items[-1].key.sk
