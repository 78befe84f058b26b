"""The tables of the bench of sizes. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from tests.bench.results_file import table
from tests.bench.scale_growth import dearest, middle, percentile, ratio

Figures = Mapping[str, Any]
MEMORIES = "memories of one tenant"


def milliseconds(found: Any, digits: int = 1) -> str:
    """The median, of several."""
    return f"{middle(found) * 1e3:,.{digits}f}"


def spread(times: Sequence[float]) -> str:
    """Median and 95th percentile in milliseconds."""
    return f"{median(times) * 1e3:.2f} / {percentile(times, 0.95) * 1e3:.2f}"


def memory(measured: Mapping[int, Figures]) -> str:
    """Bytes of an index by what they are for, and of the process."""
    groups = list(next(iter(measured.values()))["groups"])
    header = [MEMORIES, "index, MB", "process grows by, MB", "at its peak", "bytes each", *groups]
    rows = [
        [
            f"{size:,}",
            _mb(found["bytes"]),
            _mb(found["resident"]),
            _mb(found["peak"]),
            f"{found['bytes'] / found['rows']:,.0f}",
            *(f"{found['groups'][name] / found['rows']:,.0f}" for name in groups),
        ]
        for size, found in measured.items()
    ]
    return table(header, rows)


def searches(measured: Mapping[str, Figures]) -> str:
    """Times of the index's searches beside one bare scan."""
    header = [MEMORIES, "search p50 / p95", "without rerank", "words only", "bare scan", "**search / scan**"]
    header += ["scan p95", "through the API"]
    rows = [
        [
            name,
            *(spread(found[kind]) for kind in ("search", "fused", "words")),
            milliseconds(found["scan"], 2),
            f"{ratio(found):.2f}",
            f"{percentile(found['scan'], 0.95) * 1e3:.2f}",
            spread(found["served"]),
        ]
        for name, found in measured.items()
    ]
    return table(header, rows)


def steps(measured: Mapping[int, Figures]) -> str:
    """Loads, changes and writing."""
    header = [MEMORIES, "load from snapshot", "load from records", "20 more, index alone", "20 more, from the log"]
    header += ["255 entries of the log", "store snapshot whole", "store the next", "built, memories/s", "completed/s"]
    rows = [
        [
            f"{size:,}",
            milliseconds(found["load"]),
            milliseconds(found["load records"]) if "load records" in found else "",
            milliseconds(found["apply"], 2),
            milliseconds(found["refresh"], 2),
            milliseconds(found["tail"]),
            milliseconds(found["snapshot whole"]),
            milliseconds(found["snapshot next"]),
            f"{found['built rate']:,.0f}",
            f"{found['completed rate']:,.0f}" if "completed rate" in found else "",
        ]
        for size, found in measured.items()
    ]
    return table(header, rows)


def calls(measured: Mapping[int, Figures]) -> str:
    """Calls to AWS and what they read, for each step of a process."""
    header = [MEMORIES, "warm search: calls", "read, KB", "read units", "load: calls", "read, MB"]
    header += ["20 more: calls", "KB", "255 entries: calls", "MB", "next snapshot: calls", "read, MB", "written, MB"]
    rows = []
    for size, found in measured.items():
        search, load, refresh = dearest(found), found["load bill"], found["refresh bill"]
        tail, stored = found["tail bill"], found["snapshot bill"]
        rows.append(
            [
                f"{size:,}",
                f"{search.total}",
                f"{search.read / 1e3:,.0f}",
                f"{search.units}",
                f"{load.total}",
                _mb(load.read),
                f"{refresh.total}",
                f"{refresh.read / 1e3:,.0f}",
                f"{tail.total}",
                _mb(tail.read),
                f"{stored.total}",
                _mb(stored.read),
                _mb(stored.written),
            ]
        )
    return table(header, rows)


def tenants(found: Figures) -> str:
    """Many small tenants."""
    header = ["tenants of 10", "estimated bytes", "resident bytes", "load from records, ms", "calls", "read, KB"]
    header += ["search p50 / p95", "fit into the default cache"]
    bill = found["load bill"]
    row = [f"{found['tenants']:,}", f"{found['bytes']:,.0f}", f"{found['resident']:,.0f}", spread(found["load"])]
    row += [f"{bill.total}", f"{bill.read / 1e3:,.0f}", spread(found["search"]), f"{found['default room']:,.0f}"]
    rates = found["rates"]
    shares = table(
        ["room for, of all tenants", *(f"{share:.0%}" for share in rates)],
        [["hit rate, %", *(f"{100 * rate:.1f}" for rate in rates.values())]],
    )
    said = (
        f"With room for {found['room']:,} of {found['tenants']:,}, the cache itself had\n"
        f"{100 * found['measured']:.1f} % of what it was asked for; worked out: {100 * found['worked out']:.1f} %.\n"
    )
    return "\n".join([table(header, [row]), shares, said])


def _mb(size: float) -> str:
    return f"{size / 1e6:,.1f}"
