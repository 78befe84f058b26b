"""One tenant of a given size, served by a process that begins with nothing: load, searches, changes, next snapshot."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from agent_memory import keys
from agent_memory.change_log import SNAPSHOT_EVERY, log_writes
from agent_memory.ports import Job, Key
from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.hits import SearchQuery
from agent_memory.retrieval.index_cache import IndexCache
from agent_memory.retrieval.tenant_index import TenantIndex
from agent_memory.use_cases.snapshot_index import snapshot_index
from tests.bench.counted import Bill, CountedSnapshots, CountedTable, billed
from tests.bench.scale_made import LARGE, LAWS, NO_LIMIT, SMALL, WRITTEN, Figures
from tests.bench.scale_memory import column_groups, peak, resident
from tests.bench.scale_service import (
    APP,
    INSTANCE,
    STORE,
    Embedded,
    RandomVectors,
    files_of,
    memories_of,
    seconds,
    table_of,
)
from tests.bench.standing_in import FewMemories
from tests.bench.synthetic import PER_CONVERSATION, questions, units

SEARCHES, WARM = 100, 10  # of each kind; the first are not counted
REPEATS = 7  # of a change
TAIL = SNAPSHOT_EVERY - 1  # entries of the log that a load may find behind the snapshot
PER_ENTRY = 4
TOP_K = 50
NOW_MS = 1_796_083_200_000
KINDS = {"search": (True, False), "fused": (False, False), "words": (False, True)}  # rerank, keyword_only


@dataclass(slots=True)
class Process:
    """The tenant's process: `plain` is not counted, `counted` has every call on the bill; both have one cache."""

    plain: Embedded
    counted: Embedded
    cache: IndexCache
    bill: Bill
    written: Sequence[Key]

    def current(self) -> TenantIndex:
        """The index as new as the log."""
        view = self.plain.view(LARGE)
        return self.cache.at(view.partition, view.head, view.visible)

    def billed(self) -> tuple[float, Bill]:
        """Seconds to bring it up to date, and what that called."""
        view = self.plain.view(LARGE)
        with billed(self.bill) as part:
            took = seconds(lambda: self.cache.at(view.partition, view.head, view.visible))
        return took, part

    def log(self, entries: int, each: int) -> None:
        """So many more entries, with memories that have records."""
        view, names = self.plain.view(LARGE), itertools.cycle(key.sk.removeprefix("unit/") for key in self.written)
        for step in range(entries):
            ids = list(itertools.islice(names, each))
            self.plain.services.table.write(log_writes(view.partition, view.head + step, puts=ids))


def served(size: int, law: str, folder: Path) -> Figures:
    """Times in seconds, bytes, and bills, by name."""
    with closing(table_of(folder)) as table:
        process = _process(table, folder)
        process.plain.search(SMALL, "warm up")
        gc.collect()
        before = resident()
        took, load = process.billed()
        gc.collect()
        found: Figures = {"load": took, "load bill": load, "resident": resident() - before, "peak": peak() - before}
        index = process.current()
        if len(index) != size:  # read from records, of which there are few: the code changed since they were made
            raise RuntimeError(f"an index of {len(index)} memories was loaded, not of {size}")
        found |= {"bytes": index.size_bytes, "rows": index.rows.size, "groups": column_groups(index)}
        found |= _searches(index, law) | _api(process)
        found["apply"] = _applied(index)
        return found | _changes(process)


def _process(table: Any, folder: Path) -> Process:
    view = Embedded(folder, table=table).view
    written = list(itertools.islice(memories_of(table, view(SMALL).partition), WRITTEN))
    bill, few = Bill(), FewMemories(table, view(LARGE).partition, written)
    counted, files = CountedTable(few, bill), CountedSnapshots(files_of(folder), bill)
    cache = IndexCache(counted, RandomVectors(), max_bytes=NO_LIMIT, snapshots=files)
    return Process(
        Embedded(folder, table=few, indexes=cache),
        Embedded(folder, table=counted, snapshots=files, indexes=cache),
        cache,
        bill,
        written,
    )


def _searches(index: TenantIndex, law: str) -> Figures:
    """Each question in every way, then one bare scan for it, so that a slow moment of the machine meets all alike."""
    import simsimd

    vectors = np.ascontiguousarray(index.rows.vectors)
    times: dict[str, list[float]] = {name: [] for name in (*KINDS, "scan")}
    for text, vector in questions(SEARCHES, LAWS[law]):
        for name, (rerank, words) in KINDS.items():
            query = SearchQuery(text, vector, Selection(now_ms=NOW_MS), TOP_K, rerank=rerank, keyword_only=words)
            times[name].append(seconds(partial(index.search, query)))
        asked = np.clip(np.rint(vector / np.abs(vector).max() * 127), -127, 127).astype(np.int8)
        times["scan"].append(seconds(partial(simsimd.cdist, asked[None], vectors, "cosine")))
    return {name: measured[WARM:] for name, measured in times.items()}


def _api(process: Process) -> Figures:
    """SearchMemories on the embedded adapters, and what one of them calls."""
    texts = [text for text, _ in questions(SEARCHES)]
    times = [seconds(partial(process.plain.search, LARGE, text)) for text in texts]
    process.counted.search(LARGE, texts[0])
    bills = []
    for text in texts[:WARM]:
        with billed(process.bill) as part:
            process.counted.search(LARGE, text)
        bills.append(part)
    return {"served": times[WARM:], "search bills": bills}


def _applied(index: TenantIndex) -> list[float]:
    """20 more memories, again and again; the first time moves columns to where they have room."""
    size = index.rows.size
    pages = [page for step in range(REPEATS) for page in units(PER_CONVERSATION, first=size + step * PER_CONVERSATION)]
    return [seconds(partial(index.apply, page, [])) for page in pages][1:]


def _changes(process: Process) -> Figures:
    """The index follows the log by one entry, then by as many as a load may find; then the next snapshot is stored."""
    process.log(1, PER_CONVERSATION)
    refresh, refreshed = process.billed()
    process.log(TAIL, PER_ENTRY)
    tail, tailed = process.billed()
    view = process.plain.view(LARGE)
    payload = {"instance": INSTANCE, "store": STORE, "uid": view.store.uid, "appId": APP, "tenantId": LARGE}
    job = Job("snapshot", "bench", view.partition, payload)
    with billed(process.bill) as stored:
        took = seconds(lambda: snapshot_index(job, process.counted.services))
    kept = process.plain.services.table.get([keys.snapshot(view.partition)])
    if [item.body["seq"] for item in kept.values()] != [view.head]:
        raise RuntimeError("the next snapshot was not stored")
    return {
        "refresh": refresh,
        "refresh bill": refreshed,
        "tail": tail,
        "tail bill": tailed,
        "snapshot next": took,
        "snapshot bill": stored,
    }
