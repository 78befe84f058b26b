"""Small indexes for the tests of the ranking: memories by short names, each a turn of a conversation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from agent_memory.retrieval.block import IndexedUnit
from agent_memory.retrieval.places import place_of
from agent_memory.retrieval.rows import Rows
from agent_memory.retrieval.tenant_index import Hit, TenantIndex

MODEL, DIM = "toy", 3
NOW = 1_683_554_160_000  # Monday, 8 May 2023, 13:56 UTC
DAY = 86_400_000
HOME, AWAY = ("shop", "u42", "bot", "s1"), ("shop", "u42", "bot", "s2")


def vector(*numbers: float) -> Any:
    return np.array(numbers, np.float32)


def hexed(name: str) -> str:
    """A short name as an id; names of one length have the same order."""
    return name.encode().hex().rjust(32, "0")


def named(unit_id: str) -> str:
    return bytes.fromhex(unit_id).lstrip(b"\0").decode()


def at(moment: int) -> bytes:
    """The place of a message that was said then."""
    return place_of(f"at/{moment:015d}/{0:015d}0a1b2c3d00/{'0' * 32}", 0)


def unit(name: str, text: str = "tea", direction: Any = None, **rest: Any) -> IndexedUnit:
    rest = {"scope": HOME, "embedding_model": MODEL, "turn": True, "created_ms": NOW, **rest}
    return IndexedUnit(id=hexed(name), search_text=text, vector=direction, **rest)


def talk(*texts: str, scope: tuple[str, str, str, str] = HOME, **rest: Any) -> list[IndexedUnit]:
    """The turns of a conversation in this order, named a, b, c and so on, a minute apart."""
    return [
        unit("abcdefghijklmnopqrstuvwxyz"[turn], text, scope=scope, created_ms=NOW + turn * 60_000, **rest)
        for turn, text in enumerate(texts)
    ]


def index_of(units: Iterable[IndexedUnit], dim: int = DIM) -> TenantIndex:
    index = TenantIndex(MODEL, dim)
    index.apply(list(units), [])
    return index


def rows_of(units: Iterable[IndexedUnit], dim: int = DIM) -> Rows:
    return index_of(units, dim).rows


def numbers(rows: Rows, names: str) -> Any:
    """The rows of memories named by one letter each."""
    return np.array([rows.row_of(hexed(name)) for name in names], np.int64)


def names(hits: Iterable[Hit]) -> list[str]:
    return [named(hit.id) for hit in hits]
