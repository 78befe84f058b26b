"""The columns that a block and a searched index have in common: one entry per row, one row per memory."""

from __future__ import annotations

import math
import mmap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NEVER = 2**62  # milliseconds, for what has no end
ALWAYS = -(2**62)  # for what has no beginning
TURN = 1  # bits of `flags`: takes part in windows
RETIRED = 2  # something newer took its place
TRAITS_SHIFT = 2  # the bits above are those of `traits.text_traits`
DIM = -1
_ALIGNED, _PIECE = 64, 1 << 25  # bytes
_LARGE = 1 << 22  # bytes from which on NumPy asks for huge pages

LAYOUT: dict[str, tuple[str, int]] = {
    "ids": ("<u8", 2),
    "places": ("<u8", 3),
    "scope_codes": ("<i4", 0),
    "speaker_codes": ("<i4", 0),
    "created_ms": ("<i8", 0),
    "expires_ms": ("<i8", 0),
    "valid_from_ms": ("<i8", 0),
    "valid_to_ms": ("<i8", 0),
    "born_life": ("<i4", 0),
    "born_generation": ("<i4", 0),
    "flags": ("|u1", 0),
    "importance": ("|u1", 0),
    "groups": ("<u8", 0),
    "lengths": ("<u2", 0),
    "vectors": ("|i1", DIM),
    "has_vector": ("|b1", 0),
}
"""Name, type and width of each column: 0 for a plain one, DIM for as many as vectors have dimensions."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Columns:
    """`ids` and `places` are big-endian numbers side by side; `vectors` zeros where `has_vector` is False.

    `scope_codes` and `speaker_codes` (-1: nobody) count in tables that stand beside; `groups` is equal for one
    normalised text, whatever its scope; `lengths` counts terms with repeats, at most 65,535.
    """

    ids: NDArray[np.uint64]
    places: NDArray[np.uint64]
    scope_codes: NDArray[np.int32]
    speaker_codes: NDArray[np.int32]
    created_ms: NDArray[np.int64]
    expires_ms: NDArray[np.int64]
    valid_from_ms: NDArray[np.int64]
    valid_to_ms: NDArray[np.int64]
    born_life: NDArray[np.int32]
    born_generation: NDArray[np.int32]
    flags: NDArray[np.uint8]
    importance: NDArray[np.uint8]
    groups: NDArray[np.uint64]
    lengths: NDArray[np.uint16]
    vectors: NDArray[np.int8]
    has_vector: NDArray[np.bool_]

    @property
    def size(self) -> int:
        """Number of rows, dead ones included."""
        return len(self.ids)

    def id_of(self, row: int) -> str:
        """The id of the memory in the row."""
        high, low = self.ids[row].tolist()
        return f"{high:016x}{low:016x}"

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The columns by name."""
        return {name: getattr(self, name) for name in LAYOUT}


def shape_of(name: str, size: int, dim: int) -> tuple[int, ...]:
    """Shape of the column over `size` rows."""
    width = LAYOUT[name][1]
    return (size,) if width == 0 else (size, dim if width == DIM else width)


class GrowingColumns:
    """Columns with room at the end. What `arrays` gave stays as it is: appending writes behind it or moves away."""

    def __init__(self, dim: int) -> None:
        import numpy as np

        self.size = 0
        self._held: dict[str, NDArray[Any]] = {
            name: np.zeros(shape_of(name, 0, dim), dtype) for name, (dtype, _) in LAYOUT.items()
        }

    @property
    def nbytes(self) -> int:
        """Bytes of the rows; room that was never written to takes no memory."""
        return sum(array.nbytes for array in self.arrays().values())

    def append(self, arrays: dict[str, NDArray[Any]], room: int = 0) -> None:
        """More rows behind the last; where they don't fit they move to where there is room for `room` rows.

        The first ones are taken as they are, without a copy, and never written to, unless there is to be more room.
        """
        size = self.size + len(arrays["ids"])
        if size == self.size:
            return
        for name, array in arrays.items():
            held = self._held[name]
            if self.size == 0 and room <= size:
                self._held[name] = array
                continue
            if size > len(held):
                grown = unwritten((max(size, room, len(held) * 3 // 2), *held.shape[1:]), held.dtype)
                grown[: self.size] = held[: self.size]
                self._held[name] = held = grown
            held[self.size : size] = array
        self.size = size

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The rows there are now, by name."""
        return {name: held[: self.size] for name, held in self._held.items()}


class Shelf:
    """Copies of arrays for a while, in large pieces of memory that go back to the system once all in them are gone."""

    def __init__(self) -> None:
        import numpy as np

        self._free = np.empty(0, np.uint8)

    def put(self, array: NDArray[Any]) -> NDArray[Any]:
        """The copy."""
        size = -(-array.nbytes // _ALIGNED) * _ALIGNED
        if size > len(self._free):
            self._free = unwritten((max(size, _PIECE),), "|u1")
        copy = self._free[: array.nbytes].view(array.dtype).reshape(array.shape)
        self._free = self._free[size:]
        copy[...] = array
        return copy


def unwritten(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """An array for something to be written to; what is not written to takes no memory.

    A large one is mapped by itself, in small pages: NumPy asks for huge ones, which the system may need several times
    as long to find, and which scans are no faster in.
    """
    import numpy as np

    size = math.prod(shape) * np.dtype(dtype).itemsize
    if size < _LARGE or not hasattr(mmap, "MAP_PRIVATE"):  # not on Windows
        return np.empty(shape, dtype)
    mapped = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.frombuffer(mapped, dtype).reshape(shape)
