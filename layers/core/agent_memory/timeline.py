"""Calls and tasks newest first: partitions merged, a bounded number of entries read, and a place to go on from."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from agent_memory.audit import CallRecord
from agent_memory.models import LEVELS
from agent_memory.ports import Item, Key, WideTable
from agent_memory.scopes import ANY
from agent_memory.timeline_keys import KINDS, Range, calls_partition, moment, moments, timeline, timelines

T = TypeVar("T")

PAGE = 800  # entries that are read at once where all are
BUDGET = 500  # entries that one call reads; a page may come back short or empty and still carry a token
SECONDS_PER_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    """What was found, newest first, and the sort key behind which the next page starts; None at the end."""

    found: list[T]
    after: str | None


def newest(
    table: WideTable, partitions: Sequence[str], bounds: Range, after: str | None, page_size: int
) -> Iterator[Item]:
    """The items of all partitions between the bounds, and behind `after`, by falling sort key."""
    share = page_size // len(partitions) + 5  # of one query: entries are spread evenly, and one more page is cheap
    each = (_falling(table, pk, bounds, after, share) for pk in partitions)
    return heapq.merge(*each, key=lambda item: item.key.sk, reverse=True)


def listed(entries: Iterator[Item], resolve: Callable[[list[Item]], list[T | None]], limit: int) -> Listed[T]:
    """At most `limit` of what `resolve` makes of the entries; it gets a batch, and answers in its order.

    None from it leaves the entry out.
    """
    found: list[T] = []
    position: str | None = None
    for read, (place, each) in enumerate(_resolved(entries, resolve, limit + 1)):
        if position is not None and (len(found) == limit or read >= BUDGET):
            return Listed(found, position)
        position = place
        if each is not None:
            found.append(each)
    return Listed(found, None)


def call_items(uid: str, call: CallRecord, days: int) -> list[Item]:
    """The record where its tenant finds it, if it named one, and where the store does; gone after so many days."""
    keys = [timeline("calls", uid, call.created_ms, call.call_id)]
    app, tenant, *_ = [call.scope.get(name, ANY) for name in LEVELS]
    if ANY not in (app, tenant):
        keys.append(Key(calls_partition(uid, app, tenant), moment(call.created_ms, call.call_id)))
    ttl = call.created_ms // 1_000 + days * SECONDS_PER_DAY
    return [Item(key, call.to_json(), ttl=ttl) for key in keys]


def entry_keys(uid: str, table: WideTable) -> Iterator[Key]:
    """Every entry of the store's timelines, a call's copy for its tenant before the one that leads to it."""
    for kind in KINDS:
        for item in newest(table, timelines(kind, uid), moments(None, None), None, PAGE):
            scope = item.body["scope"]
            if kind == "calls" and "appId" in scope:
                yield Key(calls_partition(uid, scope["appId"], scope["tenantId"]), item.key.sk)
            yield item.key


def _falling(table: WideTable, pk: str, bounds: Range, after: str | None, share: int) -> Iterator[Item]:
    behind = after
    while True:
        page = table.query(pk, *bounds, limit=share, after=behind, reverse=True)
        yield from page.items
        if not page.more:
            return
        behind = page.items[-1].key.sk


def _resolved(
    entries: Iterator[Item], resolve: Callable[[list[Item]], list[T | None]], size: int
) -> Iterator[tuple[str, T | None]]:
    while batch := list(islice(entries, size)):
        for item, each in zip(batch, resolve(batch), strict=True):
            yield item.key.sk, each
