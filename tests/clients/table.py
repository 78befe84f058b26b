"""The table of clients and operations, from what the tests left in build/clients/results.

    python tests/clients/table.py

Prints it and writes it to tests/clients/RESULTS.md.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "build" / "clients" / "results"
TARGET = Path(__file__).parent / "RESULTS.md"
HEAD = """# The official clients against the embedded server

Written by `python tests/clients/table.py` from the last run of `pytest tests/clients`. The clients are unmodified, at
the versions in install.sh; the server serves no call without credentials. A dash is an operation that the client has no
method for.
"""
SHORT = {"pass": "pass", "no such method": "-"}


def main() -> None:
    """Print and write."""
    results = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(RESULTS.glob("*.json"))]
    groups = sorted({result["group"] for result in results}, key="libraries,command line".find, reverse=True)
    text = HEAD + "".join(_section(group, results) for group in groups)
    TARGET.write_text(text, encoding="utf-8")
    print(text)


def _section(group: str, results: list[dict[str, Any]]) -> str:
    columns = {result["column"]: result["rows"] for result in results if result["group"] == group}
    rows = list(dict.fromkeys(row for cells in columns.values() for row in cells))
    lines = [_line(["", *columns]), _line(["---"] * (len(columns) + 1))]
    lines += [_line([row, *(_cell(cells.get(row)) for cells in columns.values())]) for row in rows]
    return f"\n## {group[0].upper()}{group[1:]}\n\n" + "\n".join(lines) + "\n"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(outcome: str | None) -> str:
    return "" if outcome is None else SHORT.get(outcome, f"**{outcome.replace('|', '/')}**")


if __name__ == "__main__":
    main()
