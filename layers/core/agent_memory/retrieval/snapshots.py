"""A tenant's index as stored objects: immutable parts, one object that says which rows count, a record that names them.

Objects are written first, under names that nobody used before; the record changes by a condition on its version. So a
reader sees one snapshot or the next, whoever dies in between, and what no record names is rubbish.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent_memory import keys
from agent_memory.models import Born
from agent_memory.retrieval.columns import NEVER
from agent_memory.retrieval.pack import UnreadableBlock
from agent_memory.retrieval.tokenizer import TOKENIZER_VERSION

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.ports import Item

    Ids = NDArray[np.uint64]
    Mask = NDArray[np.bool_]

FORMAT = 2  # of record and objects together
_MAGIC = b"AMrw"
_HEAD = struct.Struct("<4sIII")  # magic, format, rows, CRC-32 of the rest


@dataclass(frozen=True, slots=True)
class Part:
    """One object with a block of `rows` rows; from `ends_ms` on the first of them is expired."""

    name: str
    rows: int
    size: int
    ends_ms: int = NEVER


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The index with every change up to `seq`, without what was hidden from a reader of the time `born`.

    Row n is the nth of the parts' rows; the object `alive` has the id of each row and whether it counts.
    """

    seq: int
    born: Born
    parts: tuple[Part, ...]
    alive: str

    @property
    def names(self) -> frozenset[str]:
        """All objects that belong to it."""
        return frozenset({self.alive, *(part.name for part in self.parts)})

    @property
    def rows(self) -> int:
        """Rows of all parts, dead ones included."""
        return sum(part.rows for part in self.parts)

    def to_body(self, model: str, dim: int) -> dict[str, Any]:
        """Body of the record, for vectors of that model."""
        parts = [
            {"name": each.name, "rows": each.rows, "bytes": each.size, "ends": each.ends_ms} for each in self.parts
        ]
        made = {**_made_by(model, dim), "seq": self.seq, "born": list(self.born)}
        return {**made, "parts": parts, "alive": self.alive}


def snapshot_of(item: Item | None, model: str, dim: int) -> Snapshot | None:
    """The snapshot of its record; None where there is none, or one that this code or this model can't use."""
    if item is None or not item.body.get("parts"):
        return None
    body: Mapping[str, Any] = item.body
    if {name: body.get(name) for name in _made_by(model, dim)} != _made_by(model, dim):
        return None
    life, generation = body["born"]
    parts = tuple(Part(each["name"], each["rows"], each["bytes"], each["ends"]) for each in body["parts"])
    return Snapshot(body["seq"], (life, generation), parts, body["alive"])


def _made_by(model: str, dim: int) -> dict[str, Any]:
    return {"format": FORMAT, "tokenizer": TOKENIZER_VERSION, "model": model, "dim": dim}


def store_folder(uid: str) -> str:
    """Prefix of the names of all objects of a store."""
    return f"{uid}/"


def tenant_folder(partition: str) -> str:
    """Prefix of the names of a tenant's objects; it holds no name of a scope."""
    return f"{partition.partition('/')[0]}/{keys.snapshot(partition).sk.partition('/')[0]}/"


def pack_alive(ids: Ids, alive: Mask) -> bytes:
    """The object `alive`: 16 bytes a row, then a bit a row."""
    import numpy as np

    body = ids.astype("<u8").tobytes() + np.packbits(alive).tobytes()
    return _HEAD.pack(_MAGIC, FORMAT, len(ids), zlib.crc32(body)) + body


def unpack_alive(data: bytes, rows: int) -> tuple[Ids, Mask]:
    """(rows, 2) numbers of the ids, and which rows count. Raises UnreadableBlock for anything but these rows, whole."""
    import numpy as np

    if len(data) != _HEAD.size + 16 * rows + -(-rows // 8):
        raise UnreadableBlock("not the rows of this snapshot")
    if _HEAD.unpack_from(data) != (_MAGIC, FORMAT, rows, zlib.crc32(data[_HEAD.size :])):
        raise UnreadableBlock("damaged rows")
    ids = np.frombuffer(data, "<u8", 2 * rows, _HEAD.size).reshape(rows, 2)
    bits = np.frombuffer(data, np.uint8, offset=_HEAD.size + 16 * rows)
    return ids, np.unpackbits(bits, count=rows).astype(bool)
