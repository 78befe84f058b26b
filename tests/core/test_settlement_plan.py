"""The transaction of a settlement: what is written for new, changed and unchanged units, and at the end of a task."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent_memory import keys
from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.change_log import log_writes
from agent_memory.errors import ConditionFailed, ServerBusy
from agent_memory.memory_store import MemoryStore
from agent_memory.memory_task import Task
from agent_memory.models import MemoryUnit, TurnRef
from agent_memory.packed_vectors import TOKEN_BYTES, most_token_bytes, packing
from agent_memory.ports import MAX_WRITES, Check, Delete, Item, Key, Put, Write
from agent_memory.records import task_item, task_of, unit_item, unit_of
from agent_memory.retrieval.index_cache import IndexCache
from agent_memory.scopes import Scope
from agent_memory.settlement.commit import TRIES, Settler, commit_units
from agent_memory.settlement.settle import settle_all
from agent_memory.settlement.transaction import (
    BYTES_PER_WRITE,
    UNITS_PER_WRITE,
    Commit,
    Done,
    Ending,
    known_by_id,
    plan_writes,
    transactions,
)
from agent_memory.visibility import Visibility
from tests.stand_ins import START_MS, Clock, WordEmbedder

UID = "store_1"
SCOPE = Scope(app_id="商店", tenant_id="t1")
PARTITION = keys.tenant_partition(UID, "商店", "t1")
HEAD, ALIVE = keys.head(PARTITION), keys.alive(UID)
TASK = Task(
    request_id="q1",
    scope=SCOPE,
    status="completed",
    accepted_messages=1,
    log_keys=("at/1",),
    created_ms=START_MS,
    updated_ms=START_MS,
)
OUTBOX = keys.outbox("q1", START_MS)
STORE = MemoryStore(instance="默认", name="mem", uid=UID, created_ms=1, updated_ms=1)
VISIBLE = Visibility(life=1, generation=0, gone_apps={})
ENDING = Ending(STORE, TASK, version=2, outbox=OUTBOX, visible=VISIBLE)
END = [Put(task_item(UID, TASK, 3), expect=2), Delete(OUTBOX)]
GONE = keys.gone(PARTITION)
CHECKS = [Check(ALIVE, expect=1), Check(GONE, expect=0)]


def unit(name: str, message: str = "m1", **fields: Any) -> MemoryUnit:
    given: dict[str, Any] = {
        "id": name,
        "scope": SCOPE,
        "unit_type": "episode",
        "text": f"[2026] user: {name}",
        "search_text": name,
        "effective_at": "2026",
        "time_precision": "year",
        "time_source": "message",
        "source_turn_refs": (TurnRef(message_id=message, timestamp_ms=1, log_key="at/1"),),
        "created_at": "2026-11-30T10:00:00Z",
        "updated_at": "2026-11-30T10:00:00.000Z",
    }
    return MemoryUnit(**{**given, **fields})


def commit(*units: MemoryUnit, ending: Ending | None = None) -> Commit:
    return Commit(STORE, PARTITION, VISIBLE, units, ending, START_MS)


def stored(*items: Item) -> dict[Key, Item]:
    return {item.key: item for item in items}


def planned(given: Commit, read: dict[Key, Item], vectors: dict[str, bytes]) -> list[Write]:
    """The transaction over what was read, each unit settled with its own record."""
    plan = settle_all(given.units, known_by_id(read), {}, {}, (given.visible, given.now_ms))
    return plan_writes(given, plan, read[HEAD].version if HEAD in read else 0, Done(vectors).with_plan(plan))


def test_a_new_unit_is_put_where_there_is_none() -> None:
    """With its vector, the first entry of the log, and a head of version 1."""
    new = unit("虾")
    assert planned(commit(new), {}, {"虾": b"\x01\x02"}) == [
        *CHECKS,
        Put(unit_item(PARTITION, new, b"\x01\x02"), expect=0),
        Put(Item(keys.change(PARTITION, 1), {"puts": ["虾"], "deletes": []}), expect=0),
        Put(Item(HEAD, {}, version=1), expect=0),
    ]


def test_a_changed_unit_is_put_over_the_version_that_was_read() -> None:
    """With the vector that it has; no new one is needed."""
    old = unit("a", version=4)
    change, head = Item(keys.change(PARTITION, 8), {"puts": ["a"], "deletes": []}), Item(HEAD, {}, version=8)
    writes = planned(commit(unit("a", "m2")), stored(unit_item(PARTITION, old, b"v"), Item(HEAD, {}, 7)), {})
    put = writes[2]
    assert isinstance(put, Put)
    assert (put.expect, put.item.version, put.item.blob) == (4, 5, b"v")
    assert [ref.message_id for ref in unit_of(put.item).source_turn_refs] == ["m1", "m2"]
    assert writes[3:] == [Put(change, expect=0), Put(head, expect=7)]


def test_an_unchanged_unit_writes_nothing_and_no_log_entry() -> None:
    """What is left are the checks that neither the store nor the scope was deleted."""
    read = stored(unit_item(PARTITION, unit("a", version=4), b"v"), Item(HEAD, {}, 7))
    assert planned(commit(unit("a")), read, {}) == CHECKS


def test_one_log_entry_names_what_changed_in_order() -> None:
    """New and changed units together, unchanged ones not."""
    read = stored(unit_item(PARTITION, unit("same"), b"v"), unit_item(PARTITION, unit("changed"), b"v"))
    given = commit(unit("new2"), unit("same"), unit("changed", "m9"), unit("new1"))
    writes = planned(given, read, {"new1": b"1", "new2": b"2"})
    entries = [write for write in writes if isinstance(write, Put) and write.item.key == keys.change(PARTITION, 1)]
    assert [entry.item.body for entry in entries] == [{"puts": ["new2", "changed", "new1"], "deletes": []}]
    assert len(writes) == len(CHECKS) + 3 + 2


def test_the_task_ends_with_its_last_units() -> None:
    """Over the version that was claimed, and its job leaves the outbox; without units too."""
    assert planned(commit(unit("a"), ending=ENDING), {}, {"a": b""})[-2:] == END
    assert planned(commit(ending=ENDING), {}, {}) == [*CHECKS, *END]
    assert planned(commit(ending=ENDING), stored(Item(HEAD, {}, 7)), {}) == [*CHECKS, *END]


def test_the_checks_speak_of_what_was_read_before_the_messages() -> None:
    """The store's life and the tenant's generation, so that a delete in between makes the transaction fail."""
    given = replace(commit(unit("a"), ending=ENDING), visible=Visibility(3, 2, {"旧店": 3}, {("a9", "*"): 2}))
    writes = planned(given, {}, {"a": b""})
    assert writes[:2] == [Check(ALIVE, expect=3), Check(GONE, expect=2)]
    put = writes[2]
    assert isinstance(put, Put)
    assert put.item.body["born"] == [3, 2]


def test_planning_twice_plans_the_same() -> None:
    """It depends on its arguments alone."""
    read = stored(unit_item(PARTITION, unit("a"), b"v"))
    given = commit(unit("a", "m2"), unit("b"), ending=ENDING)
    assert planned(given, read, {"b": b""}) == planned(given, read, {"b": b""})


def test_a_log_entry_may_tell_of_deletions() -> None:
    """The head's version is the number of the last entry."""
    assert log_writes("p", 41, deletes=["a", "b"]) == [
        Put(Item(keys.change("p", 42), {"puts": [], "deletes": ["a", "b"]}), expect=0),
        Put(Item(keys.head("p"), {}, version=42), expect=41),
    ]


@pytest.mark.parametrize("count", [0, 1, UNITS_PER_WRITE, UNITS_PER_WRITE + 1, 3 * UNITS_PER_WRITE])
def test_units_are_parted_by_number(count: int) -> None:
    """In order, none lost, at least one part, and each with its log and end within the limit of a transaction."""
    units = [unit(f"u{number}") for number in range(count)]
    parts = transactions(units)
    assert [each for part in parts for each in part] == units
    assert len(parts) == max(1, -(-count // UNITS_PER_WRITE))
    vectors = {each.id: b"" for each in units}
    assert all(len(planned(commit(*part, ending=ENDING), {}, vectors)) <= MAX_WRITES for part in parts)


def test_units_are_parted_by_bytes() -> None:
    """Large metadata, counted in UTF-8, makes more transactions; a unit too large for any stands alone."""
    large = [unit(f"u{number}", metadata={"k": "虾" * 20_000}) for number in range(50)]
    parts = transactions(large)
    assert [each for part in parts for each in part] == large
    assert all(sum(len(each.model_dump_json().encode()) for each in part) <= BYTES_PER_WRITE for part in parts)
    huge = unit("huge", text="x" * (BYTES_PER_WRITE + 1))
    assert transactions([unit("a"), huge, unit("b")]) == [[unit("a")], [huge], [unit("b")]]


def test_token_vectors_are_counted_before_there_are_any() -> None:
    """By an upper bound, also for characters that the model takes apart; other stores make fewer parts of it."""
    texts = [f"{number} " + "㌚" * 90 for number in range(80)]
    units = [unit(f"u{number}", search_text=text) for number, text in enumerate(texts)]
    parts = transactions(units, with_tokens=True)
    assert [each for part in parts for each in part] == units
    assert all(sum(most_token_bytes(each.search_text) for each in part) <= BYTES_PER_WRITE for part in parts)
    assert len(parts) > len(transactions(units)) == 1
    assert most_token_bytes("㌚" * 90) == (5 * 90 + 1) * TOKEN_BYTES


class RacedTable:
    """A table in memory before whose writes others get to do something, a few times."""

    def __init__(self, interfere: Any, times: int) -> None:
        self.inner = SqliteTable(":memory:", now=Clock().seconds)
        self.inner.write([Put(Item(ALIVE, {}), expect=0)])
        self.inner.write([Put(task_item(UID, TASK, 1)), Put(Item(OUTBOX, {}))])
        self.inner.write([Put(task_item(UID, TASK, 2), expect=1)])
        self._interfere, self._times = interfere, times
        self.attempts = 0

    def get(self, wanted: Any) -> dict[Key, Item]:
        return self.inner.get(wanted)

    def write(self, writes: Any) -> None:
        self.attempts += 1
        if self.attempts <= self._times:
            self._interfere(self)
        self.inner.write(writes)


def another_change(table: RacedTable) -> None:
    """Another worker of the tenant writes a change."""
    head = table.inner.get([HEAD]).get(HEAD)
    table.inner.write(log_writes(PARTITION, head.version if head else 0, puts=["other"]))


def settler_of(table: Any, embedder: WordEmbedder) -> Settler:
    """With an index of its own and no judge but the rules."""
    return Settler(table, IndexCache(table, embedder, max_bytes=1_000_000), packing(embedder))


def commit_all(table: Any, *units: MemoryUnit) -> WordEmbedder:
    embedder = WordEmbedder()
    assert commit_units(settler_of(table, embedder), units, ENDING, START_MS)
    return embedder


def ended(table: RacedTable) -> bool:
    return OUTBOX not in table.inner.get([OUTBOX])


@pytest.mark.parametrize("times", [0, 1, TRIES - 1])
def test_a_lost_race_is_run_again(times: int) -> None:
    """Until it is won, with each text embedded once and each change numbered once."""
    table = RacedTable(another_change, times)
    embedder = commit_all(table, unit("a"), unit("b"))
    assert embedder.calls == 1
    assert ended(table)
    changes = table.inner.query(PARTITION, *keys.prefix_range("log/"), limit=100).items
    assert [item.key for item in changes] == [keys.change(PARTITION, number + 1) for number in range(times + 1)]
    assert table.inner.get([HEAD])[HEAD].version == times + 1


def test_a_race_that_is_always_lost_is_busy() -> None:
    """The job comes again later; the task has not ended."""
    table = RacedTable(another_change, 1_000)
    with pytest.raises(ServerBusy):
        commit_all(table, unit("a"))
    assert table.attempts == TRIES
    assert not ended(table)


def test_a_unit_that_another_worker_wrote_meanwhile_is_merged() -> None:
    """Its evidence is added to what the winner stored."""
    winner = unit("a", "m9")

    def write_first(table: RacedTable) -> None:
        table.inner.write([Put(unit_item(PARTITION, winner, b"w"), expect=0), *log_writes(PARTITION, 0, puts=["a"])])

    table = RacedTable(write_first, 1)
    commit_all(table, unit("a"))
    item = table.inner.get([keys.unit(PARTITION, "a")])[keys.unit(PARTITION, "a")]
    assert [ref.message_id for ref in unit_of(item).source_turn_refs] == ["m9", "m1"]
    assert (item.version, item.blob) == (2, b"w")


def test_a_task_that_another_worker_took_is_not_written_to() -> None:
    """ConditionFailed at once: no unit, no log entry, the task as it is."""

    def take_task(raced: RacedTable) -> None:
        raced.inner.write([Put(task_item(UID, TASK.model_copy(update={"attempts": 7}), 9))])

    table = RacedTable(take_task, 1)
    with pytest.raises(ConditionFailed):
        commit_all(table, unit("a"))
    assert table.attempts == 1
    assert table.inner.get([HEAD, keys.unit(PARTITION, "a")]) == {}


DELETIONS = {
    "store": [Delete(ALIVE)],
    "application": [Put(Item(ALIVE, {}, 2), expect=1)],
    "scope or messages": [Put(Item(GONE, {"marks": []}), expect=0)],
}


@pytest.mark.parametrize("what", DELETIONS)
def test_what_was_deleted_meanwhile_ends_the_writing(what: str) -> None:
    """False at once, whatever scope the deletion was about: nothing is written, and the task is not ended."""
    table = RacedTable(lambda raced: raced.inner.write(DELETIONS[what]), 1)
    assert not commit_units(settler_of(table, WordEmbedder()), [unit("a")], ENDING, START_MS)
    assert table.attempts == 1
    assert not ended(table)
    assert table.inner.get([HEAD, keys.unit(PARTITION, "a")]) == {}


def test_a_task_of_many_units_ends_with_the_last_of_them() -> None:
    """Earlier transactions leave it running, so that a crash between them is made good."""
    seen: list[bool] = []
    table = RacedTable(lambda raced: seen.append(ended(raced)), 1_000)
    commit_all(table, *[unit(f"u{number}") for number in range(2 * UNITS_PER_WRITE + 1)])
    assert seen == [False, False, False]
    assert ended(table)
    task_key = keys.task(UID, SCOPE, "q1")
    assert task_of(table.inner.get([task_key])[task_key]) == TASK
    assert table.inner.get([HEAD])[HEAD].version == 3


def test_settling_again_embeds_and_writes_nothing() -> None:
    """All units are there as they would be; only the task's end is new."""
    table = RacedTable(another_change, 0)
    commit_all(table, unit("a"), unit("b"))
    again = Ending(STORE, TASK, version=3, outbox=OUTBOX, visible=VISIBLE)
    embedder = WordEmbedder()
    commit_units(settler_of(table, embedder), [unit("a"), unit("b")], again, START_MS)  # type: ignore[arg-type]
    assert embedder.calls == 0
    assert table.inner.get([HEAD])[HEAD].version == 1
