"""The turns around each candidate in its conversation, as a table of rows that the arms are summed over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.arms import Match
    from agent_memory.retrieval.rows import Rows

    Numbers = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Values = NDArray[np.float32] | NDArray[np.float64]

REACH = 4  # turns to either side
_HERE = REACH

BEFORE_1 = (-1, 0)
AROUND_1 = (-1, 0, 1)
AROUND_2 = (-2, -1, 0, 1, 2)
AROUND_4 = tuple(range(-REACH, REACH + 1))


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """`table[i, REACH + k]` is the row of the kth turn after candidate i, the candidate itself for 0, -1 for none."""

    table: Numbers

    def at(self, offset: int) -> Numbers:
        """The rows of that offset, -1 for none."""
        column: Numbers = self.table[:, _HERE + offset]
        return column

    def there(self) -> Floats:
        """1 where there is a row, else 0."""
        import numpy as np

        return (self.table >= 0).astype(np.float64)

    def spread(self, values: Values) -> Floats:
        """The values of all rows of the index as a table like this one, 0 for none."""
        import numpy as np

        table: Floats = np.where(self.table >= 0, values[self.table], 0).astype(np.float64)
        return table

    def counts(self, matches: Sequence[Match], size: int) -> Floats:
        """How often each term stands in each row of the table: (terms, candidates, 2 * REACH + 1)."""
        import numpy as np

        found = np.zeros((len(matches), *self.table.shape))
        for place, match in enumerate(matches):
            buffer = np.zeros(size + 1, np.float32)  # -1 finds the last; pages that nobody touches cost nothing
            buffer[match.rows] = match.counts
            found[place] = buffer[self.table]
        return found


def neighbourhood(rows: Rows, candidates: Numbers, now_ms: int) -> Neighbourhood:
    """The neighbours that still live at the instant."""
    import numpy as np

    table = np.full((len(candidates), 2 * REACH + 1), -1, np.int64)
    table[:, _HERE] = candidates
    for links, way in ((rows.before, -1), (rows.after, 1)):
        at = candidates
        for step in range(1, REACH + 1):
            at = np.where(at >= 0, links[at], -1)
            table[:, _HERE + way * step] = at
    gone = rows.expires_ms[table] <= now_ms
    gone[:, _HERE] = False
    table[gone] = -1
    return Neighbourhood(table)


def summed(table: Floats, offsets: Sequence[int]) -> Floats:
    """The sum over those offsets along the last axis."""
    import numpy as np

    total: Floats = np.add.reduce([table[..., _HERE + offset] for offset in offsets])
    return total
