"""A search through all that lies in table and queue, as no port shows it: every column of every row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from agent_memory.services import Services
from tests.cases.watched import WatchedQueue


def occurrences(services: Services, queue: WatchedQueue, needle: str) -> int:
    """How many values hold the text, as it is or with JSON's escapes; the audit writes what it holds back first."""
    services.audit.flush()
    forms = {needle.encode(), json.dumps(needle)[1:-1].encode()}
    pools = (services.table._pool, queue.queue._pool)
    return sum(any(form in value for form in forms) for pool in pools for value in _values(pool))


def _values(pool: Any) -> Iterator[bytes]:
    """Every stored value as bytes."""
    with pool.connection() as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = [row for table in tables for row in connection.execute(f'SELECT * FROM "{table}"')]
    for row in rows:
        for value in row:
            yield value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
