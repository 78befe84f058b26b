"""What a search sees of a tenant's memories: columns, links and postings at one moment; no later change touches it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from agent_memory.retrieval.block import Block, Levels, id_numbers, is_id
from agent_memory.retrieval.columns import Columns
from agent_memory.retrieval.links import conversation_order
from agent_memory.retrieval.metadata_rows import renumbered_metadata
from agent_memory.retrieval.postings import renumbered
from agent_memory.retrieval.tiers import Tiers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.metadata_rows import MetadataRows

    Mask = NDArray[np.bool_]
    Links = NDArray[np.int32]
    Numbers = NDArray[np.int64]

Named = TypeVar("Named")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Rows(Columns):
    """Rows 0 to size - 1; a memory keeps its row until a compaction. What is not `alive` was deleted or replaced.

    `before` and `after` are the rows of the living turns around each living row in its conversation, -1 for none:
    see `links`. `postings.find(term_hash(term))` gives (rows ascending, counts), dead rows among them. `scope_lengths`
    is the terms in each scope's current rows, `current` those that are alive and not retired, `living` their number.
    """

    alive: Mask
    current: Mask
    before: Links
    after: Links
    scopes: tuple[Levels, ...]
    speakers: tuple[str, ...]
    postings: Tiers
    scope_lengths: NDArray[np.float64]
    living: int

    @property
    def metadata(self) -> MetadataRows:
        """The rows, dead ones among them, by metadata key and value."""
        return self.postings.metadata

    def row_of(self, unit_id: str) -> int | None:
        """The living row of the memory."""
        rows = self.rows_of([unit_id])
        return int(rows[0]) if len(rows) else None

    def rows_of(self, unit_ids: Iterable[str]) -> Numbers:
        """The living rows of those of the memories that are here, in no order."""
        import numpy as np

        wanted = set(filter(is_id, unit_ids))
        rows = self.postings.candidates(np.unique(id_numbers(list(wanted))[:, 1]))
        return np.array([row for row in rows[self.alive[rows]].tolist() if self.id_of(row) in wanted], np.int64)


def living_block(rows: Rows, first: int, model: str, dim: int) -> Block:
    """The living rows from `first` on as a block: nothing of the dead ones is left in it."""
    import numpy as np

    order = _by_scope(rows, first + np.flatnonzero(rows.alive[first:]))
    numbers = np.full(rows.size, -1, np.int32)
    numbers[order] = np.arange(len(order), dtype=np.int32)
    columns = {name: array[order] for name, array in rows.arrays().items()}
    columns["scope_codes"], scopes = _recoded(columns["scope_codes"], rows.scopes)
    columns["speaker_codes"], speakers = _recoded(columns["speaker_codes"], rows.speakers)
    late = [part for part in rows.postings.parts if part.first + part.size > first]
    return Block(
        model=model,
        dim=dim,
        scopes=scopes,
        speakers=speakers,
        metadata=renumbered_metadata([(part.metadata, part.first) for part in late], numbers),
        postings=renumbered([(part.postings, part.first) for part in late], numbers),
        **columns,
    )


def _by_scope(rows: Rows, numbers: Numbers) -> Numbers:
    """In conversation order, conversations by name."""
    import numpy as np

    ordered = conversation_order(rows, numbers)
    codes, of_row = np.unique(rows.scope_codes[ordered], return_inverse=True)
    ranks = np.empty(len(codes), np.int32)
    by_name = sorted(range(len(codes)), key=lambda at: rows.scopes[codes[at]])
    ranks[by_name] = np.arange(len(codes), dtype=np.int32)
    return ordered[np.argsort(ranks[of_row], kind="stable")]


def _recoded(codes: NDArray[np.int32], table: tuple[Named, ...]) -> tuple[NDArray[np.int32], tuple[Named, ...]]:
    """With a table of only those that are used, in the order of their first use; -1 stays."""
    import numpy as np

    used, first = np.unique(codes, return_index=True)
    used = used[np.argsort(first)]
    used = used[used >= 0]
    anew = np.full(len(table) + 1, -1, np.int32)  # the last one is where -1 leads
    anew[used] = np.arange(len(used), dtype=np.int32)
    return anew[codes], tuple(table[code] for code in used.tolist())
