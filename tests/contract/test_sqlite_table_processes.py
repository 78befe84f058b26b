"""The SQLite table under several processes and threads, and after kill -9."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from agent_memory.ports import MAX_WRITES, Item, Key, Put

from .table_files import count, open_table
from .table_process import COUNTER, INCREMENTS, increment

PROCESSES = 4


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
