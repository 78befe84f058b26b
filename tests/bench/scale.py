"""What the service costs at sizes up to a million memories of one tenant, and with many small tenants.

    python tests/bench/scale.py [--quick | --sizes 1000 10000 ...] [--tenants N] [--json FILE] [--write]

Synthetic memories. Each size is made by one process and served by another, which begins with nothing; both lie on the
embedded adapters in a temporary folder, whose files the machine has in memory. Calls to AWS are counted at the ports.
A bare scan is one call of SimSIMD over the same vectors, one after each search. Times compare within a run only.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench import scale_growth, scale_tables
from tests.bench.counted import Bill
from tests.bench.results_file import command, versions, write_section
from tests.bench.scale_made import Figures, made
from tests.bench.scale_served import served
from tests.bench.scale_tenants import many_tenants

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUICK = (1_000, 10_000)
TENANTS = 100_000
THREADS = "OPENBLAS_NUM_THREADS"


def main() -> None:
    """See the module."""
    options = _options()
    os.environ.setdefault(THREADS, "1")  # for the processes that measure: each reads it when it first imports NumPy
    sizes = QUICK if options.quick else tuple(options.sizes)
    measured = {size: one_tenant(size, "content") for size in sizes}
    steep = one_tenant(sizes[-1], "steep")
    tenants = _with_folder("tenants", lambda folder: apart(many_tenants, options.tenants, folder))
    text = report(measured, steep, tenants)
    sys.stdout.write(text)
    if options.json:
        found = {"content": measured, "steep": {sizes[-1]: steep}, "tenants": tenants}
        options.json.write_text(json.dumps(found, default=_plain, indent=1), encoding="utf-8")
    if options.write:
        write_section("scale", text)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="ascending")
    parser.add_argument("--quick", action="store_true", help=f"the sizes {QUICK}")
    parser.add_argument("--tenants", type=int, default=TENANTS, help="small ones")
    parser.add_argument("--json", type=Path, help="write all figures there")
    parser.add_argument("--write", action="store_true", help="write the tables to RESULTS.md")
    return parser.parse_args()


def one_tenant(size: int, law: str) -> Figures:
    """All figures of one size."""

    def steps(folder: Path) -> Figures:
        return {**apart(made, size, law, folder), **apart(served, size, law, folder)}

    return _with_folder(f"{size:,} memories, {law}", steps)


def apart(step: Callable[..., Figures], *given: Any) -> Figures:
    """What the step gives in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(step, *given).result()


def _with_folder(name: str, steps: Callable[[Path], Figures]) -> Figures:
    sys.stderr.write(f"{name}\n")
    with tempfile.TemporaryDirectory(prefix="scale-") as folder:
        return steps(Path(folder))


def report(measured: dict[int, Figures], steep: Figures, tenants: Figures) -> str:
    """The section of RESULTS.md."""
    largest = max(measured)
    named = {f"{size:,}": found for size, found in measured.items()} | {f"{largest:,}, steep words": steep}
    fast = scale_growth.above_linear(measured)
    return "\n".join(
        [
            "## Scale\n",
            f"`{command()}`; {versions(('agent-memory', 'numpy', 'simsimd'))}, {THREADS}={os.environ[THREADS]}.",
            "Times in milliseconds; where two stand, median and 95th percentile, else a median or a single one.\n",
            "Memory, the columns on the right in bytes of a memory:\n",
            scale_tables.memory(measured),
            "Searches for 50. Steep words: nine memories in ten share one word, and questions ask for it",
            "(`synthetic.py`). Through the API: embedded adapters, without sign-in, with the record of the call.\n",
            scale_tables.searches(named),
            "Steps around searches. Load: from files; completed: AddMemories of 20 until its memories are found.\n",
            scale_tables.steps(measured),
            "Calls to AWS as counted at the ports (`counted.py`), the call's own record among them, without sign-in:\n",
            scale_tables.calls(measured),
            scale_growth.constant(measured),
            "Growth: ratio of the costs by the ratio of the sizes; 1 is linear, less is better.\n",
            scale_growth.growths(measured),
            f"Above 1: {'; '.join(fast) if fast else 'none'}.\n",
            scale_tables.tenants(tenants),
        ]
    )


def _plain(found: Any) -> Any:
    if isinstance(found, Bill):
        return {"calls": dict(found.calls), "read": found.read, "written": found.written, "units": found.units}
    return str(found)


if __name__ == "__main__":
    main()
