"""One tenant of a given size, made: its index, the objects of its snapshot, and records for what a search reads."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from agent_memory import keys
from agent_memory.change_log import SNAPSHOT_EVERY
from agent_memory.ports import Item, Put
from agent_memory.retrieval.block import IndexedUnit
from agent_memory.retrieval.index_cache import IndexCache
from agent_memory.retrieval.snapshot_writer import SnapshotWriter
from agent_memory.retrieval.snapshots import tenant_folder
from agent_memory.retrieval.tenant_index import TenantIndex
from agent_memory.retrieval.unit_records import PAGE
from tests.bench.scale_service import Embedded, RandomVectors, files_of, seconds, table_of
from tests.bench.synthetic import CONTENT, DIM, MODEL, PER_CONVERSATION, STEEP, units

WRITTEN, MOST_WRITTEN = 1_000, 10_000  # memories that get records: at least, and at most
SMALL, LARGE = "small", "large"  # the tenant that the service wrote, and the one of the size
LAWS = {"content": CONTENT, "steep": STEEP}
NO_LIMIT = 1 << 50

Figures = dict[str, Any]


class Pages:
    """Pages of memories; `seconds` is what making them took, which is nobody's cost."""

    def __init__(self, size: int, law: str) -> None:
        self._pages = units(size, law=LAWS[law], page=PAGE)
        self.seconds = 0.0

    def __iter__(self) -> Iterator[Sequence[IndexedUnit]]:
        while True:
            started = time.perf_counter()
            page = next(self._pages, None)
            self.seconds += time.perf_counter() - started
            if page is None:
                return
            yield page


def made(size: int, law: str, folder: Path) -> Figures:
    """Rates in memories a second, times in seconds; the folder then has all that a process needs that serves it."""
    with closing(table_of(folder)) as table, closing(Embedded(folder, table=table)) as service:
        service.call("CreateMemoryStore", {})
        found = _written(service, size) if law == "content" else _few(service)
        found |= _index(size, law)
        view = service.view(LARGE)
        writer = SnapshotWriter(tenant_folder(view.partition), MODEL, DIM, files_of(folder), service.services.new_id)
        pages = Pages(size, law)
        took = seconds(lambda: writer.write_all(pages))
        head = max(SNAPSHOT_EVERY, size // PER_CONVERSATION)
        snapshot = writer.finish(head, view.visible.born)
        table.write([Put(Item(keys.snapshot(view.partition), snapshot.to_body(MODEL, DIM)))])
        table.write([Put(Item(keys.head(view.partition), {}, version=head))])
    size_bytes = sum(part.size for part in snapshot.parts)
    return {**found, "snapshot whole": took - pages.seconds, "snapshot bytes": size_bytes, "parts": len(snapshot.parts)}


def _written(service: Embedded, size: int) -> Figures:
    """Memories through the service, as many as the size says where that is few; how fast, and the load from records."""
    if size > MOST_WRITTEN:
        return _few(service)
    took = seconds(lambda: service.add(SMALL, size))
    view = service.view(SMALL)
    cache = IndexCache(service.services.table, RandomVectors(), max_bytes=NO_LIMIT)
    loading = seconds(lambda: cache.at(view.partition, view.head, view.visible))
    count = len(cache.at(view.partition, view.head, view.visible))
    if count != size:
        raise RuntimeError(f"{size} messages became {count} memories")
    return {"completed rate": size / took, "load records": loading}


def _few(service: Embedded) -> Figures:
    service.add(SMALL, WRITTEN)
    return {}


def _index(size: int, law: str) -> Figures:
    """From memories to an index, as a load from records does once it has read them."""
    pages = Pages(size, law)
    took = seconds(lambda: TenantIndex.from_pages(MODEL, DIM, pages))
    return {"built rate": size / (took - pages.seconds)}
