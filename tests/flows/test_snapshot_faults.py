"""Stored indexes: nothing is lost or doubled, whoever dies when, whatever is lost, damaged or of another version."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from agent_memory import keys
from agent_memory.change_log import SNAPSHOT_EVERY
from agent_memory.dispatch import ask_for_snapshot
from agent_memory.errors import ServiceUnavailable
from agent_memory.ports import Delete, Item, Job, Put
from agent_memory.retrieval.snapshot_reader import load_snapshot
from agent_memory.retrieval.snapshots import snapshot_of
from agent_memory.services import use_services
from tests.conftest import Service
from tests.flows.stored_index import (
    TENANT,
    WatchedTable,
    agree,
    changed,
    fill,
    lengthen,
    objects,
    only,
    partition,
    process,
    record,
    remember,
    shown,
    store,
    store_index,
    stored,
    view,
)
from tests.stand_ins import InterruptedTable, MemorySnapshots, WordEmbedder


@pytest.fixture
def filled(service: Service) -> Service:
    """Eight memories in two conversations, and a snapshot of them."""
    fill(service)
    return service


class Killed(BaseException):
    """The process died: no handler of errors sees it."""


def test_a_lost_job_costs_nothing_but_reading(service: Service) -> None:
    """The next multiple asks again, and stores what both had to."""
    remember(service, "first the")
    for number in (1, 2):
        lengthen(service, number * SNAPSHOT_EVERY - 1)
        remember(service, f"number {number} the")
        if number == 1:
            (delivery,) = service.services.queue.receive("index", 10)
            service.services.queue.acknowledge(delivery)
            assert len(agree(service)) == 2
    assert service.drain("index") == 1
    assert stored(service).seq == 2 * SNAPSHOT_EVERY
    assert len(agree(service)) == 3


def test_a_queue_that_does_not_answer_fails_no_write(service: Service) -> None:
    """The memory is stored; the snapshot waits for another."""

    class Silent:
        def send(self, job: Job) -> None:
            raise ServiceUnavailable("no answer")

        def __getattr__(self, name: str) -> Any:
            return getattr(service.services.queue, name)

    remember(service, "first the")
    lengthen(service, SNAPSHOT_EVERY - 1)
    remember(process(service, queue=Silent()), "second the")
    assert len(agree(service)) == 2


def test_a_job_that_runs_again_does_nothing(filled: Service) -> None:
    """It finds the index stored as it is."""
    before, body = dict(objects(filled).objects), stored(filled)
    store_index(filled)
    assert (dict(objects(filled).objects), stored(filled)) == (before, body)


@pytest.mark.parametrize("step", range(12))
def test_an_indexer_may_die_at_any_step(filled: Service, step: int) -> None:
    """Before each write to objects or table: the old state is read or the new one, and the next run tidies up."""
    changed(filled)
    expected = agree(filled)
    steps = itertools.count()

    def die(*_: Any) -> None:
        if next(steps) == step:
            raise Killed

    def die_but_at_reads(call: str, name: str) -> None:
        if call in ("write", "delete"):
            die()

    mine = objects(filled)
    dying = MemorySnapshots(die_but_at_reads)
    dying.objects = mine.objects
    table = WatchedTable(filled.services.table, writes=die)
    try:
        store_index(filled, process(filled, snapshots=dying, table=table).services)
    except Killed:
        assert agree(filled) == expected
        store_index(filled)
    assert agree(filled) == expected
    assert stored(filled).seq == view(filled).head
    only(filled)


def test_the_steps_at_which_an_indexer_may_die_are_all_tried(filled: Service) -> None:
    """There are fewer than the test above tries."""
    changed(filled)
    steps: list[str] = []
    noting = MemorySnapshots(lambda call, name: steps.append(call) if call in ("write", "delete") else None)
    noting.objects = objects(filled).objects
    table = WatchedTable(filled.services.table, writes=lambda: steps.append("table"))
    store_index(filled, process(filled, snapshots=noting, table=table).services)
    assert "table" in steps
    assert steps.index("table") > steps.index("write")
    assert len(steps) <= 12


def test_of_two_indexers_at_once_one_wins_and_nothing_is_left_of_the_other(filled: Service) -> None:
    """Whoever comes second with the record begins again, sees that it is done, and has removed its own objects."""
    changed(filled)
    expected = agree(filled)
    table = InterruptedTable(filled.services.table, lambda: store_index(filled), at="/snapshot")
    store_index(filled, process(filled, table=table).services)
    assert agree(filled) == expected
    only(filled)


def test_objects_of_a_slow_indexer_may_be_tidied_up_by_a_fast_one(filled: Service) -> None:
    """The slow one had read the record before, so it never names what it no longer has."""
    changed(filled)
    expected = agree(filled)
    written: list[str] = []

    def meanwhile(call: str, name: str) -> None:
        if call == "write":
            written.append(name)
            if len(written) == 2:
                assert written[0] in objects(filled).objects
                store_index(filled)
                assert written[0] not in objects(filled).objects

    slow = MemorySnapshots(meanwhile)
    slow.objects = objects(filled).objects
    store_index(filled, process(filled, snapshots=slow).services)
    assert len(written) >= 2
    assert agree(filled) == expected
    only(filled)


def test_a_scope_that_is_deleted_meanwhile_is_never_stored(filled: Service) -> None:
    """The record is written only where nothing was deleted by scope since the tenant was read."""
    changed(filled)

    def delete() -> None:
        filled.ok("DeleteScope", {"memoryStoreName": "mem", "scope": {**TENANT, "agentId": "a1", "runId": "r1"}})
        filled.drain("maintenance")

    table = InterruptedTable(filled.services.table, delete, at="/snapshot")
    store_index(filled, process(filled, table=table).services)
    assert _runs(filled) == {"r0"}
    agree(filled)
    only(filled)


def _runs(service: Service) -> set[str]:
    """The runs of which something is in the snapshot."""
    mine = service.services
    loaded = load_snapshot(partition(service), mine.table, mine.snapshots, mine.embedder.model, mine.embedder.dim)
    assert loaded is not None
    rows = loaded.index.rows
    return {rows.scopes[code][3] for code in rows.scope_codes.tolist()}


DAMAGE = {
    "missing": lambda data: None,
    "cut": lambda data: data[: len(data) // 2],
    "turned": lambda data: data[:-3] + bytes([data[-3] ^ 1]) + data[-2:],
    "another": lambda data: b"no object of ours",
    "empty": lambda data: b"",
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("which", ["part", "alive"])
def test_damaged_objects_cost_a_slower_load(filled: Service, which: str, damage: str) -> None:
    """Nothing is lost or doubled; the next snapshot is made from the records, or from what is whole."""
    remember(filled, "one more the")
    store_index(filled)
    expected = agree(filled)
    snapshot = stored(filled)
    name = snapshot.alive if which == "alive" else snapshot.parts[-1].name
    left = DAMAGE[damage](objects(filled).objects.pop(name))
    if left is not None:
        objects(filled).objects[name] = left
    assert agree(filled) == expected
    changed(filled)
    expected = agree(filled)
    store_index(filled)
    assert agree(filled) == expected
    only(filled)


def test_parts_that_were_exchanged_are_not_taken_for_each_other(filled: Service) -> None:
    """The rows say of which memories they are."""
    for number in range(8):
        remember(filled, f"another {number} the")
    store_index(filled)
    for number in range(4):
        remember(filled, f"yet another {number} the")
    store_index(filled)
    expected, parts, mine = agree(filled), stored(filled).parts, objects(filled).objects
    mine[parts[0].name], mine[parts[-1].name] = mine[parts[-1].name], mine[parts[0].name]
    assert agree(filled) == expected


def test_a_reader_that_misses_an_object_reads_the_record_again(filled: Service) -> None:
    """It was replaced just then."""
    changed(filled)
    raced = iter([True])

    def meanwhile(call: str, name: str) -> None:
        if call == "read" and next(raced, False):
            store_index(filled)

    shared = MemorySnapshots(meanwhile)
    shared.objects = objects(filled).objects
    asked: list[str] = []
    cold = process(filled, snapshots=shared, table=WatchedTable(filled.services.table, queries=asked.append))
    cold.search("the", topK=50)
    assert not any(first.startswith("unit/") for first in asked)
    assert shown(cold) == shown(filled)


def test_a_store_of_objects_that_does_not_answer_fails_no_search(filled: Service) -> None:
    """The records are read."""

    def refuse(call: str, name: str) -> None:
        raise ServiceUnavailable("no answer")

    assert shown(process(filled, snapshots=MemorySnapshots(refuse))) == shown(filled)


@pytest.mark.parametrize("change", [{"format": 99}, {"tokenizer": -1}, {"model": "another"}, {"dim": 3}])
def test_a_snapshot_of_another_version_is_made_anew(filled: Service, change: dict[str, Any]) -> None:
    """Format, tokenizer or model: readers read the records, and the job does."""
    key = keys.snapshot(partition(filled))
    item = filled.services.table.get([key])[key]
    filled.services.table.write([Put(Item(key, {**item.body, **change}, item.version + 1))])
    assert len(agree(filled)) == 8
    store_index(filled)
    assert stored(filled).seq == view(filled).head
    assert len(agree(filled)) == 8
    only(filled)


def test_a_process_with_another_model_shares_nothing(filled: Service) -> None:
    """Its vectors are others; it finds by words what has no vector of its model."""

    class Other(WordEmbedder):
        model = "words-2"

    other = process(filled, embedder=Other())
    assert sorted(shown(other)["memories"]) == sorted(shown(filled)["memories"])
    store_index(other, other.services)
    assert snapshot_of(record(filled), "words-2", 64) is not None
    assert len(agree(filled)) == 8


def test_a_gap_in_the_log_costs_a_slower_load(filled: Service) -> None:
    """For readers and for the job."""
    changed(filled)
    expected = agree(filled)
    filled.services.table.write([Delete(keys.change(partition(filled), view(filled).head - 1))])
    assert agree(filled) == expected
    store_index(filled)
    assert agree(filled) == expected


def test_the_function_of_the_queue_runs_the_job(filled: Service) -> None:
    """A job that fails for a moment comes again."""
    remember(filled, "one more the")
    ask_for_snapshot(store(filled), ("shop", "t1"), filled.services)
    use_services(filled.services)
    failing = iter([True])

    def fail(call: str, name: str) -> None:
        if call == "write" and next(failing, False):
            raise ServiceUnavailable("no answer")

    objects(filled).before = fail
    filled.drain("index")
    assert stored(filled).seq == SNAPSHOT_EVERY
    filled.clock.advance(120)
    filled.drain("index")
    assert stored(filled).seq == SNAPSHOT_EVERY + 1
    only(filled)
