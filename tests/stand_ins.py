"""Stand-ins for ports in tests: a clock that only moves when told, ids that count, an embedder of words."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from agent_memory.keys import digest
from agent_memory.ports import Put
from agent_memory.retrieval.tokenizer import tokens

START_MS = 1_796_032_800_000  # 2026-11-30T10:00:00Z


class Clock:
    """Time that stands still between calls of `advance`."""

    def __init__(self, now_ms: int = START_MS) -> None:
        self.now_ms = now_ms

    def milliseconds(self) -> int:
        return self.now_ms

    def seconds(self) -> float:
        return self.now_ms / 1_000

    def advance(self, seconds: float) -> None:
        self.now_ms += int(seconds * 1_000)


class Ids:
    """32 hex digits that never repeat."""

    def __init__(self) -> None:
        self._count = itertools.count(1)

    def __call__(self) -> str:
        return digest("test id", str(next(self._count)))


class WordEmbedder:
    """A vector that is the sum of one fixed random direction per word, so that shared words mean nearness."""

    model = "words-1"
    dim = 64

    def __init__(self) -> None:
        self.calls = 0

    def embed(self, texts: Sequence[str], side: str) -> Any:
        self.calls += 1
        rows = [self._row(text) for text in texts]
        return np.array(rows, np.float32).reshape(len(texts), self.dim)

    def _row(self, text: str) -> Any:
        words = tokens(text) or [""]
        total = sum(np.random.default_rng(int(digest(word, length=8), 16)).standard_normal(self.dim) for word in words)
        return total / np.linalg.norm(total)


class InterruptedTable:
    """A table in front of which something happens once, right before the first write that puts a memory."""

    def __init__(self, table: Any, happens: Any) -> None:
        self._table, self._happens = table, happens

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def write(self, writes: Any) -> None:
        if self._happens and any(isinstance(each, Put) and each.item.key.sk.startswith("unit/") for each in writes):
            happens, self._happens = self._happens, None
            happens()
        self._table.write(writes)
