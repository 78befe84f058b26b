"""Records to items and back."""

from __future__ import annotations

import json

import numpy as np
import pytest

from agent_memory import keys
from agent_memory.jobs import decode
from agent_memory.memory_store import MemoryStore
from agent_memory.memory_task import Task
from agent_memory.models import MemoryUnit, Message, TurnRef
from agent_memory.packed_vectors import pack_vector, unpack_vector
from agent_memory.ports import Item, Job
from agent_memory.records import (
    born_of,
    directory_items,
    is_tombstone,
    message_item,
    message_of,
    outbox_item,
    scope_of,
    store_item,
    store_of,
    task_item,
    task_of,
    ttl_of,
    unit_item,
    unit_of,
)
from agent_memory.scopes import Scope
from agent_memory.times import format_ms

SCOPE = Scope(app_id="商店", tenant_id="t%2F1", agent_id="a1", run_id="r1")
STORE = MemoryStore(instance="默认", name="mem", uid="store_1", created_ms=1, updated_ms=2)
TASK = Task(
    request_id="q1", scope=SCOPE, status="queued", accepted_messages=1, log_keys=("at/1",), created_ms=1, updated_ms=1
)
MESSAGE = Message(message_id="m1", role="user", speaker="小林", content="我对虾过敏\n🦐", timestamp_ms=-5)
UNIT = MemoryUnit(
    id="u1",
    scope=SCOPE,
    unit_type="episode",
    text="[2026] 小林: 我对虾过敏",
    search_text="我对虾过敏",
    effective_at="2026-11-30",
    time_precision="day",
    time_source="phrase",
    source_turn_refs=(TurnRef(message_id="m1", timestamp_ms=-5, log_key="at/1"),),
    created_at="2026-11-30T10:00:00Z",
    updated_at="2026-11-30T10:00:00Z",
    version=3,
)
FULL_STORE = STORE.model_copy(
    update={
        "description": "说明",
        "extract_instructions": "只记尺码",
        "output_types": ("structured", "file"),
        "storage_mode": "file+ots",
        "wiki_reflection_enabled": True,
        "default_ttl_seconds": 86_400,
        "life": 3,
        "gone_apps": {"旧店": 2},
    }
)
FULL_TASK = TASK.model_copy(
    update={
        "status": "failed",
        "metadata": {"渠道": "网页"},
        "derived_unit_ids": ("u1", "u2"),
        "last_error": "EMBEDDER_FAILED: 坏了",
        "finished_ms": 9,
        "infer": False,
        "expires_ms": 12,
        "born": (2, 5),
        "lease_until_ms": 7,
    }
)


def stored(item: Item) -> Item:
    """The item as a table gives it back: the body went through JSON."""
    return Item(item.key, json.loads(json.dumps(item.body)), item.version, item.blob, item.ttl)


@pytest.mark.parametrize("store", [STORE, FULL_STORE])
def test_a_store_is_read_back(store: MemoryStore) -> None:
    """Under instance and name, with the version given."""
    item = store_item(store, 4)
    assert (item.key, item.version) == (keys.store("默认", "mem"), 4)
    assert store_of(stored(item)) == store


@pytest.mark.parametrize("task", [TASK, FULL_TASK])
def test_a_task_is_read_back(task: Task) -> None:
    """Under its tenant and id."""
    item = task_item("store_1", task, 2)
    assert (item.key, item.version) == (keys.task("store_1", SCOPE, "q1"), 2)
    assert task_of(stored(item)) == task


@pytest.mark.parametrize("metadata", [{}, {"键": "值"}])
def test_a_message_is_read_back(metadata: dict[str, str]) -> None:
    """Under the log key given; an instant before 1970 and line ends survive."""
    message = MESSAGE.model_copy(update={"metadata": metadata})
    item = message_item("p", "at/1/2/h", message)
    assert item.key == keys.message("p", "at/1/2/h")
    assert message_of(stored(item)) == message


def test_a_unit_is_read_back_with_its_vector() -> None:
    """The item's version is the unit's, the vector is its blob."""
    item = unit_item("p", UNIT, b"\x01\x02")
    assert (item.key, item.version, item.blob) == (keys.unit("p", "u1"), 3, b"\x01\x02")
    assert unit_of(stored(item)) == UNIT


def test_a_record_with_an_unknown_field_is_not_read() -> None:
    """A body from a later version is an error and not half a record."""
    with pytest.raises(ValueError, match="later"):
        store_of(Item(keys.store("默认", "mem"), {**STORE.to_json(), "later": 1}))


def test_an_outbox_item_carries_the_job() -> None:
    """The sweeper can send it again from the item alone."""
    job = Job("extract", "q1", "组", {"store": "mem"})
    item = outbox_item(job, 1_796_032_800_000)
    assert item.key == keys.outbox("q1", 1_796_032_800_000)
    assert (item.body["sentMs"], item.body["sends"]) == (1_796_032_800_000, 1)
    assert decode(stored(item).body["job"]) == job


def test_a_conversation_is_found_from_its_store_in_four_steps() -> None:
    """Application, tenant, tenant by hash, run: each entry leads to the next."""
    app, tenant, by_hash, run = directory_items("store_1", SCOPE, (2, 3), 7)
    assert keys.decode_level(app.key.sk) == "商店"
    assert tenant.key.pk == keys.tenant_entry("store_1", "商店", "").pk
    assert keys.decode_level(tenant.key.sk) == "t%2F1"
    assert by_hash.key.pk == keys.tenant_by_hash("store_1", keys.tenant_hash("商店", "t%2F1")).pk
    assert by_hash.body == {"appId": "商店", "tenantId": "t%2F1"}
    assert scope_of(stored(run)) == SCOPE


def test_directory_entries_of_one_tenant_are_the_same_for_each_run() -> None:
    """Only the run's own entry differs."""
    other = SCOPE.model_copy(update={"run_id": "r2"})
    one, two = directory_items("store_1", SCOPE, (1, 0), 1), directory_items("store_1", other, (1, 0), 1)
    assert one[:3] == two[:3]
    assert one[3] != two[3]


def test_directory_entries_tell_when_they_were_written() -> None:
    """All by their version, the run's by life and generation too, so that a purge takes older ones and no newer."""
    items = directory_items("store_1", SCOPE, (2, 3), 7)
    assert [item.version for item in items] == [7] * 4
    assert born_of(stored(items[3])) == (2, 3)


def test_a_record_of_the_first_version_was_born_first() -> None:
    """Without a note of its birth it is of life 1, generation 0."""
    assert born_of(Item(keys.unit("p", "u1"), {})) == (1, 0)


@pytest.mark.parametrize(
    ("expires_ms", "written_ms", "ttl"),
    [(None, 5_000, None), (7_000, 5_000, 7 + 30 * 86_400), (7_999, 0, 7 + 30 * 86_400), (-1, 5_000, 5 + 30 * 86_400)],
)
def test_what_expires_is_collected_a_month_later(expires_ms: int | None, written_ms: int, ttl: int | None) -> None:
    """Readers filter at once; the table's own expiry only collects, and never what was just written."""
    assert ttl_of(expires_ms, written_ms) == ttl
    log_key = keys.message_log_key(0, written_ms, "20/h")
    assert message_item("p", log_key, MESSAGE.model_copy(update={"expires_ms": expires_ms})).ttl == ttl
    ends = {"expires_at": None if expires_ms is None else format_ms(expires_ms), "updated_at": format_ms(written_ms)}
    assert unit_item("p", UNIT.model_copy(update=ends), b"").ttl == ttl


def test_a_tombstone_is_told_from_a_unit() -> None:
    """It keeps no text."""
    assert is_tombstone(Item(keys.unit("p", "u1"), {"id": "u1", "deletedMs": 5}))
    assert not is_tombstone(unit_item("p", UNIT, b""))


def test_a_vector_is_packed_in_two_bytes_a_dimension() -> None:
    """Little-endian half precision; unpacked it is float32 and close."""
    row = np.array([1.0, -0.5, 0.1234], np.float32)
    blob = pack_vector(row)
    assert (len(blob), blob[:2]) == (6, b"\x00\x3c")
    back = unpack_vector(blob)
    assert back is not None
    assert back.dtype == np.float32
    assert np.abs(back - row).max() < 1e-4


def test_no_vector_is_none() -> None:
    """A unit that was stored without one."""
    assert unpack_vector(b"") is None
