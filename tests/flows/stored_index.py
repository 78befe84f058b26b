"""A tenant with a stored index, other processes beside it, and ways to disturb whoever stores."""

from __future__ import annotations

from collections import Counter
from typing import Any

from agent_memory import keys
from agent_memory.change_log import SNAPSHOT_EVERY, log_writes
from agent_memory.dispatch import ask_for_snapshot
from agent_memory.jobs import decode
from agent_memory.ports import Item, Job, Put
from agent_memory.records import store_of
from agent_memory.retrieval.snapshots import Snapshot, snapshot_of, tenant_folder
from agent_memory.services import Services
from agent_memory.store_access import read_tenant
from agent_memory.use_cases.snapshot_index import snapshot_index
from tests.conftest import SCOPE, Service
from tests.flows.stored_rows import everything_shown
from tests.stand_ins import MemorySnapshots, WordEmbedder

TENANT = {"appId": "shop", "tenantId": "t1"}
WORDS = ("虾", "swimming", "火车", "violin", "Berlin", "猫", "cheese", "雨伞")


class WatchedTable:
    """A table that tells of each query, by the first key of its range, and of each write, before it happens."""

    def __init__(self, table: Any, *, writes: Any = None, queries: Any = None) -> None:
        self._table = table
        self._writes, self._queries = writes or (lambda: None), queries or (lambda first: None)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def query(self, pk: str, first: str, last: str, **rest: Any) -> Any:
        self._queries(first)
        return self._table.query(pk, first, last, **rest)

    def write(self, writes: Any) -> None:
        self._writes()
        self._table.write(writes)

    def write_many(self, writes: Any) -> None:
        self._writes()
        self._table.write_many(writes)


def objects(service: Service) -> MemorySnapshots:
    """What the service stores objects in."""
    found: MemorySnapshots = service.services.snapshots
    return found


def store(service: Service) -> Any:
    """The store `mem`."""
    key = keys.store("default", "mem")
    return store_of(service.services.table.get([key])[key])


def partition(service: Service) -> str:
    """Where the tenant's memories lie."""
    return keys.tenant_partition(store(service).uid, "shop", "t1")


def view(service: Service) -> Any:
    """The tenant at this moment."""
    return read_tenant(service.services.table, ("default", "mem"), ("shop", "t1"), {})


def lengthen(service: Service, upto: int) -> None:
    """Log entries without changes, as many as it takes."""
    place, table = partition(service), service.services.table
    head = view(service).head
    entries = [log_writes(place, number)[0] for number in range(head, upto)]
    table.write_many(Put(each.item) for each in entries)
    table.write([Put(Item(keys.head(place), {}, version=upto))])


def job(service: Service) -> Job:
    """The job that stores the tenant's index."""
    ask_for_snapshot(store(service), ("shop", "t1"), service.services)
    (delivery,) = service.services.queue.receive("index", 1)
    service.services.queue.acknowledge(delivery)
    return decode(delivery.body)


def store_index(service: Service, services: Services | None = None) -> None:
    """Run the job, as the function of the queue does."""
    snapshot_index(job(service), services or service.services)


def record(service: Service) -> Item:
    """The record that names the objects of the tenant."""
    key = keys.snapshot(partition(service))
    return service.services.table.get([key])[key]


def stored(service: Service) -> Snapshot:
    """The snapshot that the record names."""
    embedder = service.services.embedder
    found = snapshot_of(record(service), embedder.model, embedder.dim)
    assert found is not None
    return found


def only(service: Service) -> set[str]:
    """The names in the tenant's folder, which are those that its record names."""
    names = set(objects(service).names(tenant_folder(partition(service))))
    assert names == set(stored(service).names)
    return names


def process(service: Service, **ports: Any) -> Service:
    """Another process over the same table, queue and objects, or over those given; its indexes are cold."""
    mine = service.services
    shared = {name: getattr(mine, name) for name in ("table", "queue", "audit", "snapshots")}
    known = {"embedder": WordEmbedder(), **shared, **ports}
    return Service(Services(mine.settings, now_ms=mine.now_ms, new_id=mine.new_id, **known), service.clock)


def shown(service: Service) -> Any:
    """Everything that the operations show of the tenant."""
    return everything_shown(service, TENANT)


def agree(service: Service) -> Counter[str]:
    """The texts of the tenant, the same from a cold process with snapshots, one without, and a warm one; each once."""
    cold, without = process(service), process(service, snapshots=MemorySnapshots())
    seen = [shown(each) for each in (cold, without, service)]
    assert seen[0] == seen[1] == seen[2]
    assert seen[0]["found"] == seen[0]["memories"]
    texts = Counter(seen[0]["memories"])
    assert set(texts.values()) <= {1}
    return texts


def remember(service: Service, text: str, run: str = "r1") -> str:
    """Add one memory; its id."""
    added = service.add(text, infer=False, scope={**SCOPE, "runId": run})
    (unit_id,) = service.task(added["requestId"])["derivedUnitIds"]
    return str(unit_id)


def fill(service: Service) -> None:
    """Eight memories in two conversations, the log as long as snapshots want it, and a snapshot."""
    for number, word in enumerate(WORDS):
        remember(service, f"memory {number} about {word} the", run=f"r{number % 2}")
    lengthen(service, SNAPSHOT_EVERY)
    store_index(service)


def memories(service: Service) -> list[dict[str, Any]]:
    """All memories of the tenant, newest first."""
    body = {"memoryStoreName": "mem", "scope": TENANT | {"agentId": "*"}, "limit": 100}
    found: list[dict[str, Any]] = service.ok("ListMemories", body)["memories"]
    return found


def changed(service: Service) -> None:
    """A new memory, an edited one, a deleted one, in a log that wants a snapshot."""
    first, second, *_ = memories(service)
    service.ok("UpdateMemory", {"memoryStoreName": "mem", "memoryId": first["id"], "text": "edited 雨 the"})
    service.ok("DeleteMemory", {"memoryStoreName": "mem", "memoryId": second["id"]})
    remember(service, "new 新 the")
