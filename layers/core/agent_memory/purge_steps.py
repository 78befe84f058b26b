"""The records below a prefix of scopes, in the order in which a purge goes through them: what leads to others last.

First a tenant's own partition, then each conversation and its entry, then the tenant's entries. A job that died
half-way, or ran out of its share, finds the rest when it goes on from its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from agent_memory import keys
from agent_memory.directory import Range, Tenant, pages, runs_of, tenants
from agent_memory.memory_store import MemoryStore
from agent_memory.ports import Item, WideTable
from agent_memory.records import scope_of
from agent_memory.scopes import ANY, Scope, ScopePattern


@dataclass(frozen=True, slots=True)
class Place:
    """How far a purge has come: behind the sort key `after` of a tenant's partition, or of one of its conversations.

    `run` is the sort key of the conversation's entry.
    """

    app: str = ""
    tenant: str = ""
    run: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """Some records of a tenant, and the place behind them.

    They belong to the conversation `scope`, or are the tenant's own and say themselves to which they belong; or they
    are the tenant's `entries` of the directory.
    """

    place: Place
    tenant: Tenant
    items: tuple[Item, ...]
    scope: Scope | None = None
    entries: bool = False


def steps(store: MemoryStore, pattern: ScopePattern, start: Place, table: WideTable) -> Iterator[Step]:
    """All steps from a place on; the entries of a tenant only where the pattern takes in all of it."""
    for tenant in tenants(store, pattern, (start.app, start.tenant), table):
        here = Place(tenant.app_id, tenant.tenant_id)
        if (here.app, here.tenant) == (start.app, start.tenant):
            here = start
        if not here.run:
            yield from _own(store.uid, tenant, here, table)
        yield from _conversations(store.uid, tenant, pattern, here, table)
        if pattern.agent_id == ANY:
            entries = _entries(store.uid, tenant, table)
            yield Step(replace(here, run=keys.LAST, after=""), tenant, entries, entries=True)


def _own(uid: str, tenant: Tenant, here: Place, table: WideTable) -> Iterator[Step]:
    partition = keys.tenant_partition(uid, tenant.app_id, tenant.tenant_id)
    for items in pages(Range(partition), here.after, table):
        yield Step(replace(here, after=items[-1].key.sk), tenant, items)


def _conversations(uid: str, tenant: Tenant, pattern: ScopePattern, here: Place, table: WideTable) -> Iterator[Step]:
    """Every conversation of the pattern, also those that were written to again: older records may lie in them."""
    span = runs_of(uid, tenant, pattern.agent_id)
    for entries in pages(replace(span, first=max(span.first, here.run)), "", table):
        for entry in entries:
            scope = scope_of(entry)
            if pattern.matches(scope):
                place = here if entry.key.sk == here.run else replace(here, run=entry.key.sk, after="")
                for items in pages(Range(keys.run_partition(uid, scope)), place.after, table):
                    yield Step(replace(place, after=items[-1].key.sk), tenant, items, scope)
                yield Step(replace(place, after=keys.LAST), tenant, (entry,), scope)


def _entries(uid: str, tenant: Tenant, table: WideTable) -> tuple[Item, ...]:
    app, name = tenant.app_id, tenant.tenant_id
    wanted = [keys.tenant_entry(uid, app, name), keys.tenant_by_hash(uid, keys.tenant_hash(app, name), app, name)]
    found = table.get(wanted)
    return tuple(found[key] for key in wanted if key in found)
