"""Stand-ins for ports in tests: a clock that only moves when told, ids that count, an embedder of words."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from agent_memory.errors import RerankerFailed
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
    """A table in front of which something happens once, right before the first write of a memory, or of what `at` says.

    That is a part of the sort key.
    """

    def __init__(self, table: Any, happens: Any, at: str = "unit/") -> None:
        self._table, self._happens, self._at = table, happens, at

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def write(self, writes: Any) -> None:
        if self._happens and any(isinstance(each, Put) and self._at in each.item.key.sk for each in writes):
            happens, self._happens = self._happens, None
            happens()
        self._table.write(writes)


class MemorySnapshots:
    """Objects in a dict; `before` is called with (call, name) ahead of each write and read, and may raise."""

    def __init__(self, before: Any = None) -> None:
        self.objects: dict[str, bytes] = {}
        self.before = before or (lambda call, name: None)
        self.reads: list[str] = []

    def read(self, name: str) -> bytes | None:
        self.before("read", name)
        self.reads.append(name)
        return self.objects.get(name)

    def write(self, name: str, data: bytes) -> None:
        self.before("write", name)
        self.objects[name] = data

    def delete(self, names: Any) -> None:
        for name in names:
            self.before("delete", name)
            self.objects.pop(name, None)

    def names(self, prefix: str) -> list[str]:
        self.before("names", prefix)
        return [name for name in self.objects if name.startswith(prefix)]


class ScriptedReranker:
    """Scores texts by a function, remembers what it was asked, and fails while `fails` is set."""

    name = "scripted"

    def __init__(self, score_of: Any, window: int = 4) -> None:
        self.score_of, self.window = score_of, window
        self.fails = False
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        self.asked.append((query, tuple(texts)))
        if self.fails:
            raise RerankerFailed("the model is away")
        return [self.score_of(text) for text in texts]
