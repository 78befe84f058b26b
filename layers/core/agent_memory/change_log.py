"""The change log of a tenant: which memories each write touched, in order. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent_memory import keys
from agent_memory.ports import Item, Put, Write

SNAPSHOT_EVERY = 256  # entries after which a tenant's index is stored anew: what a cold load reads of the log at most


def log_writes(partition: str, sequence: int, *, puts: Sequence[str] = (), deletes: Sequence[str] = ()) -> list[Write]:
    """The next entry of the tenant's change log after `sequence`, and the head that points at it."""
    entry = Item(keys.change(partition, sequence + 1), {"puts": list(puts), "deletes": list(deletes)})
    head = Item(keys.head(partition), {}, version=sequence + 1)
    return [Put(entry, expect=0), Put(head, expect=sequence)]


def logged(writes: Iterable[Write]) -> list[int]:
    """The sequence numbers of the log entries among the writes."""
    written = [write.item.key.sk for write in writes if isinstance(write, Put)]
    return [int(sk.removeprefix("log/")) for sk in written if sk.startswith("log/")]
