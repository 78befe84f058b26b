"""How the cost of each step grows with the size. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from tests.bench.counted import Bill
from tests.bench.results_file import table

Figures = Mapping[str, Any]
TIMED = {  # what a step is called in the table, and in the figures
    "index, bytes": "bytes",
    "process, bytes": "resident",
    "build": "build",
    "snapshot, bytes": "snapshot bytes",
    "store it whole": "snapshot whole",
    "store the next": "snapshot next",
    "load": "load",
    "search": "search",
    "without rerank": "fused",
    "words only": "words",
    "scan": "scan",
    "20 more": "apply",
    "follow the log": "tail",
    "bytes of a search": "search read",
}
STEPS = {
    "warm search": "search bills",
    "20 more": "refresh bill",
    "255 entries": "tail bill",
    "load": "load bill",
    "next snapshot": "snapshot bill",
}


def ratio(found: Figures) -> float:
    """Search to bare scan, by their medians."""
    return median(found["search"]) / median(found["scan"])


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that so many of the others do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]


def growth(small: float, large: float, sizes: float) -> float:
    """Ratio of the costs by the ratio of the sizes: 1 is linear, less is better."""
    return large / small / sizes


def cost(found: Figures, name: str, size: int) -> float | None:
    """One number for a step; None where it was not measured."""
    if name == "build":
        return size / found["built rate"]
    if name == "search read":
        return float(dearest(found).read)
    return middle(found[name]) if name in found else None


def growths(measured: Mapping[int, Figures]) -> str:
    """Each step's cost against that of the size before."""
    names = [name for name in TIMED if all(cost(found, TIMED[name], size) for size, found in measured.items())]
    rows = []
    for small, large in pairwise(measured):
        pairs = [[cost(measured[size], TIMED[name], size) or 0.0 for size in (small, large)] for name in names]
        rows.append([f"{small:,} to {large:,}", *(f"{growth(*pair, large / small):.2f}" for pair in pairs)])
    return table(["", *names], rows)


def above_linear(measured: Mapping[int, Figures], most: float = 1.0) -> list[str]:
    """Steps that grow faster than the size, with their figures."""
    found = []
    for small, large in pairwise(measured):
        for name, key in TIMED.items():
            pair = [cost(measured[size], key, size) for size in (small, large)]
            if all(pair) and round(growth(pair[0] or 0, pair[1] or 0, large / small), 2) > most:
                found.append(f"{name}, {small:,} to {large:,}: {growth(pair[0] or 0, pair[1] or 0, large / small):.2f}")
    return found


def constant(measured: Mapping[int, Figures]) -> str:
    """Which steps make the same number of calls at every size, and how many the others make."""
    said = []
    for step, bills in STEPS.items():
        totals = [max(bill.total for bill in _bills(found[bills])) for found in measured.values()]
        same = min(totals) == max(totals)
        said.append(f"{step} {f'{totals[0]} at every size' if same else ', '.join(map(str, totals))}")
    return f"Calls: {'; '.join(said)}.\n"


def dearest(found: Figures) -> Bill:
    """The most expensive of the searches that were counted, by calls and then by bytes."""
    return max(found["search bills"], key=lambda bill: (bill.total, bill.read))


def middle(found: Any) -> float:
    return float(median(found)) if isinstance(found, list) else float(found)


def _bills(found: Any) -> list[Bill]:
    return found if isinstance(found, list) else [found]
