"""Loading a tenant's index from its snapshot: the record, then its objects side by side."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory import keys
from agent_memory.errors import ServerBusy, ServiceUnavailable
from agent_memory.retrieval.pack import UnreadableBlock, unpack_block
from agent_memory.retrieval.snapshots import Part, Snapshot, snapshot_of, unpack_alive
from agent_memory.retrieval.tenant_index import TenantIndex
from agent_memory.snapshot_store import SnapshotStore

if TYPE_CHECKING:
    from agent_memory.ports import WideTable
    from agent_memory.retrieval.block import Block
    from agent_memory.retrieval.snapshots import Ids

AT_ONCE = 8  # reads of objects
TRIES = 4  # each of them after another snapshot took the place of the one that was read

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The index as of the snapshot."""

    index: TenantIndex
    snapshot: Snapshot


def load_snapshot(partition: str, table: WideTable, store: SnapshotStore, model: str, dim: int) -> Loaded | None:
    """The tenant's stored index; None where there is none that can be used.

    An object that is not there may have been replaced just now, so the record is read again; what is damaged or can't
    be reached counts as not there.
    """
    key, seen = keys.snapshot(partition), 0
    for _ in range(TRIES):
        item = table.get([key]).get(key)
        snapshot = snapshot_of(item, model, dim)
        if item is None or snapshot is None or item.version == seen:
            return None
        try:
            return Loaded(_read(snapshot, store, model, dim), snapshot)
        except (UnreadableBlock, ServerBusy, ServiceUnavailable) as error:
            _log.warning("snapshot %d of a tenant can't be read: %s", item.version, error)
            seen = item.version
    return None


def read_blocks(held: Sequence[tuple[Part, Ids]], store: SnapshotStore) -> list[Block]:
    """The blocks of parts with these ids of their rows. Raises UnreadableBlock, or what the store raises."""
    found = zip(held, _objects([part.name for part, _ in held], store), strict=True)
    return [_block(part, ids, data) for (part, ids), data in found]


def _read(snapshot: Snapshot, store: SnapshotStore, model: str, dim: int) -> TenantIndex:
    objects = _objects([snapshot.alive, *(part.name for part in snapshot.parts)], store)
    ids, alive = unpack_alive(next(objects), snapshot.rows)
    index = TenantIndex.from_blocks(model, dim, _blocks(snapshot.parts, ids, objects), alive)
    index.seq = snapshot.seq
    return index


def _blocks(parts: Sequence[Part], ids: Ids, objects: Iterator[bytes]) -> Iterator[Block]:
    first = 0
    for part, data in zip(parts, objects, strict=True):
        yield _block(part, ids[first : first + part.rows], data)
        first += part.rows


def _objects(names: Sequence[str], store: SnapshotStore) -> Iterator[bytes]:
    """The objects in order. A few are read ahead, so that those of a large index are never all held at once."""
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="snapshot") as threads:
        ahead = deque(threads.submit(store.read, name) for name in names[:AT_ONCE])
        for name in (*names[AT_ONCE:], *([""] * len(ahead))):
            data = ahead.popleft().result()
            if data is None:
                raise UnreadableBlock("an object is not there")
            if name:
                ahead.append(threads.submit(store.read, name))
            yield data


def _block(part: Part, ids: Ids, data: bytes) -> Block:
    import numpy as np

    block = unpack_block(data)
    if not np.array_equal(block.ids, ids):
        raise UnreadableBlock(f"{part.name} has other rows")
    return block
