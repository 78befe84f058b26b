"""What only the SQLite table has: processes and threads at one file, crashes, expiry, files that can't be used."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from agent_memory.adapters.sqlite_pool import sqlite_errors
from agent_memory.adapters.sqlite_table import COLLECT_EVERY_SECONDS, SCHEMA_VERSION, SqliteTable
from agent_memory.errors import AgentMemoryError, ServerBusy, ServiceUnavailable
from agent_memory.ports import MAX_WRITES, Delete, Item, Key, Put

from .table_process import COUNTER, INCREMENTS, NOW, increment

PROCESSES = 4


def open_table(path: Path | str, now: Callable[[], float] = lambda: NOW) -> SqliteTable:
    """A table whose clock stands still."""
    return SqliteTable(path, now=now)


def start(command: str, path: Path) -> subprocess.Popen[str]:
    """A process that has imported everything and waits for a line to begin."""
    script = Path(__file__).with_name("table_process.py")
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, script, command, path], stdin=pipe, stdout=pipe, text=True)
    assert told(process) == "ready"
    return process


def begin(process: subprocess.Popen[str]) -> None:
    """Let the process go."""
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def told(process: subprocess.Popen[str]) -> str:
    """The next line that the process wrote, empty at its end."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def count(path: Path, sql: str = "SELECT count(*) FROM items") -> Any:
    """The one value that a statement gives, past the adapter."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchone()[0]


def test_processes_lose_no_update(tmp_path: Path) -> None:
    """Four processes open a new file at once and count to a hundred together."""
    path = tmp_path / "table.db"
    with ExitStack() as stack:
        workers = [stack.enter_context(start("increment", path)) for _ in range(PROCESSES)]
        for worker in workers:
            begin(worker)
        codes = [worker.wait(120) for worker in workers]

    assert codes == [0] * PROCESSES
    with closing(open_table(path)) as table:
        assert table.get([COUNTER])[COUNTER].body == {"n": PROCESSES * INCREMENTS}


@pytest.mark.parametrize("name", ["table.db", ":memory:"])
def test_threads_lose_no_update(tmp_path: Path, name: str) -> None:
    """Twelve threads, more than there are connections, share one table."""
    path = name if name == ":memory:" else tmp_path / name
    with closing(open_table(path)) as table, ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda times: increment(table, times), [10] * 12))

        assert table.get([COUNTER])[COUNTER].body == {"n": 120}


def test_threads_open_a_new_file_together(tmp_path: Path) -> None:
    """Eight tables on one new file, opened at once, all work."""
    with ThreadPoolExecutor(8) as pool:
        tables = list(pool.map(open_table, [tmp_path / "table.db"] * 8))

    for n, table in enumerate(tables):
        table.write([Put(Item(Key("p", str(n)), {}))])
        table.close()
    assert count(tmp_path / "table.db") == 8


def test_a_killed_writer_leaves_whole_batches(tmp_path: Path) -> None:
    """After kill -9 in the middle of writing, the file opens, and all rows carry one number, told or the next."""
    path = tmp_path / "table.db"
    for batches in (1, 4, 9):
        with start("fill", path) as writer:
            begin(writer)
            numbers = [int(told(writer)) for _ in range(batches)]
            writer.kill()
            while line := told(writer):  # what was told between the last read and the end
                numbers.append(int(line))

        with closing(open_table(path)) as table:
            page = table.query("batch", "", "\U0010ffff", limit=200)
        stored = {each.body["number"] for each in page.items}
        assert len(page.items) == MAX_WRITES
        assert stored in ({numbers[-1]}, {numbers[-1] + 1})
        assert count(path, "PRAGMA integrity_check") == "ok"


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
    from agent_memory.adapters import sqlite_table

    with closing(open_table(tmp_path / "table.db")), closing(sqlite3.connect(tmp_path / "table.db")) as connection:
        for sql, values in [
            (sqlite_table._UP, ("p", "a", "z", "", 9)),
            (sqlite_table._DOWN, ("p", "a", "z", "", 9)),
            (sqlite_table._GET, ("p", "a")),
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
