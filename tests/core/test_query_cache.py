"""The cache in front of an embedder: recent queries cost nothing, and it never grows."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from agent_memory.adapters.query_cache import CachedEmbedder


class CountingEmbedder:
    """The length of a text as its vector; remembers what it was asked."""

    model, dim = "counting", 2

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    def embed(self, texts: Sequence[str], side: str) -> np.ndarray:
        self.asked.append((side, *texts))
        return np.array([[len(text), 1] for text in texts], np.float32)


def test_a_known_query_does_not_reach_the_embedder() -> None:
    """Only what is new is asked for, once, and every row stands in its place."""
    inner = CountingEmbedder()
    cache = CachedEmbedder(inner, size=10)
    cache.embed(["虾", "游泳"], "query")
    found = cache.embed(["游泳", "abc", "abc", "虾"], "query")
    assert inner.asked == [("query", "虾", "游泳"), ("query", "abc")]
    assert found[:, 0].tolist() == [2, 3, 3, 1]


def test_passages_pass_through() -> None:
    """They are neither remembered nor taken for a query."""
    inner = CountingEmbedder()
    cache = CachedEmbedder(inner, size=10)
    for side in ("passage", "passage", "query"):
        cache.embed(["a"], side)
    assert inner.asked == [("passage", "a"), ("passage", "a"), ("query", "a")]
    assert (cache.model, cache.dim) == ("counting", 2)


def test_the_least_recent_query_goes_first() -> None:
    """A hit makes a query recent; more new texts than fit in one call are still all answered."""
    inner = CountingEmbedder()
    cache = CachedEmbedder(inner, size=2)
    for text in ("a", "bb", "a", "ccc", "a", "bb"):
        cache.embed([text], "query")
    assert [texts for _, *texts in inner.asked] == [["a"], ["bb"], ["ccc"], ["bb"]]
    assert cache.embed(["1", "22", "333"], "query")[:, 0].tolist() == [1, 2, 3]


def test_a_caller_may_change_what_it_got() -> None:
    """The remembered vector stays."""
    cache = CachedEmbedder(CountingEmbedder(), size=2)
    cache.embed(["a"], "query")[:] = 9
    cache.embed(["a"], "query")[:] = 9
    assert cache.embed(["a"], "query").tolist() == [[1, 1]]


def test_threads_share_it() -> None:
    """Eight at once get right answers, and the cache stays within its size."""
    cache = CachedEmbedder(CountingEmbedder(), size=5)
    texts = ["x" * (number % 9 + 1) for number in range(400)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: cache.embed([text], "query")[0, 0], texts))
    assert found == [len(text) for text in texts]
    assert len(cache._known) == 5
