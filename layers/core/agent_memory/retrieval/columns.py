"""The columns that a block and a searched index have in common: one entry per row, one row per memory."""

from __future__ import annotations

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

    def append(self, arrays: dict[str, NDArray[Any]]) -> None:
        """More rows behind the last. The first ones are taken as they are, without a copy, and never written to."""
        import numpy as np

        size = self.size + len(arrays["ids"])
        if size == self.size:
            return
        for name, array in arrays.items():
            held = self._held[name]
            if self.size == 0:
                self._held[name] = array
                continue
            if size > len(held):
                grown = np.empty((max(size, len(held) * 3 // 2), *held.shape[1:]), held.dtype)
                grown[: self.size] = held[: self.size]
                self._held[name] = held = grown
            held[self.size : size] = array
        self.size = size

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The rows there are now, by name."""
        return {name: held[: self.size] for name, held in self._held.items()}
