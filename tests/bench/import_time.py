"""Import time of each function's module next to `import boto3`: `python tests/bench/import_time.py`.

A cold start pays for imports, so they are looked at one by one. Times are relative: median of fresh processes, taken in
turns so that a busy moment of the machine hits all alike.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 7
MEASURE = """
import sys, time
sys.path.insert(0, sys.argv[1])
started = time.perf_counter()
__import__(sys.argv[2])
print(time.perf_counter() - started, sum(name in sys.modules for name in ("boto3", "numpy", "onnxruntime")))
"""


def main() -> None:
    """Print the table, fastest first."""
    subjects = {f"{path.parent.name}/app.py": (path.parent, "app") for path in ROOT.glob("functions/*/app.py")}
    subjects |= {"boto3": (ROOT, "boto3"), "aws_lambda_powertools Logger": (ROOT, "aws_lambda_powertools.logging")}
    times: dict[str, list[float]] = {name: [] for name in subjects}
    heavy: dict[str, int] = {}
    for _ in range(ROUNDS):
        for name, (folder, module) in subjects.items():
            seconds, heavy[name] = measured(folder, module)
            times[name].append(seconds)
    base = median(times["boto3"])
    print(f"{'import of':<32} relative to boto3   heavy packages loaded (boto3, numpy, onnxruntime)")
    for name, values in sorted(times.items(), key=lambda each: median(each[1])):
        print(f"{name:<32} {median(values) / base:17.2f}   {heavy[name]}")


def measured(folder: Path, module: str) -> tuple[float, int]:
    """Seconds of the import in a new process, and how many of the heavy packages came with it."""
    command = [sys.executable, "-c", MEASURE, str(folder), module]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, loaded = done.stdout.split()
    return float(seconds), int(loaded)


if __name__ == "__main__":
    main()
