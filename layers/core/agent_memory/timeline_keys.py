"""Where calls and tasks lie in the order of time: by tenant, and over all tenants of a store.

A store's timeline is a few partitions, since one partition takes about 1,000 small writes a second; whoever reads it
merges them. It needs no division by days: a partition may grow without limit, and a range of times is a range of keys.
"""

from __future__ import annotations

from typing import Literal, get_args

from agent_memory import keys
from agent_memory.ports import Key
from agent_memory.times import FIRST_MS, LAST_MS

SHARDS = 4

Kind = Literal["calls", "tasks"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Range = tuple[str, str]  # first and last sort key


def moment(milliseconds: int, name: str = "") -> str:
    """Sort key of what happened then; the name tells things of one instant apart."""
    return f"{milliseconds - FIRST_MS:015d}/{name}"


def moments(low_ms: int | None, high_ms: int | None) -> Range:
    """Sort keys of all that happened between the two instants, both included; None is no bound."""
    low = FIRST_MS if low_ms is None else low_ms
    return moment(low), moment(LAST_MS if high_ms is None else high_ms, keys.LAST)


def timelines(kind: Kind, uid: str) -> list[str]:
    """The partitions of all calls or tasks of the store."""
    return [f"{uid}/timeline/{kind}/{shard}" for shard in range(SHARDS)]


def timeline(kind: Kind, uid: str, milliseconds: int, name: str) -> Key:
    """A call or task among all of its store."""
    shard = int(keys.digest(name, length=4), 16) % SHARDS
    return Key(timelines(kind, uid)[shard], moment(milliseconds, name))


def calls_partition(uid: str, app: str, tenant: str) -> str:
    """Partition of the calls that named the tenant, by `moment`."""
    return f"{uid}/calls/{keys.encode_levels(app, tenant)}"


def task_range(app: str, tenant: str, low_ms: int | None, high_ms: int | None) -> Range:
    """Sort keys of the tenant's own task records that were made between the two instants: ids grow with time."""
    hashed = keys.tenant_hash(app, tenant)
    high = LAST_MS if high_ms is None else high_ms
    return f"task/{hashed}{max(low_ms or 0, 0):012x}", f"task/{hashed}{high:012x}{keys.LAST}"
