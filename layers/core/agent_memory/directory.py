"""The tree of applications, tenants and conversations of a store, walked in key order from any place on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from agent_memory import keys
from agent_memory.memory_store import MemoryStore
from agent_memory.ports import Key, WideTable
from agent_memory.records import born_of, scope_of
from agent_memory.scopes import ANY, Scope, ScopePattern
from agent_memory.visibility import Visibility, visibility

PAGE = 200
AT_ONCE = 25  # tenants whose deletions are read in one batch


@dataclass(frozen=True, slots=True)
class Tenant:
    """One tenant of a store, and what is hidden in it."""

    app_id: str
    tenant_id: str
    visible: Visibility


def tenants(store: MemoryStore, pattern: ScopePattern, start: tuple[str, str], table: WideTable) -> Iterator[Tenant]:
    """Tenants that the pattern may reach, from (application, tenant) on; those it names are not looked up."""
    names = _tenant_names(store.uid, pattern, start, table)
    while batch := list(islice(names, 1 if pattern.tenant_id != ANY else AT_ONCE)):
        gone = [keys.gone(keys.tenant_partition(store.uid, app, tenant)) for app, tenant in batch]
        read = table.get(gone)
        for (app, tenant), key in zip(batch, gone, strict=True):
            yield Tenant(app, tenant, visibility(store, read.get(key)))


def runs(uid: str, tenant: Tenant, agent: str, after: str, table: WideTable) -> Iterator[tuple[str, Scope | None]]:
    """(place, conversation) of the tenant behind the place `after`; None for one that was deleted."""
    pk = keys.run_entry(uid, Scope(app_id=tenant.app_id, tenant_id=tenant.tenant_id)).pk
    first, last = keys.prefix_range("" if agent == ANY else f"{keys.encode_level(agent)}/")
    behind: str | None = after or None
    while True:
        page = table.query(pk, first, last, limit=PAGE, after=behind)
        for item in page.items:
            scope = scope_of(item)
            yield item.key.sk, None if tenant.visible.hides(scope, born_of(item)) else scope
        if not page.more:
            return
        behind = page.items[-1].key.sk


def partition_keys(pk: str, table: WideTable) -> Iterator[Key]:
    """Keys of all records of a partition."""
    behind: str | None = None
    while True:
        page = table.query(pk, "", keys.LAST, limit=PAGE, after=behind)
        yield from (item.key for item in page.items)
        if not page.more:
            return
        behind = page.items[-1].key.sk


def _tenant_names(
    uid: str, pattern: ScopePattern, start: tuple[str, str], table: WideTable
) -> Iterator[tuple[str, str]]:
    for app in _names(keys.app_entry(uid, "").pk, pattern.app_id, start[0], table):
        first = start[1] if app == start[0] else ""
        for tenant in _names(keys.tenant_entry(uid, app, "").pk, pattern.tenant_id, first, table):
            yield app, tenant


def _names(pk: str, level: str, first: str, table: WideTable) -> Iterable[str]:
    """The directory's names from `first` on, or the one name that the pattern gives."""
    if level != ANY:
        return [level]
    return _listed(pk, keys.encode_level(first), table)


def _listed(pk: str, first: str, table: WideTable) -> Iterator[str]:
    behind: str | None = None
    while True:
        page = table.query(pk, first, keys.LAST, limit=PAGE, after=behind)
        yield from (keys.decode_level(item.key.sk) for item in page.items)
        if not page.more:
            return
        behind = page.items[-1].key.sk
