"""Table files under a clock that stands still, and a look into them past the adapter."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from agent_memory.adapters.sqlite_table import SqliteTable

from .table_process import NOW


def open_table(path: Path | str, now: Callable[[], float] = lambda: NOW) -> SqliteTable:
    """A table whose clock stands still."""
    return SqliteTable(path, now=now)


def count(path: Path, sql: str = "SELECT count(*) FROM items") -> Any:
    """The one value that a statement gives, past the adapter."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchone()[0]
