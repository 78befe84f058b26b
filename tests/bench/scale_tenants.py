"""Many small tenants: what each costs in memory, and how often the cache of indexes has the one that is asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.hits import SearchQuery
from agent_memory.retrieval.index_cache import IndexCache
from agent_memory.retrieval.tenant_index import TenantIndex
from agent_memory.settings import Settings
from agent_memory.store_access import TenantView
from tests.bench.counted import Bill, CountedTable, billed
from tests.bench.scale_made import NO_LIMIT, Figures
from tests.bench.scale_memory import resident
from tests.bench.scale_served import NOW_MS, TOP_K
from tests.bench.scale_service import APP, Embedded, RandomVectors, seconds, table_of
from tests.bench.standing_in import FewTenants, tenant_name
from tests.bench.synthetic import questions

WRITTEN = 100  # tenants that get records; the others read theirs
EACH = 10
LOADS = 200  # that are timed
HELD = 5_000  # indexes that the cache has room for where it is measured
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)  # of all tenants that there is room for, where it is worked out
VISITS = 20_000  # after as many that fill the cache, where it is measured
WORKED_OUT = 4_000_000  # visits where it is worked out: fewer would not fill a large one
SKEW = 1.0  # Zipf's law: the nth busiest tenant is asked 1/n times as often as the busiest


@dataclass(slots=True)
class Lru:
    """What a least-recently-used cache of so many equal entries would hold."""

    room: int
    held: OrderedDict[int, None] = field(default_factory=OrderedDict)

    def visit(self, number: int) -> bool:
        """Whether it was held."""
        found = number in self.held
        self.held[number] = None
        self.held.move_to_end(number)
        if len(self.held) > self.room:
            self.held.popitem(last=False)
        return found


def visits(tenants: int, count: int) -> list[int]:
    """Numbers of tenants in the order of their calls, independent of each other; the same each time."""
    weights = 1 / np.arange(1, tenants + 1) ** SKEW
    drawn = np.random.default_rng(17).random(count)
    found: list[int] = np.searchsorted(np.cumsum(weights) / weights.sum(), drawn).tolist()
    return found


def hit_rate(order: Sequence[int], room: int) -> float:
    """Of the second half of the visits, the share that finds its tenant held."""
    cache = Lru(room)
    hits = [cache.visit(number) for number in order]
    measured = hits[len(hits) // 2 :]
    return sum(measured) / max(len(measured), 1)


def many_tenants(count: int, folder: Path) -> Figures:
    """Bytes of a tenant, seconds of a load and of a search, and hit rates of the cache by its room."""
    with closing(table_of(folder)) as table, closing(Embedded(folder, table=table)) as service:
        service.call("CreateMemoryStore", {})
        for number in range(WRITTEN):
            service.add(tenant_name(number), EACH)
        view = service.view(tenant_name(0))
        bill = Bill()
        few = FewTenants(CountedTable(table, bill), view.store.uid, APP, WRITTEN)
        plain = FewTenants(table, view.store.uid, APP, WRITTEN)
        found = _loads(few, bill, view) | _held_at_once(plain, view, min(count, HELD))
        order = visits(count, 2 * VISITS)
        room = min(HELD, count // 2)
        shares = [share for share in SHARES if int(share * count)]
        many = visits(count, WORKED_OUT)
        rates = {share: hit_rate(many, int(share * count)) for share in shares}
        measured = _measured(plain, view, order, int(found["bytes"] * (room + 0.5)))
    default = Settings().index_cache_bytes
    worked_out = {"tenants": count, "room": room, "rates": rates, "worked out": hit_rate(order, room)}
    return {**found, **worked_out, "measured": measured, "default room": default / found["bytes"]}


def _loads(table: Any, bill: Bill, view: TenantView) -> Figures:
    """From records: a tenant with so few changes has no snapshot. The first ones are not counted."""
    cache = IndexCache(table, RandomVectors(), max_bytes=NO_LIMIT)
    times, bills = [], []
    for number in range(LOADS):
        with billed(bill) as part:
            times.append(seconds(partial(cache.at, table.partition(number), view.head, view.visible)))
        bills.append(part)
    indexes = [cache.at(table.partition(number), view.head, view.visible) for number in range(LOADS)]
    asked = list(zip(questions(LOADS), indexes, strict=True))[LOADS // 4 :]
    searches = [seconds(partial(_search, index, text, vector)) for (text, vector), index in asked]
    size = float(np.mean([index.size_bytes for index in indexes]))
    return {"load": times[LOADS // 4 :], "load bill": bills[-1], "search": searches, "bytes": size}


def _search(index: TenantIndex, text: str, vector: Any) -> object:
    return index.search(SearchQuery(text, vector, Selection(now_ms=NOW_MS), TOP_K))


def _held_at_once(table: FewTenants, view: TenantView, count: int) -> Figures:
    """What the process grows by for each; what loading left behind for others to use is not counted."""
    cache = IndexCache(table, RandomVectors(), max_bytes=NO_LIMIT)
    before = resident()
    for number in range(count):
        cache.at(table.partition(number), view.head, view.visible)
    return {"resident": (resident() - before) / count}


class _Loads:
    """The table; `count` is how many tenants were read from it."""

    def __init__(self, table: FewTenants) -> None:
        self._table, self.count = table, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def query(self, *range_: Any, **options: Any) -> Any:
        """One of them."""
        self.count += 1
        return self._table.query(*range_, **options)


def _measured(table: FewTenants, view: TenantView, order: Sequence[int], max_bytes: int) -> float:
    """Hit rate of the cache itself over the second half of the visits."""
    loads = _Loads(table)
    cache = IndexCache(loads, RandomVectors(), max_bytes=max_bytes)
    half = len(order) // 2
    for number in order[:half]:
        cache.at(table.partition(number), view.head, view.visible)
    before = loads.count
    for number in order[half:]:
        cache.at(table.partition(number), view.head, view.visible)
    return 1 - (loads.count - before) / (len(order) - half)
