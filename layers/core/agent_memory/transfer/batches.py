"""Which lines of an import are written together. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent_memory.ports import MAX_WRITES
from agent_memory.text import utf8_size
from agent_memory.transfer.incoming_lines import MemoryLine, RecordLine

MAX_BYTES = 1_500_000  # of the 4 MB of a transaction
MAX_EMBEDDED_BYTES = 16_000  # text of one batch that has no vector yet: seconds of a small model on one core
FIXED_WRITES = 7  # life, deletions, head and entry of the change log, three entries of the directory
_WRITES = {"message": 3, "memory": 1, "history": 2}


@dataclass(frozen=True, slots=True)
class Incoming:
    """A line of an import that is a record: its number, its size in bytes, the vector that came with it and fits."""

    number: int
    size: int
    line: RecordLine
    vector: bytes = b""

    @property
    def tenant(self) -> tuple[str, str]:
        """Application and tenant."""
        return (self.line.scope.app_id, self.line.scope.tenant_id)

    @property
    def embedded_bytes(self) -> int:
        """How much text must be embedded for it."""
        if self.vector or not isinstance(self.line, MemoryLine):
            return 0
        return utf8_size(self.line.memory.search_text)


def batches(incoming: Iterable[Incoming]) -> Iterator[list[Incoming]]:
    """The records in order, parted so that each part is of one tenant, names no record twice and fits a transaction."""
    batch: list[Incoming] = []
    for each in incoming:
        if batch and not _fits(batch, each):
            yield batch
            batch = []
        batch.append(each)
    if batch:
        yield batch


def _fits(batch: list[Incoming], one: Incoming) -> bool:
    both = [*batch, one]
    return (
        one.tenant == batch[0].tenant
        and all(one.line.ident != each.line.ident for each in batch)
        and _writes(both) <= MAX_WRITES
        and sum(each.size for each in both) <= MAX_BYTES
        and sum(each.embedded_bytes for each in both) <= MAX_EMBEDDED_BYTES
    )


def _writes(batch: list[Incoming]) -> int:
    runs = {each.line.scope.path for each in batch}
    return FIXED_WRITES + len(runs) + sum(_WRITES[each.line.type] for each in batch)
