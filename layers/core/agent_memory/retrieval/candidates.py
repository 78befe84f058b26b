"""Which of the rows a ranking looks at closely: all of a small selection, else the best and the turns around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.rows import Rows

    Floats = NDArray[np.float32]
    Numbers = NDArray[np.int64]

ALL_OF = 1_000  # rows that are all looked at
BEST = 300
NEIGHBOURS_OF = 75  # of the best, whose two turns to either side are looked at too
_STEP, _OF_SAMPLE = 64, 16  # every 64th row, of which 16 stand for three times as many as are wanted


def candidates(rows: Rows, meant: NDArray[np.bool_], first_look: Floats) -> Numbers:
    """Rows in ascending order, all of them meant; `first_look` has one score per row of the index."""
    import numpy as np

    if np.count_nonzero(meant) <= ALL_OF:
        return np.flatnonzero(meant)
    best = _best(rows, _promising(meant, first_look), first_look)
    found = np.union1d(best, _neighbours(rows, best[:NEIGHBOURS_OF]))
    return found[meant[found]]


def _promising(meant: NDArray[np.bool_], first_look: Floats) -> Numbers:
    """Those of the meant rows that may be among the best, and no fewer than BEST: a sample says which can't be."""
    import numpy as np

    sample = first_look[::_STEP][meant[::_STEP]]
    if len(sample) > _OF_SAMPLE:
        found = np.flatnonzero((first_look >= np.partition(sample, -_OF_SAMPLE)[-_OF_SAMPLE]) & meant)
        if len(found) >= BEST:
            return found
    return np.flatnonzero(meant)


def _best(rows: Rows, chosen: Numbers, first_look: Floats) -> Numbers:
    """The best first; ties by id, since rows are numbered anew by a compaction."""
    import numpy as np

    scores = -first_look[chosen]
    bound = np.partition(scores, BEST - 1)[BEST - 1]
    above, tied = chosen[scores < bound], chosen[scores == bound]
    keys = rows.ids[tied, 1]  # the low halves: the high ones start alike
    rest = BEST - len(above)
    found = np.append(above, tied if len(tied) == rest else tied[np.argpartition(keys, rest)[:rest]])
    return found[np.lexsort((rows.ids[found, 1], -first_look[found]))]


def _neighbours(rows: Rows, centres: Numbers) -> Numbers:
    import numpy as np

    found = []
    for links in (rows.before, rows.after):
        at = centres
        for _ in range(2):
            at = links[at].astype(np.int64)
            at = at[at >= 0]
            found.append(at)
    return np.concatenate(found)
