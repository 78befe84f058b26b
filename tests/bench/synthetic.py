"""Memories by the million: texts of a vocabulary, English and Chinese, with random vectors; the same each time.

Words are drawn by the law of Zipf and Mandelbrot, its head flattened: the most frequent one stands in a fifth of the
texts, as the most frequent words do that searches look for (function words are no terms of a question).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from agent_memory.retrieval.block import IndexedUnit

DIM = 384
MODEL = "random"
PER_CONVERSATION = 20
WORDS = 14  # of a text
VOCABULARY = 200_000
FLAT, EXPONENT = 10, 1.1
PAGE = 5_000
SPEAKERS = ("Ada", "Ben", "王芳", "李雷")
_FIRST_MS = 1_700_000_000_000


def units(count: int, tenant: str = "t", first: int = 0) -> Iterator[list[IndexedUnit]]:
    """So many memories from that number on, in pages; every other conversation is in Chinese."""
    random = np.random.default_rng(7 + first)
    for start in range(0, count, PAGE):
        size = min(PAGE, count - start)
        words = _drawn(random, (size, WORDS))
        vectors = random.standard_normal((size, DIM), np.float32)
        yield [_unit(first + start + place, tenant, words[place], vectors[place]) for place in range(size)]


def questions(count: int) -> list[tuple[str, np.ndarray]]:
    """Texts of a few words that memories have, with their vectors; one in four names a speaker."""
    random = np.random.default_rng(11)
    found = []
    for place in range(count):
        words = _drawn(random, (5,))
        name = f"{SPEAKERS[place % len(SPEAKERS)]} " if place % 4 == 0 else ""
        text = name + _text(words, chinese=bool(place % 2)) + "?"
        found.append((text, random.standard_normal(DIM).astype(np.float32)))
    return found


def _drawn(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return np.searchsorted(_shares(), random.random(shape)) + 1


@cache
def _shares() -> np.ndarray:
    weights = 1 / (np.arange(1, VOCABULARY + 1) + FLAT) ** EXPONENT
    return np.cumsum(weights) / weights.sum()


def _unit(number: int, tenant: str, words: np.ndarray, vector: np.ndarray) -> IndexedUnit:
    talk = number // PER_CONVERSATION
    speaker = SPEAKERS[number % len(SPEAKERS)]
    return IndexedUnit(
        id=f"{0:012x}{number:020x}",
        scope=("bench", tenant, "agent", f"run-{talk}"),
        search_text=f"{speaker}: {_text(words, chinese=bool(talk % 2))}",
        speaker=speaker,
        vector=vector,
        embedding_model=MODEL,
        created_ms=_FIRST_MS + number * 60_000,
        turn=True,
        place=(number % PER_CONVERSATION).to_bytes(24, "big"),
    )


def _text(words: np.ndarray, *, chinese: bool) -> str:
    if chinese:
        return "".join(chr(0x4E00 + word % 20_000) + chr(0x4E00 + word * 7 % 3_000) for word in words.tolist())
    return " ".join(f"w{word:x}".translate(_LETTERS) for word in words.tolist())


_LETTERS = str.maketrans("0123456789", "ghijklmnop")  # words, not identifiers
