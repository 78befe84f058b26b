"""The turns before and after each row in its conversation, as row numbers, -1 for none. Pure functions over arrays.

A turn is linked to the turns next to it. A row that is none is linked to the turns around its place; those of the very
same place, which it came from, are skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.retrieval.columns import TURN, Columns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Links = NDArray[np.int32]
    Mask = NDArray[np.bool_]


def conversation_order(columns: Columns, rows: Numbers) -> Numbers:
    """The rows by scope code, place and id."""
    import numpy as np

    ids, places = columns.ids[rows], columns.places[rows]
    keys = (ids[:, 1], ids[:, 0], places[:, 2], places[:, 1], places[:, 0], columns.scope_codes[rows])
    return rows[np.lexsort(keys)]


def neighbours(columns: Columns, rows: Numbers) -> tuple[Links, Links]:
    """The turns before and after each of the rows, which are in conversation order, among these rows alone."""
    import numpy as np

    size, at = len(rows), np.arange(len(rows))
    if not size:
        return np.zeros(0, np.int32), np.zeros(0, np.int32)
    turn, code, place = (columns.flags[rows] & TURN) > 0, columns.scope_codes[rows], columns.places[rows]
    anew = np.append(True, (code[1:] != code[:-1]) | (place[1:] != place[:-1]).any(axis=1))
    first = np.maximum.accumulate(np.where(anew, at, 0))  # of the rows of one place
    last = np.minimum.accumulate(np.where(np.append(anew[1:], True), at, size)[::-1])[::-1]
    earlier = np.append(-1, np.maximum.accumulate(np.where(turn, at, -1)))  # the last turn in front of each position
    later = np.append(np.minimum.accumulate(np.where(turn, at, size)[::-1])[::-1], size)  # the first one from there on
    before = earlier[np.where(turn, at, first)]
    after = later[np.where(turn, at, last) + 1]
    numbers, codes = np.append(rows, -1).astype(np.int32), np.append(code, -1)  # -1 and `size` both lead to none
    return (
        np.where(codes[before] == code, numbers[before], np.int32(-1)),
        np.where(codes[after] == code, numbers[after], np.int32(-1)),
    )


def led_past(links: Links, dead: Numbers) -> Links:
    """Links that pointed at the dead rows lead on to what those pointed at, however many in a row are dead."""
    import numpy as np

    onward = np.append(np.arange(len(links), dtype=np.int32), np.int32(-1))  # the last one is where -1 leads
    is_dead = np.zeros(len(onward), np.bool_)
    is_dead[dead] = True
    onward[dead] = links[dead]
    while is_dead[onward[dead]].any():
        onward[dead] = onward[onward[dead]]
    return onward[links]


def around(columns: Columns, alive: Mask, first: int) -> Numbers:
    """The living rows whose links the rows from `first` on may change or need, with these, in conversation order.

    In each of their conversations: from the last turn that is earlier than all new rows to the first that is later.
    """
    import numpy as np

    codes, times = columns.scope_codes, columns.places[:, 0]  # the first eight bytes of a place tell enough
    scopes = int(codes.max(initial=-1)) + 1
    lowest = np.full(scopes, np.iinfo(np.uint64).max, np.uint64)
    highest = np.zeros(scopes, np.uint64)
    np.minimum.at(lowest, codes[first:], times[first:])
    np.maximum.at(highest, codes[first:], times[first:])
    touched = np.zeros(scopes, np.bool_)
    touched[codes[first:]] = True
    old = np.flatnonzero(touched[codes[:first]] & alive[:first])
    code, time, turn = codes[old], times[old], (columns.flags[old] & TURN) > 0
    floor, ceiling = np.zeros(scopes, np.uint64), np.full(scopes, np.iinfo(np.uint64).max, np.uint64)
    under, over = turn & (time < lowest[code]), turn & (time > highest[code])
    np.maximum.at(floor, code[under], time[under])
    np.minimum.at(ceiling, code[over], time[over])
    near = old[(time >= floor[code]) & (time <= ceiling[code])]
    new = first + np.flatnonzero(alive[first:])
    return conversation_order(columns, np.concatenate((near, new)))
