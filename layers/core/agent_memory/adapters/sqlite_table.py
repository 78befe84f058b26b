"""WideTable in one SQLite file: the embedded default, durable and safe with several processes and threads."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent_memory.adapters.sqlite_pool import SqlitePool
from agent_memory.adapters.table_rules import (
    Record,
    check_limit,
    conditional_keys,
    encode_batch,
    encode_many,
    failed_positions,
    key_of,
    span,
)
from agent_memory.errors import AgentMemoryError, ConditionFailed
from agent_memory.ports import Delete, Item, Key, Page, Put, Write

SCHEMA_VERSION = 1
COLLECT_EVERY_SECONDS = 60.0
COLLECT_AT_MOST = 500  # expired rows of one round, so that no write waits long for it
ROWS_PER_TRANSACTION = 500

_SCHEMA = (
    """CREATE TABLE items (pk TEXT NOT NULL, sk TEXT NOT NULL, version INT NOT NULL, body TEXT NOT NULL,
        blob BLOB NOT NULL, ttl INT, PRIMARY KEY (pk, sk)) WITHOUT ROWID""",
    "CREATE INDEX items_ttl ON items (ttl) WHERE ttl IS NOT NULL",
    f"PRAGMA user_version={SCHEMA_VERSION}",
)
_GET = "SELECT pk, sk, version, body, blob, ttl FROM items WHERE pk = ? AND sk IN ({})"
_KEYS_PER_READ = 400
_VERSION = "SELECT version FROM items WHERE pk = ? AND sk = ?"
_UP = """SELECT pk, sk, version, body, blob, ttl FROM items
    WHERE pk = ? AND sk >= ? AND sk <= ? AND sk <> ? ORDER BY sk LIMIT ?"""
_DOWN = """SELECT pk, sk, version, body, blob, ttl FROM items
    WHERE pk = ? AND sk >= ? AND sk <= ? AND sk <> ? ORDER BY sk DESC LIMIT ?"""
_PUT = "REPLACE INTO items (pk, sk, version, body, blob, ttl) VALUES (?, ?, ?, ?, ?, ?)"
_DELETE = "DELETE FROM items WHERE pk = ? AND sk = ?"
_COLLECT = """DELETE FROM items WHERE (pk, sk) IN
    (SELECT pk, sk FROM items WHERE ttl IS NOT NULL AND ttl <= ? ORDER BY ttl LIMIT ?)"""


class SqliteTable:
    """One table in the file `path`, made when missing; `:memory:` lives as long as the object.

    `now` gives Unix seconds: rows expired by then are collected at opening and along with later writes.
    """

    def __init__(self, path: Path | str, *, now: Callable[[], float]) -> None:
        self._pool = SqlitePool(path)
        self._now = now
        with self._pool.transaction() as connection:
            _prepare(connection)
            self._collect(connection)

    def get(self, keys: Iterable[Key]) -> dict[Key, Item]:
        """The items that exist, any number of keys, each key once."""
        wanted = dict.fromkeys(keys)
        with self._pool.connection() as connection:
            rows = [row for pk, part in _parted(wanted) for row in _rows(connection, pk, part)]
        found = {item.key: item for item in (_record(row).to_item() for row in rows)}
        return {key: found[key] for key in wanted if key in found}

    def query(  # noqa: PLR0913 - as the port
        self, pk: str, first: str, last: str, *, limit: int, after: str | None = None, reverse: bool = False
    ) -> Page:
        """At most `limit` items with first <= sk <= last, behind the sort key `after`; `more` is exact."""
        check_limit(limit)
        part = span(first, last, after, reverse=reverse)
        if part is None:
            return Page((), more=False)
        # `after` is a bound of the index search, not only a filter: a late page costs what the first one costs.
        low = part.low if part.after is None or reverse else part.after
        high = part.high if part.after is None or not reverse else part.after
        with self._pool.connection() as connection:
            found = connection.execute(
                _DOWN if reverse else _UP, (pk, low, high, part.after or "", limit + 1)
            ).fetchall()
        return Page(tuple(_record(row).to_item() for row in found[:limit]), more=len(found) > limit)

    def write(self, writes: Sequence[Write]) -> None:
        """All of the writes or none (1 to 100, one per key), on disk when it returns."""
        records = encode_batch(writes)
        with self._pool.transaction() as connection:
            failed = failed_positions(writes, _versions(connection, conditional_keys(writes)))
            if failed:
                raise ConditionFailed(failed)
            _apply(
                connection,
                {
                    key_of(write): record
                    for write, record in zip(writes, records, strict=True)
                    if isinstance(write, Put | Delete)
                },
            )
            self._collect_if_due(connection)

    def write_many(self, writes: Iterable[Put | Delete]) -> None:
        """Any number of writes without conditions, a few hundred at a time on disk."""
        outcome = list(encode_many(writes).items())
        for start in range(0, len(outcome), ROWS_PER_TRANSACTION):
            with self._pool.transaction() as connection:
                _apply(connection, dict(outcome[start : start + ROWS_PER_TRANSACTION]))
                self._collect_if_due(connection)

    def close(self) -> None:
        """Close the file; later calls raise ServiceUnavailable."""
        self._pool.close()

    def _collect_if_due(self, connection: sqlite3.Connection) -> None:
        if self._now() - self._collected_at >= COLLECT_EVERY_SECONDS:
            self._collect(connection)

    def _collect(self, connection: sqlite3.Connection) -> None:
        self._collected_at = self._now()
        connection.execute(_COLLECT, (int(self._collected_at), COLLECT_AT_MOST))


def _parted(keys: Iterable[Key]) -> Iterator[tuple[str, Sequence[str]]]:
    """The keys by partition, as many sort keys at a time as one statement takes."""
    of_partition: dict[str, list[str]] = {}
    for key in keys:
        of_partition.setdefault(key.pk, []).append(key.sk)
    for pk, names in of_partition.items():
        for start in range(0, len(names), _KEYS_PER_READ):
            yield pk, names[start : start + _KEYS_PER_READ]


def _rows(connection: sqlite3.Connection, pk: str, names: Sequence[str]) -> list[Any]:
    return connection.execute(_GET.format(",".join("?" * len(names))), (pk, *names)).fetchall()


def _prepare(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        raise AgentMemoryError(f"the database has schema {version}, this version reads up to {SCHEMA_VERSION}")
    if version == 0:
        for statement in _SCHEMA:
            connection.execute(statement)


def _versions(connection: sqlite3.Connection, keys: Iterable[Key]) -> Mapping[Key, int]:
    rows = {key: connection.execute(_VERSION, (key.pk, key.sk)).fetchone() for key in keys}
    return {key: row[0] for key, row in rows.items() if row is not None}


def _apply(connection: sqlite3.Connection, outcome: Mapping[Key, Record | None]) -> None:
    gone = [(key.pk, key.sk) for key, record in outcome.items() if record is None]
    kept = [(r.key.pk, r.key.sk, r.version, r.text, r.blob, r.ttl) for r in outcome.values() if r is not None]
    connection.executemany(_DELETE, gone)
    connection.executemany(_PUT, kept)


def _record(row: Sequence[Any]) -> Record:
    pk, sk, version, body, blob, ttl = row
    return Record(Key(pk, sk), version, body, blob, ttl)
