"""Where every record lies, and who reads it. No other module builds a key, but `timeline_keys`.

| record | pk | sk | read by |
|---|---|---|---|
| store | `stores/{instance}` | `{name}` | every call that names a store; ListMemoryStores pages by name |
| life | `{uid}` | `alive` | a condition of every write below a store; deleted together with the store's record |
| application | `{uid}/apps` | `{app}` | ListMemoryStoreScopes, purge; pages by app |
| tenant, run | `{uid}/tenants/{app}`, `{uid}/runs/{app}/{tenant}` | `{tenant}`, `{agent}/{run}` | the same, by these |
| tenant by hash | `{uid}/hash/{hash12}` | `{app}/{tenant}` | calls by id alone: ids start with the hash |
| task | `{uid}/tenant/{app}/{tenant}` | `task/{requestId}` | GetMemoryTask; ids grow with time |
| unit, history | same | `unit/{unitId}`, `old/{unitId}/{version:08d}` | search winners, cold load; GetMemoryHistory |
| change | same | `log/{sequence:016d}` | refresh of a warm index |
| message | `{uid}/run/{app}/{tenant}/{agent}/{run}` | `at/{time}/{arrival}/{idHash}` | ListMemoryStoreMessages |
| message id, client token | same | `id/{idHash}`, `token/{hash}` | AddMemories: was it stored, or called, before? |
| gone | `{uid}/state/{shard:02d}` | `{hash32}/gone` | what is hidden in a tenant; a condition of its every write |
| head, snapshot | same | `{hash32}/head`, `.../snapshot` | version = end of the change log; the index's objects |
| deletion | `{uid}/deletions` | `{requestId}` | GetMemoryTask of DeleteScope and DeleteMessages |
| call, task | `{uid}/calls/{app}/{tenant}`, `{uid}/timeline/...` | `{time}/{id}` | lists of calls and tasks |
| outbox | `outbox/{shard:02d}` | `{queued:015d}/{jobId}` | the sweeper: jobs not done long after they were due |
| paging key | `system` | `paging-key` | seals every nextToken |

`uid` is the store's own: what a deleted store left is out of reach at once. `gone`, `head` and `snapshot` outlive a
tenant: their numbers must never fall, and they hold no name. Levels are percent-encoded: 384 bytes at most (of 2,048).
"""

from __future__ import annotations

import hashlib
from urllib.parse import quote, unquote

from agent_memory.ports import Key
from agent_memory.scopes import Scope
from agent_memory.times import FIRST_MS

TENANT_HASH = 12  # hex digits at the start of task and unit ids
OUTBOX_SHARDS = 16
LAST = "\U0010ffff"  # sorts behind every key of a partition
PAGING_KEY = Key("system", "paging-key")


def digest(*parts: str, length: int = 32) -> str:
    """Lower-case hex of `length` digits over the parts; no two lists of parts collide by joining."""
    hasher = hashlib.blake2b(digest_size=(length + 1) // 2)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        hasher.update(len(data).to_bytes(8, "big") + data)
    return hasher.hexdigest()[:length]


def encode_level(level: str) -> str:
    """One scope level as it stands in a key."""
    return quote(level, safe="")


def decode_level(text: str) -> str:
    """The scope level of a part of a key."""
    return unquote(text, errors="strict")


def encode_levels(*levels: str) -> str:
    """Several levels, joined by `/`."""
    return "/".join(encode_level(level) for level in levels)


def prefix_range(prefix: str) -> tuple[str, str]:
    """First and last sort key of those that start with the prefix."""
    return prefix, prefix + LAST


def store(instance: str, name: str) -> Key:
    """The store's record."""
    return Key(f"stores/{encode_level(instance)}", name)


def alive(uid: str) -> Key:
    """Present as long as the store is."""
    return Key(uid, "alive")


def app_entry(uid: str, app: str) -> Key:
    """Directory entry of an application."""
    return Key(f"{uid}/apps", encode_level(app))


def tenant_entry(uid: str, app: str, tenant: str) -> Key:
    """Directory entry of a tenant."""
    return Key(f"{uid}/tenants/{encode_level(app)}", encode_level(tenant))


def run_entry(uid: str, scope: Scope) -> Key:
    """Directory entry of a conversation."""
    app, tenant, agent, run = scope.levels
    return Key(f"{uid}/runs/{encode_levels(app, tenant)}", encode_levels(agent, run))


def tenant_hash(app: str, tenant: str) -> str:
    """What every task and unit id of the tenant starts with."""
    return digest("tenant", app, tenant, length=TENANT_HASH)


def tenant_by_hash(uid: str, hashed: str, app: str = "", tenant: str = "") -> Key:
    """Locator of a tenant by the hash in its ids."""
    return Key(f"{uid}/hash/{hashed}", encode_levels(app, tenant))


def tenant_partition(uid: str, app: str, tenant: str) -> str:
    """Partition of a tenant's units, change log and tasks."""
    return f"{uid}/tenant/{encode_levels(app, tenant)}"


def task(uid: str, scope: Scope, request_id: str) -> Key:
    """A task of the scope's tenant."""
    return Key(tenant_partition(uid, scope.app_id, scope.tenant_id), f"task/{request_id}")


def unit(partition: str, unit_id: str) -> Key:
    """A memory unit in its tenant's partition."""
    return Key(partition, f"unit/{unit_id}")


def earlier(partition: str, unit_id: str, version: int) -> Key:
    """A version of a unit that is history."""
    return Key(partition, f"old/{unit_id}/{version:08d}")


def state_partitions(uid: str) -> list[str]:
    """Where the numbers of all tenants of a store lie."""
    return [f"{uid}/state/{shard:02d}" for shard in range(16)]


def gone(partition: str) -> Key:
    """What was deleted in the tenant by scope."""
    return _state(partition, "gone")


def head(partition: str) -> Key:
    """The head of a tenant's change log."""
    return _state(partition, "head")


def snapshot(partition: str) -> Key:
    """Names the objects that the tenant's index is stored in."""
    return _state(partition, "snapshot")


def _state(partition: str, name: str) -> Key:
    shards, hashed = state_partitions(partition.partition("/")[0]), digest("state", partition)
    return Key(shards[int(hashed[0], 16)], f"{hashed}/{name}")


def change(partition: str, sequence: int) -> Key:
    """One entry of a tenant's change log."""
    return Key(partition, f"log/{sequence:016d}")


def run_partition(uid: str, scope: Scope) -> str:
    """Partition of one conversation's messages."""
    return f"{uid}/run/{encode_levels(*scope.levels)}"


def message_time(milliseconds: int) -> str:
    """The start of the sort key of messages said at that instant."""
    return f"at/{milliseconds - FIRST_MS:015d}"


def message_log_key(filed_ms: int, arrived_ms: int, tail: str) -> str:
    """Sort key of a message in its conversation: by when it was said, then when it came."""
    return f"{message_time(filed_ms)}/{arrived_ms - FIRST_MS:015d}{tail}"


def said_ms(log_key: str) -> int:
    """When the message of the sort key was said."""
    return int(log_key.split("/")[1]) + FIRST_MS


def arrival_ms(log_key: str) -> int:
    """When the message of the sort key came."""
    return int(log_key.split("/")[2][:15]) + FIRST_MS


def message(partition: str, log_key: str) -> Key:
    """A message by its sort key in the conversation's log."""
    return Key(partition, log_key)


def message_id(partition: str, id_hash: str) -> Key:
    """Marks that a message of that identity is stored."""
    return Key(partition, f"id/{id_hash}")


def outbox_partition(shard: int) -> str:
    """One shard of the jobs that are not done yet."""
    return f"outbox/{shard:02d}"


def outbox(job_id: str, queued_ms: int) -> Key:
    """A job that is not done yet."""
    shard = int(digest(job_id, length=4), 16) % OUTBOX_SHARDS
    return Key(outbox_partition(shard), f"{queued_ms - FIRST_MS:015d}/{job_id}")
