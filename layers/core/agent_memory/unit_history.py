"""Earlier versions of a memory: what an update replaced, by whom and when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_memory import keys
from agent_memory.models import MemoryUnit
from agent_memory.ports import Item, Key, Put, WideTable
from agent_memory.records import born_of
from agent_memory.times import format_ms
from agent_memory.unit_access import FoundUnit
from agent_memory.visibility import Visibility

PAGE = 100
MAX_VERSION = 99_999_999  # of the digits that a key has for it


def keep_version(found: FoundUnit, actor: str, now_ms: int) -> Put:
    """The write that makes the version found an earlier one."""
    unit = found.unit
    body = {
        "scope": unit.scope.to_json(),
        "born": list(unit.born),
        "unit": unit.to_json(),
        "actor": actor,
        "replacedMs": now_ms,
    }
    return Put(Item(keys.earlier(found.partition, unit.id, unit.version), body, ttl=found.item.ttl))


def version_to_wire(item: Item, visible: Visibility) -> dict[str, Any] | None:
    """One entry of `versions`; None for one of a memory that was deleted with its scope and came back later."""
    unit = MemoryUnit.model_validate(item.body["unit"])
    if visible.hides(unit.scope, born_of(item)):
        return None
    return {
        "version": unit.version,
        "memory": unit.to_wire(),
        "actor": item.body["actor"],
        "replacedAt": format_ms(item.body["replacedMs"]),
    }


def versions_range(found: FoundUnit) -> tuple[str, str]:
    """First and last sort key that an earlier version of the memory can have."""
    ends = (keys.earlier(found.partition, found.unit.id, version) for version in (0, MAX_VERSION))
    first, last = (key.sk for key in ends)
    return first, last


def version_keys(found: FoundUnit, table: WideTable) -> Iterator[Key]:
    """Keys of all earlier versions, oldest first."""
    first, last = versions_range(found)
    after: str | None = None
    while True:
        page = table.query(found.partition, first, last, limit=PAGE, after=after)
        yield from (item.key for item in page.items)
        if not page.more:
            return
        after = page.items[-1].key.sk
