"""The tree of applications, tenants and conversations of a store, walked in key order from any place on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from agent_memory import keys
from agent_memory.memory_store import MemoryStore
from agent_memory.ports import Item, Key, WideTable
from agent_memory.records import born_of, scope_of
from agent_memory.scopes import ANY, Scope, ScopePattern
from agent_memory.visibility import Visibility, visibility

PAGE = 200
SAME_HASH = 10  # tenants that may share a 48-bit hash; two is already unlikely
AT_ONCE = 25  # tenants whose deletions are read in one batch


@dataclass(frozen=True, slots=True)
class Tenant:
    """One tenant of a store, and what is hidden in it."""

    app_id: str
    tenant_id: str
    visible: Visibility


@dataclass(frozen=True, slots=True)
class Range:
    """Sort keys of one partition, both ends included."""

    pk: str
    first: str = ""
    last: str = keys.LAST


def tenants(store: MemoryStore, pattern: ScopePattern, start: tuple[str, str], table: WideTable) -> Iterator[Tenant]:
    """Tenants that the pattern may reach, from (application, tenant) on; those it names are not looked up."""
    names = _tenant_names(store.uid, pattern, start, table)
    while batch := list(islice(names, 1 if pattern.tenant_id != ANY else AT_ONCE)):
        gone = [keys.gone(keys.tenant_partition(store.uid, app, tenant)) for app, tenant in batch]
        read = table.get(gone)
        for (app, tenant), key in zip(batch, gone, strict=True):
            yield Tenant(app, tenant, visibility(store, read.get(key)))


def tenants_of_id(uid: str, record_id: str, table: WideTable) -> list[tuple[str, str]]:
    """(application, tenant) of those whose tasks and units have ids that start as this one; one at most, but by chance.

    For an id that was never given, none.
    """
    located = keys.tenant_by_hash(uid, keys.encode_level(record_id[: keys.TENANT_HASH]))
    items = table.query(located.pk, "", keys.LAST, limit=SAME_HASH).items
    return [(item.body["appId"], item.body["tenantId"]) for item in items]


def runs(uid: str, tenant: Tenant, agent: str, after: str, table: WideTable) -> Iterator[tuple[str, Scope | None]]:
    """(place, conversation) of the tenant behind the place `after`; None for one that was deleted."""
    for items in pages(runs_of(uid, tenant, agent), after, table):
        for item in items:
            scope = scope_of(item)
            yield item.key.sk, None if tenant.visible.hides(scope, born_of(item)) else scope


def runs_of(uid: str, tenant: Tenant, agent: str) -> Range:
    """Where the entries of the tenant's conversations lie, of those with the agent (`*` for any)."""
    pk = keys.run_entry(uid, Scope(app_id=tenant.app_id, tenant_id=tenant.tenant_id)).pk
    return Range(pk, *keys.prefix_range("" if agent == ANY else f"{keys.encode_level(agent)}/"))


def pages(span: Range, after: str, table: WideTable) -> Iterator[tuple[Item, ...]]:
    """The records of the range behind the sort key `after`, a page at a time; no page is empty."""
    behind: str | None = after or None
    while True:
        page = table.query(span.pk, span.first, span.last, limit=PAGE, after=behind)
        if page.items:
            yield page.items
        if not page.more:
            return
        behind = page.items[-1].key.sk


def partition_keys(pk: str, table: WideTable) -> Iterator[Key]:
    """Keys of all records of a partition."""
    for items in pages(Range(pk), "", table):
        yield from (item.key for item in items)


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
    for items in pages(Range(pk, first), "", table):
        yield from (keys.decode_level(item.key.sk) for item in items)
