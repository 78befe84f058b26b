"""Loading a tenant's index from its snapshot: the record, then its objects side by side."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent_memory import keys
from agent_memory.errors import ServerBusy, ServiceUnavailable
from agent_memory.retrieval.pack import UnreadableBlock, unpack_block
from agent_memory.retrieval.snapshots import Part, Snapshot, snapshot_of, unpack_alive
from agent_memory.retrieval.tenant_index import TenantIndex
from agent_memory.snapshot_store import SnapshotStore

if TYPE_CHECKING:
    from agent_memory.ports import WideTable
    from agent_memory.retrieval.block import Block
    from agent_memory.retrieval.snapshots import Ids, Mask

AT_ONCE = 4  # objects that are read and checked; more would only be held in memory
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
    found = _side_by_side([_block(part, store) for part, _ in held])
    return [_checked(part, ids, block) for (part, ids), block in zip(held, found, strict=True)]


def _read(snapshot: Snapshot, store: SnapshotStore, model: str, dim: int) -> TenantIndex:
    found = _side_by_side([_rows(snapshot, store), *(_block(part, store) for part in snapshot.parts)])
    ids, alive = next(found)
    index = TenantIndex.from_blocks(model, dim, _blocks(snapshot.parts, ids, found), alive)
    index.seq = snapshot.seq
    return index


def _blocks(parts: Sequence[Part], ids: Ids, found: Iterator[Block]) -> Iterator[Block]:
    first = 0
    for part in parts:
        yield _checked(part, ids[first : first + part.rows], next(found))
        first += part.rows


def _side_by_side(tasks: Sequence[Callable[[], Any]]) -> Iterator[Any]:
    """What the tasks give, in order. A few are done ahead, so that the objects of a large index are never all held."""
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="snapshot") as threads:
        ahead: deque[Future[Any]] = deque()
        for task in tasks:
            ahead.append(threads.submit(task))
            if len(ahead) == AT_ONCE:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


def _rows(snapshot: Snapshot, store: SnapshotStore) -> Callable[[], tuple[Ids, Mask]]:
    return lambda: unpack_alive(_object(snapshot.alive, store), snapshot.rows)


def _block(part: Part, store: SnapshotStore) -> Callable[[], Block]:
    return lambda: unpack_block(_object(part.name, store))


def _object(name: str, store: SnapshotStore) -> bytes:
    data = store.read(name)
    if data is None:
        raise UnreadableBlock("an object is not there")
    return data


def _checked(part: Part, ids: Ids, block: Block) -> Block:
    import numpy as np

    if not np.array_equal(block.ids, ids):
        raise UnreadableBlock(f"{part.name} has other rows")
    return block
