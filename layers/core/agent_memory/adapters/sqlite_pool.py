"""Connections to one SQLite file for many threads and processes, and SQLite's errors as ours."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import LifoQueue

from agent_memory.errors import ServerBusy, ServiceUnavailable

MEMORY = ":memory:"
BUSY_SECONDS = 30.0
CACHE_KIB = 16_384  # of pages, per connection; the default of 2 MB holds the records of a few searches
MAPPED_BYTES = 1 << 30  # of the file: reads of pages that the system has in memory copy nothing
OPEN_ATTEMPTS = 20
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_BUGS = (sqlite3.ProgrammingError, sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.NotSupportedError)


class SqlitePool:
    """Lends each connection to one thread at a time; `:memory:` has one connection, which all threads see.

    Every commit is on disk when it returns (WAL, synchronous=FULL). Raises ServerBusy when a lock is held for longer
    than BUSY_SECONDS, ServiceUnavailable when the file can't be used.
    """

    def __init__(self, path: Path | str, size: int = 8) -> None:
        self._path = str(path)
        self._size = 1 if self._path == MEMORY else size
        self._idle: LifoQueue[sqlite3.Connection | None] = LifoQueue()
        self._closed = False
        for _ in range(self._size):
            self._idle.put(None)  # opened when first needed

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection in autocommit mode; waits while all are lent out."""
        lent = self._idle.get()
        try:
            if self._closed:
                raise ServiceUnavailable("the database is closed")
            with sqlite_errors():
                lent = lent or _connect(self._path)
                yield lent
        finally:
            self._idle.put(lent)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A connection inside BEGIN IMMEDIATE: committed at the end, rolled back when an error leaves the block."""
        with self.connection() as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection

    def close(self) -> None:
        """Close all connections once their borrowers are done; later use raises ServiceUnavailable."""
        if self._closed:
            return
        self._closed = True
        for lent in [self._idle.get() for _ in range(self._size)]:
            if lent is not None:
                lent.close()
            self._idle.put(None)


@contextmanager
def sqlite_errors() -> Iterator[None]:
    """Turns locks into ServerBusy and failures of disk or file into ServiceUnavailable; wrong SQL stays as it is."""
    try:
        yield
    except _BUGS:
        raise
    except sqlite3.DatabaseError as error:
        if _is_busy(error):
            raise ServerBusy("the database is locked by other writers") from error
        # Only an error without SQLite's code comes from the values themselves, and then it quotes them.
        why = str(error) if hasattr(error, "sqlite_errorcode") else "a stored value is damaged"
        raise ServiceUnavailable(f"the database can't be used: {why}") from error


def _is_busy(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in _BUSY  # the low byte is the primary result code


def _connect(path: str) -> sqlite3.Connection:
    # The pool never lets two threads use a connection at once.
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        _use_wal(connection)
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        connection.execute(f"PRAGMA mmap_size={MAPPED_BYTES}")
    except BaseException:
        connection.close()
        raise
    return connection


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL, which SQLite refuses at once, without its busy handler, while another process does the same."""
    for attempt in range(OPEN_ATTEMPTS):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or attempt == OPEN_ATTEMPTS - 1:
                raise
            connection.execute("BEGIN IMMEDIATE")  # this one waits for the lock
            connection.execute("ROLLBACK")
        else:
            return
