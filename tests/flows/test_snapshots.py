"""Stored indexes: what they save, and that what is deleted leaves them."""

from __future__ import annotations

import itertools

import pytest

from agent_memory import keys
from agent_memory.change_log import SNAPSHOT_EVERY, log_writes
from agent_memory.ports import Item, Key, Put
from agent_memory.retrieval.index_cache import IndexCache
from agent_memory.retrieval.snapshots import tenant_folder
from agent_memory.use_cases.snapshot_index import snapshot_index
from tests.conftest import Service, make_service
from tests.flows.stored_index import (
    TENANT,
    WORDS,
    WatchedTable,
    agree,
    fill,
    job,
    lengthen,
    memories,
    objects,
    only,
    partition,
    process,
    remember,
    shown,
    store,
    store_index,
    stored,
    view,
)
from tests.stand_ins import MemorySnapshots


@pytest.fixture
def filled(service: Service) -> Service:
    """Eight memories in two conversations, and a snapshot of them."""
    fill(service)
    return service


def test_the_write_that_fills_the_log_asks_for_a_snapshot(service: Service) -> None:
    """Once per 256 entries, whichever operation writes; the job stores the index, and cold processes load it."""
    remember(service, "first the")
    lengthen(service, SNAPSHOT_EVERY - 1)
    assert service.drain("index") == 0
    unit_id = remember(service, "我对虾过敏 the")
    assert service.drain("index") == 1
    assert stored(service).seq == SNAPSHOT_EVERY
    only(service)
    for number in (2, 3):
        lengthen(service, number * SNAPSHOT_EVERY - 1)
        changed = {"memoryStoreName": "mem", "memoryId": unit_id}
        service.ok(*(("UpdateMemory", {**changed, "title": "虾"}) if number == 2 else ("DeleteMemory", changed)))
        assert service.drain("index") == 1
        assert stored(service).seq == number * SNAPSHOT_EVERY
    assert sorted(agree(service)) == ["first the"]


def test_a_cold_load_reads_the_snapshot_and_the_log_behind_it(filled: Service) -> None:
    """Not the records of the tenant: the head, the record, the objects, the log, what it names, the winners."""
    remember(filled, "behind the snapshot 海 the")
    asked: list[str] = []
    cold = process(filled, table=WatchedTable(filled.services.table, queries=asked.append))
    assert "behind the snapshot 海 the" in [each["unit"]["search_text"] for each in cold.search("海 the", topK=3)]
    assert [first.partition("/")[0] for first in asked] == ["log"]
    assert len(agree(filled)) == 9


def test_completed_means_searchable_from_every_process(filled: Service) -> None:
    """From caches with snapshots and without, warm and cold, after each change and each snapshot."""
    mine = filled.services
    caches = [
        IndexCache(mine.table, mine.embedder, max_bytes=1 << 30, snapshots=mine.snapshots),
        IndexCache(mine.table, mine.embedder, max_bytes=1 << 30),
    ]
    for number in range(12):
        unit_id = remember(filled, f"news {number} 新闻 the")
        if number % 5 == 4:
            store_index(filled)
        now = view(filled)
        cold = IndexCache(mine.table, mine.embedder, max_bytes=1 << 30, snapshots=mine.snapshots)
        for cache in (*caches, cold):
            index = cache.at(now.partition, now.head, now.visible)
            assert index.rows.row_of(unit_id) is not None
            assert len(index) == len(WORDS) + number + 1


def test_a_later_snapshot_writes_only_what_is_new(filled: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts that are large enough stay as they are."""
    first = stored(filled)
    remember(filled, "one more the")
    store_index(filled)
    second = stored(filled)
    assert second.parts[0] == first.parts[0]
    assert [part.rows for part in second.parts] == [8, 1]
    assert first.alive not in only(filled)


def test_small_parts_are_merged(filled: Service) -> None:
    """Sizes fall by half at least, and no memory is lost on the way."""
    for number in range(20):
        remember(filled, f"more {number} 更多 the")
        store_index(filled)
        rows = [part.rows for part in stored(filled).parts]
        assert all(large >= 2 * small for large, small in itertools.pairwise(rows))
    assert len(agree(filled)) == 28
    only(filled)


def test_edited_rows_leave_when_they_are_a_tenth(filled: Service) -> None:
    """The object of the part is written anew then."""
    ids = [each["id"] for each in memories(filled)]
    for count in range(3):
        filled.ok("UpdateMemory", {"memoryStoreName": "mem", "memoryId": ids[count], "text": f"edited {count} the"})
        store_index(filled)
        held = sum(part.rows for part in stored(filled).parts)
        assert held - len(WORDS) <= 0.1 * held + 1
    assert len(agree(filled)) == 8


def in_objects(service: Service, unit_id: str) -> list[str]:
    """The objects that hold the memory's id, in whichever form."""
    raw = bytes.fromhex(unit_id)
    forms = (raw, raw[:8][::-1] + raw[8:][::-1], unit_id.encode())
    return [name for name, data in objects(service).objects.items() if any(form in data for form in forms)]


def test_a_deleted_memory_leaves_with_the_next_snapshot(filled: Service) -> None:
    """Its row, and the rows of what it said before it was edited; out of searches it is at once."""
    unit_id = memories(filled)[3]["id"]
    named = {"memoryStoreName": "mem", "memoryId": unit_id}
    filled.ok("UpdateMemory", {**named, "text": "edited 虾 the"})
    store_index(filled)
    assert in_objects(filled, unit_id)
    filled.ok("DeleteMemory", named)
    assert len(agree(filled)) == 7
    store_index(filled)
    assert in_objects(filled, unit_id) == []
    assert len(agree(filled)) == 7
    only(filled)


def test_deleted_messages_leave_with_the_call(filled: Service) -> None:
    """What came from them alone is out of searches and out of the objects; the index is stored anew."""
    victim = next(each for each in memories(filled) if "violin" in each["text"])
    scope = victim["scope"]
    (message,) = [each for each in filled.messages(scope=scope) if "violin" in each["content"]]
    body = {"memoryStoreName": "mem", "scope": scope, "messageIds": [message["messageId"]], "cascade": "memories"}
    answer = filled.ok("DeleteMessages", body)
    assert answer["status"] == "completed"
    assert in_objects(filled, victim["id"]) == []
    assert len(agree(filled)) == 7
    assert filled.drain("index") == 1
    assert sum(part.rows for part in stored(filled).parts) == 7
    assert len(agree(filled)) == 7


@pytest.mark.parametrize("levels", [{"agentId": "a1", "runId": "r1"}, {"agentId": "a1"}, {}])
def test_a_deleted_scope_is_hidden_at_once_and_gone_after_the_purge(filled: Service, levels: dict[str, str]) -> None:
    """From cold processes too, which load what was stored before; then from the objects, which are made anew."""
    remember(filled, "kept the", run="r9")
    warm = process(filled)
    shown(warm)
    doomed = [each["id"] for each in memories(filled) if levels.items() <= each["scope"].items()]
    kept = 9 - len(doomed)
    filled.ok("DeleteScope", {"memoryStoreName": "mem", "scope": {**TENANT, **levels}})
    assert len(agree(filled)) == kept
    assert shown(warm) == shown(filled)
    filled.drain("maintenance")
    assert [name for each in doomed for name in in_objects(filled, each)] == []
    assert len(agree(filled)) == kept
    filled.drain("index")
    assert shown(warm) == shown(filled)
    assert len(agree(filled)) == kept
    remember(filled, "after all the", run="r1")
    assert len(agree(filled)) == kept + 1


def test_a_deleted_application_takes_its_snapshots_along(filled: Service) -> None:
    """Those of other applications stay in use."""
    other = {"appId": "museum", "tenantId": "t1", "agentId": "a", "runId": "r"}
    filled.add("in the museum", scope=other, infer=False)
    filled.ok("DeleteScope", {"memoryStoreName": "mem", "scope": {"appId": "museum"}})
    filled.drain("maintenance")
    kept = only(filled)
    assert len(agree(filled)) == 8
    assert objects(filled).objects.keys() == kept
    filled.ok("DeleteScope", {"memoryStoreName": "mem", "scope": {"appId": "shop"}})
    assert len(agree(filled)) == 0
    filled.drain("maintenance")
    assert objects(filled).objects == {}


def test_a_deleted_store_leaves_no_object(filled: Service) -> None:
    """Nor does a job that was queued before, or that died after the purge."""
    late, folder = job(filled), tenant_folder(partition(filled))
    filled.ok("DeleteMemoryStore", {"memoryStoreName": "mem"})
    filled.drain("maintenance")
    assert objects(filled).objects == {}
    objects(filled).write(f"{folder}left", b"by a process that died")
    snapshot_index(late, filled.services)
    assert objects(filled).objects == {}
    filled.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    snapshot_index(late, filled.services)
    assert objects(filled).objects == {}


def test_the_log_is_kept_for_readers_of_the_snapshot_before(filled: Service) -> None:
    """Entries that only older readers need go with the snapshot after."""
    warm = process(filled)
    shown(warm)
    remember(filled, "second the")
    store_index(filled)
    assert _log(filled) == [SNAPSHOT_EVERY + 1]
    asked: list[str] = []
    warm.services.indexes._table = WatchedTable(filled.services.table, queries=asked.append)
    assert shown(warm) == shown(filled)
    assert {first.partition("/")[0] for first in asked} == {"log"}
    for text in ("third the", "fourth the"):
        remember(filled, text)
        store_index(filled)
    assert _log(filled) == [SNAPSHOT_EVERY + 3]
    assert shown(warm) == shown(filled)
    assert len(agree(filled)) == 11


def _log(service: Service) -> list[int]:
    found = service.services.table.query(partition(service), *keys.prefix_range("log/"), limit=1_000).items
    return [int(item.key.sk.removeprefix("log/")) for item in found]


def test_a_tenant_that_became_empty_has_no_objects(filled: Service) -> None:
    """All its memories were deleted one by one."""
    for memory in memories(filled):
        filled.ok("DeleteMemory", {"memoryStoreName": "mem", "memoryId": memory["id"]})
    store_index(filled)
    assert objects(filled).objects == {}
    remember(filled, "again the")
    store_index(filled)
    assert list(agree(filled)) == ["again the"]


def test_expired_rows_leave_after_a_month(service: Service) -> None:
    """As the table's records do."""
    service.add("for a day the", infer=False, ttlSeconds=86_400)
    remember(service, "for ever the")
    lengthen(service, SNAPSHOT_EVERY)
    store_index(service)
    service.clock.advance(20 * 86_400)
    remember(service, "later the")
    store_index(service)
    assert stored(service).rows == 3
    service.clock.advance(20 * 86_400)
    remember(service, "much later the")
    store_index(service)
    assert stored(service).rows == 3
    assert len(agree(service)) == 3


def test_short_logs_have_no_snapshot(service: Service) -> None:
    """Nobody would look for it."""
    remember(service, "first the")
    store_index(service)
    assert objects(service).objects == {}


def test_retired_memories_stay_in_the_index(filled: Service) -> None:
    """For those who ask what held before."""
    unit_id = memories(filled)[0]["id"]
    key = keys.unit(partition(filled), unit_id)
    item = filled.services.table.get([key])[key]
    now = view(filled)
    retired = Item(key, {**item.body, "retired_at": "2026-12-01T00:00:00.000Z"}, item.version, item.blob)
    filled.services.table.write([Put(retired), *log_writes(now.partition, now.head, puts=[unit_id])])
    store_index(filled)
    now = view(filled)
    for cache in (process(filled).services.indexes, process(filled, snapshots=MemorySnapshots()).services.indexes):
        rows = cache.at(now.partition, now.head, now.visible).rows
        assert rows.alive.sum() == 8
        assert rows.current.sum() == 7


def test_record_and_names_hold_no_name_of_a_scope() -> None:
    """They outlive a deleted tenant, or tell of one."""
    service = make_service()
    service.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    scope = {"appId": "商店", "tenantId": "小林", "agentId": "a", "runId": "r"}
    service.add("the", scope=scope, infer=False)
    key: Key = keys.snapshot(keys.tenant_partition(store(service).uid, "商店", "小林"))
    text = f"{key} {tenant_folder(keys.tenant_partition(store(service).uid, '商店', '小林'))}"
    assert not any(name in text for name in ("商店", "小林", "%E5"))
