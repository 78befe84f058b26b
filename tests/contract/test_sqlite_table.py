"""What only the SQLite table has: expiry, its index, and files that can't be used."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agent_memory.adapters import sqlite_table
from agent_memory.adapters.sqlite_pool import sqlite_errors
from agent_memory.adapters.sqlite_table import COLLECT_EVERY_SECONDS, SCHEMA_VERSION
from agent_memory.errors import AgentMemoryError, ServerBusy, ServiceUnavailable
from agent_memory.ports import Delete, Item, Key, Put

from .table_files import count, open_table
from .table_process import COUNTER, NOW


def test_what_is_written_is_there_after_opening_again(tmp_path: Path) -> None:
    """A closed file, opened by its text path, gives back its items; its journal is WAL."""
    path = tmp_path / "表.db"
    kept = Item(Key("p", "虾"), {"text": "我对虾过敏"}, 3, b"\x00\xff")
    with closing(open_table(path)) as table:
        table.write([Put(kept)])

    with closing(open_table(str(path))) as table:
        assert table.get([kept.key]) == {kept.key: kept}
    assert count(path, "PRAGMA journal_mode") == "wal"
    assert count(path, "PRAGMA user_version") == SCHEMA_VERSION


def test_expired_rows_are_collected_at_opening(tmp_path: Path) -> None:
    """Rows whose ttl is now or earlier go when the file is opened; others stay."""
    path = tmp_path / "table.db"
    with closing(open_table(path)) as table:
        table.write([Put(Item(Key("p", str(ttl)), {}, ttl=ttl)) for ttl in (int(NOW) + 1, int(NOW) + 2, int(NOW) + 3)])
        table.write([Put(Item(Key("p", "stays"), {}))])

    with closing(open_table(path, now=lambda: NOW + 2)) as table:
        found = [each.key.sk for each in table.query("p", "", "\U0010ffff", limit=9).items]
    assert found == [str(int(NOW) + 3), "stays"]


def test_expired_rows_are_collected_along_with_writes_now_and_then(tmp_path: Path) -> None:
    """Not before a minute has passed since the last collection, then with the next write of any kind."""
    path, clock = tmp_path / "table.db", [NOW]
    with closing(open_table(path, now=lambda: clock[0])) as table:
        for write in (table.write, table.write_many):
            table.write([Put(Item(Key("p", "old"), {}, ttl=int(clock[0]) + 1))])
            clock[0] += COLLECT_EVERY_SECONDS - 1
            write([Delete(Key("p", "x"))])
            assert count(path) == 1
            clock[0] += 1
            write([Delete(Key("p", "x"))])
            assert count(path) == 0


def test_one_collection_is_bounded(tmp_path: Path) -> None:
    """Of 1,200 expired rows, each round takes 500."""
    path, clock = tmp_path / "table.db", [NOW]
    with closing(open_table(path, now=lambda: clock[0])) as table:
        table.write_many([Put(Item(Key("p", f"{n:04}"), {}, ttl=int(NOW) + 1)) for n in range(1200)])
        left = []
        for _ in range(3):
            clock[0] += COLLECT_EVERY_SECONDS
            table.write([Delete(Key("p", "x"))])
            left.append(count(path))

    assert left == [700, 200, 0]


def test_pages_and_reads_search_the_index(tmp_path: Path) -> None:
    """Neither a late page, nor a single read, nor the collection scans the table."""
    with closing(open_table(tmp_path / "table.db")), closing(sqlite3.connect(tmp_path / "table.db")) as connection:
        for sql, values in [
            (sqlite_table._UP, ("p", "a", "z", "", 9)),
            (sqlite_table._DOWN, ("p", "a", "z", "", 9)),
            (sqlite_table._GET.format("?,?"), ("p", "a", "b")),
            (sqlite_table._COLLECT, (1, 1)),
        ]:
            plan = " / ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values))
            assert "SCAN items" not in plan
            assert "TEMP B-TREE" not in plan


def test_a_file_of_a_newer_schema_is_refused(tmp_path: Path) -> None:
    """A file that a later version wrote is left alone, with an error that does not ask for a retry."""
    path = tmp_path / "table.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")

    with pytest.raises(AgentMemoryError, match="schema") as caught:
        open_table(path)
    assert not caught.value.retryable


def test_a_file_that_can_not_be_used_is_service_unavailable(tmp_path: Path) -> None:
    """No folder, no database, and a closed table are named errors."""
    (tmp_path / "notes.txt").write_text("not a database " * 100)
    for path in (tmp_path / "missing" / "table.db", tmp_path / "notes.txt"):
        with pytest.raises(ServiceUnavailable):
            open_table(path)

    table = open_table(tmp_path / "table.db")
    table.close()
    table.close()
    with pytest.raises(ServiceUnavailable, match="closed"):
        table.get([COUNTER])


def test_a_held_lock_is_server_busy(tmp_path: Path) -> None:
    """SQLite's own answers to a lock that is held and to a full disk become the two named errors."""
    path = tmp_path / "table.db"
    open_table(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        other = sqlite3.connect(path, timeout=0, isolation_level=None)
        with closing(other), pytest.raises(ServerBusy), sqlite_errors():
            other.execute("BEGIN IMMEDIATE")
        holder.execute(f"PRAGMA max_page_count={count(path, 'PRAGMA page_count')}")
        with pytest.raises(ServiceUnavailable, match="full"), sqlite_errors():
            holder.execute("INSERT INTO items VALUES ('p', 'a', 1, ?, x'', NULL)", ("x" * 100_000,))


def test_wrong_sql_is_not_taken_for_an_outage() -> None:
    """Misuse of the library stays what it is."""
    with closing(sqlite3.connect(":memory:")) as connection, pytest.raises(sqlite3.ProgrammingError), sqlite_errors():
        connection.execute("SELECT ?", ())
