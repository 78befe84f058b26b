"""What became of each operation of a client: kept in build/clients/results, from where table.py makes the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.clients import programs
from tests.clients.client_process import Broken, Refused

RESULTS = programs.FOLDER / "results"
PASS = "pass"
NO_METHOD = "no such method"
FAILURES = (AssertionError, LookupError, TypeError, ValueError, OSError, Refused, Broken)


class Outcomes:
    """Collects, so that one operation that fails doesn't hide the next; `verdict` fails the test with all reasons."""

    def __init__(self, group: str, column: str) -> None:
        self._group, self._column = group, column
        self.rows: dict[str, str] = {}

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        """A row of the table; the first failure of a row stays."""
        try:
            yield
        except FAILURES as error:
            self.note(name, f"{type(error).__name__}: {error}".partition("\n")[0])
        else:
            self.note(name, PASS)

    def note(self, name: str, outcome: str) -> None:
        """Set a row, unless it has failed before."""
        if self.rows.get(name, PASS) == PASS:
            self.rows[name] = outcome

    def verdict(self) -> None:
        """Write the rows down and fail with what failed."""
        RESULTS.mkdir(parents=True, exist_ok=True)
        file = RESULTS / f"{self._group}--{self._column.replace(' ', '-').replace('/', '-')}.json"
        kept = {"group": self._group, "column": self._column, "rows": self.rows}
        file.write_text(json.dumps(kept, ensure_ascii=False, indent=1), encoding="utf-8")
        failed = [f"{name}: {outcome}" for name, outcome in self.rows.items() if outcome not in (PASS, NO_METHOD)]
        if failed:
            pytest.fail(f"{self._column}: {len(failed)} of {len(self.rows)}\n" + "\n".join(failed), pytrace=False)
