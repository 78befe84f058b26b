"""The tables of the bench: Markdown, the versions they were measured with, and their places in RESULTS.md."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

RESULTS = Path(__file__).with_name("RESULTS.md")
HEAD = "# Bench results\n\nWritten by the scripts of this folder with `--write`; each says below what it ran.\n"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; the first column is text, the others are numbers."""
    marks = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, marks, *rows)) + "\n"


def versions(packages: Sequence[str]) -> str:
    """One line: Python, processors, and the packages that are installed."""
    parts = [f"Python {platform.python_version()}", f"{platform.machine()}, {os.cpu_count()} CPUs"]
    return ", ".join(parts + [f"{name} {found}" for name in packages if (found := _version(name))])


def command() -> str:
    """How this script was called, folders of the machine left out."""
    given = [argument if argument.startswith("-") else Path(argument).name for argument in sys.argv[1:]]
    script = Path(sys.argv[0])
    return " ".join(["python", f"tests/bench/{script.name}", *given])


def write_section(name: str, text: str, path: Path = RESULTS) -> None:
    """Put the text between the section's markers, or behind everything where it has none yet."""
    whole = path.read_text(encoding="utf-8") if path.exists() else HEAD
    path.write_text(with_section(whole, name, text), encoding="utf-8")


def with_section(whole: str, name: str, text: str) -> str:
    """The document with the section replaced or added; the rest stays as it is."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    section = f"{begin}\n{text.strip()}\n{end}"
    before, found, behind = whole.partition(begin)
    if not found:
        return f"{whole.rstrip()}\n\n{section}\n"
    return f"{before}{section}{behind.partition(end)[2]}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
