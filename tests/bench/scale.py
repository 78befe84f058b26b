"""The index at sizes up to a million memories of one tenant, and with many small tenants.

    python tests/bench/scale.py [--sizes 1000 10000 ...] [--tenants N] [--write]

In one process, over synthetic memories. A bare scan is one call of SimSIMD over the same vectors, in the same run;
times are medians in milliseconds and compare with each other only. Growth is the ratio of a step's cost to that of the
size before, divided by the ratio of the sizes: 1 is linear.
"""

from __future__ import annotations

import argparse
import gc
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.hits import SearchQuery
from agent_memory.retrieval.pack import pack_block, unpack_block
from agent_memory.retrieval.tenant_index import TenantIndex
from tests.bench.results_file import command, table, versions, write_section
from tests.bench.synthetic import DIM, MODEL, questions, units

SIZES = (1_000, 10_000, 100_000, 1_000_000)
SEARCHES = 60
NOW_MS = 1_796_083_200_000
NEW = 20  # memories of one add
WARM = 6  # first steps that are not counted


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--tenants", type=int, default=100_000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    measured = {size: one_tenant(size) for size in options.sizes}
    text = report(measured, many_tenants(options.tenants))
    sys.stdout.write(text)
    if options.write:
        write_section("scale", text)


def one_tenant(size: int) -> dict[str, float]:
    """Everything about one index of that size; times in seconds for the build, else in milliseconds."""
    sys.stderr.write(f"{size} memories\n")
    index = TenantIndex(MODEL, DIM)
    found = {"build": seconds(lambda: [index.apply(page, []) for page in units(size)])}
    found["bytes"] = float(index.size_bytes)
    packed = pack_block(index.block_from(0))
    found["snapshot"] = float(len(packed))
    found["load"] = seconds(partial(loaded, packed)) * 1e3
    del packed
    gc.collect()
    asked = questions(SEARCHES)
    for name, rerank, keyword_only in (("search", True, False), ("fused", False, False), ("words", False, True)):
        times = [
            seconds(partial(index.search, asked_for(text, vector, rerank=rerank, keyword_only=keyword_only)))
            for text, vector in asked
        ]
        found[name] = float(np.median(times[WARM:])) * 1e3
        found[f"{name} p95"] = float(np.quantile(times[WARM:], 0.95)) * 1e3
    found["scan"] = bare_scan(index, [vector for _, vector in asked])
    adds = [page for step in range(WARM) for page in units(NEW, first=size + step * NEW)]
    found["add"] = float(np.median([seconds(partial(index.apply, page, [])) for page in adds][1:])) * 1e3
    return found


def loaded(packed: bytes) -> TenantIndex:
    """The index of one block."""
    return TenantIndex.from_blocks(MODEL, DIM, [unpack_block(packed)])


def asked_for(text: str, vector: np.ndarray, *, rerank: bool, keyword_only: bool) -> SearchQuery:
    """A search for 50 results."""
    return SearchQuery(text, vector, Selection(now_ms=NOW_MS), 50, rerank=rerank, keyword_only=keyword_only)


def bare_scan(index: TenantIndex, vectors: list[np.ndarray]) -> float:
    """One call of SimSIMD over the index's vectors, in milliseconds."""
    import simsimd

    rows = np.ascontiguousarray(index.rows.vectors)
    asked = [np.clip(np.rint(vector / np.abs(vector).max() * 127), -127, 127).astype(np.int8) for vector in vectors]
    times = [seconds(partial(simsimd.cdist, vector[None], rows, "cosine")) for vector in asked]
    return float(np.median(times[WARM:])) * 1e3


def many_tenants(count: int) -> dict[str, float]:
    """So many indexes of ten memories each, all in memory, each loaded from its snapshot."""
    sys.stderr.write(f"{count} tenants\n")
    small = TenantIndex(MODEL, DIM)
    for page in units(10):
        small.apply(page, [])
    packed = pack_block(small.block_from(0))
    before = resident()
    started = time.perf_counter()
    held = [loaded(bytes(packed)) for _ in range(count)]
    loading = time.perf_counter() - started
    asked = questions(SEARCHES)
    step = max(1, count // len(asked))
    times = [
        seconds(partial(held[place * step % count].search, asked_for(text, vector, rerank=True, keyword_only=False)))
        for place, (text, vector) in enumerate(asked)
    ]
    return {
        "tenants": count,
        "estimated": float(held[0].size_bytes),
        "resident": (resident() - before) / count,
        "load": loading / count * 1e3,
        "search": float(np.median(times[WARM:])) * 1e3,
        "snapshot": float(len(packed)),
    }


def resident() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def seconds(step: Callable[[], object]) -> float:
    """How long it takes."""
    started = time.perf_counter()
    step()
    return time.perf_counter() - started


def report(measured: dict[int, dict[str, float]], small: dict[str, float]) -> str:
    """The section of RESULTS.md."""
    memory = [
        [
            f"{size:,}",
            f"{found['bytes'] / 1e6:,.1f}",
            f"{found['bytes'] / size:,.0f}",
            f"{found['snapshot'] / 1e6:,.1f}",
        ]
        for size, found in measured.items()
    ]
    speed = [
        [
            f"{size:,}",
            f"{found['search']:.2f} / {found['search p95']:.2f}",
            f"{found['fused']:.2f}",
            f"{found['words']:.2f}",
            f"{found['scan']:.2f}",
            f"{found['search'] / found['scan']:.2f}",
            f"{found['add']:.2f}",
            f"{found['load']:.1f}",
            f"{size / found['build']:,.0f}",
        ]
        for size, found in measured.items()
    ]
    sizes = list(measured)
    growth = [
        [
            f"{small_size:,} to {large:,}",
            *(
                f"{measured[large][name] / measured[small_size][name] / (large / small_size):.2f}"
                for name in ("bytes", "snapshot", "search", "words", "add", "load", "build")
            ),
        ]
        for small_size, large in pairwise(sizes)
    ]
    tenants = [
        f"{small['tenants']:,}",
        f"{small['estimated']:,.0f}",
        f"{small['resident']:,.0f}",
        f"{small['snapshot']:,.0f}",
        f"{small['load']:.2f}",
        f"{small['search']:.2f}",
    ]
    return "\n".join(
        [
            "## Scale\n",
            f"`{command()}`; {versions(('agent-memory', 'numpy', 'simsimd'))}. Times are medians in milliseconds.\n",
            table(["memories of one tenant", "index, MB", "bytes each", "snapshot, MB"], memory),
            table(
                [
                    "memories of one tenant",
                    "search p50 / p95",
                    "without rerank",
                    "words only",
                    "bare scan",
                    "search / scan",
                    "20 more memories",
                    "load from snapshot",
                    "built, memories/s",
                ],
                speed,
            ),
            "Growth (1 is linear, less is better):\n",
            table(["", "index", "snapshot", "search", "words only", "add", "load", "build"], growth),
            table(
                ["tenants of 10", "estimated bytes", "resident bytes", "snapshot bytes", "load, ms", "search, ms"],
                [tenants],
            ),
        ]
    )


if __name__ == "__main__":
    main()
