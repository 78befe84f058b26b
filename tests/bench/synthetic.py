"""Memories by the million: texts of a vocabulary, English and Chinese, with random vectors; the same each time.

Words are drawn by the law of Zipf and Mandelbrot. Two are known: CONTENT has a flat head, so that the most frequent
word stands in a fifth of the texts, as among words that searches look for (function words are no terms of a
question); STEEP has none, so that nine texts in ten share one word, and questions ask for it. Function words that no
list knows do that to an index, so a figure for CONTENT alone would be too good.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from agent_memory.retrieval.block import IndexedUnit

Law = tuple[int, float]

DIM = 384
MODEL = "random"
PER_CONVERSATION = 20
WORDS = 14  # of a text
VOCABULARY = 200_000
CONTENT, STEEP = (10, 1.1), (0, 1.2)  # what is added to the rank, and the exponent
PAGE = 5_000
SPEAKERS = ("Ada", "Ben", "王芳", "李雷")
_FIRST_MS = 1_700_000_000_000


def units(count: int, first: int = 0, law: Law = CONTENT, page: int = PAGE) -> Iterator[list[IndexedUnit]]:
    """So many memories from that number on, in pages; every other conversation is in Chinese."""
    random = np.random.default_rng(7 + first)
    for start in range(0, count, page):
        size = min(page, count - start)
        words = _drawn(random, (size, WORDS), law)
        vectors = random.standard_normal((size, DIM), np.float32)
        yield [_unit(first + start + place, words[place], vectors[place]) for place in range(size)]


def texts(count: int) -> list[tuple[str, str]]:
    """So many pairs of a speaker and what they say, as in `units`."""
    words = _drawn(np.random.default_rng(13), (count, WORDS), CONTENT)
    return [(_speaker(number), _text(words[number], chinese=_chinese(number))) for number in range(count)]


def questions(count: int, law: Law = CONTENT) -> list[tuple[str, np.ndarray]]:
    """Texts of a few words that memories have, with their vectors; one in four names a speaker."""
    random = np.random.default_rng(11)
    found = []
    for place in range(count):
        words = _drawn(random, (5,), law)
        name = f"{SPEAKERS[place % len(SPEAKERS)]} " if place % 4 == 0 else ""
        text = name + _text(words, chinese=bool(place % 2)) + "?"
        found.append((text, random.standard_normal(DIM).astype(np.float32)))
    return found


def _drawn(random: np.random.Generator, shape: tuple[int, ...], law: Law) -> np.ndarray:
    return np.searchsorted(shares(law), random.random(shape)) + 1


@cache
def shares(law: Law) -> np.ndarray:
    """The chance of each word or a more frequent one."""
    flat, exponent = law
    weights = 1 / (np.arange(1, VOCABULARY + 1) + flat) ** exponent
    return np.cumsum(weights) / weights.sum()


def _unit(number: int, words: np.ndarray, vector: np.ndarray) -> IndexedUnit:
    speaker = _speaker(number)
    return IndexedUnit(
        id=f"{0:012x}{number:020x}",
        scope=("bench", "t", "agent", f"run-{number // PER_CONVERSATION}"),
        search_text=f"{speaker}: {_text(words, chinese=_chinese(number))}",
        speaker=speaker,
        vector=vector,
        embedding_model=MODEL,
        created_ms=_FIRST_MS + number * 60_000,
        turn=True,
        place=(number % PER_CONVERSATION).to_bytes(24, "big"),
    )


def _speaker(number: int) -> str:
    return SPEAKERS[number % len(SPEAKERS)]


def _chinese(number: int) -> bool:
    return bool(number // PER_CONVERSATION % 2)


def _text(words: np.ndarray, *, chinese: bool) -> str:
    if chinese:
        return "".join(chr(0x4E00 + word % 20_000) + chr(0x4E00 + word * 7 % 3_000) for word in words.tolist())
    return " ".join(f"w{word:x}".translate(_LETTERS) for word in words.tolist())


_LETTERS = str.maketrans("0123456789", "ghijklmnop")  # words, not identifiers
