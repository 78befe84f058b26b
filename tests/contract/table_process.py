"""A process of its own for the tests of the table file: `increment FILE` or `fill FILE`, told to begin by a line."""

from __future__ import annotations

import sys

from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.errors import ConditionFailed
from agent_memory.ports import MAX_WRITES, Item, Key, Put

NOW = 1_800_000_000.0
COUNTER = Key("counters", "计数")
INCREMENTS = 25
MAX_BATCHES = 100_000  # a process that nobody stops ends by itself


def increment(table: SqliteTable, times: int) -> None:
    """Add one to the counter, reading again when another writer came first."""
    done = 0
    while done < times:
        seen = table.get([COUNTER]).get(COUNTER)
        version, n = (seen.version, seen.body["n"]) if seen else (0, 0)
        try:
            table.write([Put(Item(COUNTER, {"n": n + 1}, version + 1), expect=version)])
        except ConditionFailed:
            continue
        done += 1


def fill(table: SqliteTable) -> None:
    """Write batches that all carry their number, telling each number once it is written."""
    for number in range(1, MAX_BATCHES):
        table.write(
            [Put(Item(Key("batch", f"{n:03}"), {"number": number, "文": "x" * 500})) for n in range(MAX_WRITES)]
        )
        tell(number)


def tell(word: object) -> None:
    """One line to the test that waits for it."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def main(command: str, path: str) -> None:
    """Say that the imports are done, wait for a line, then open the file and do as told."""
    tell("ready")
    sys.stdin.readline()
    table = SqliteTable(path, now=lambda: NOW)
    if command == "increment":
        increment(table, INCREMENTS)
    else:
        fill(table)
    table.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
