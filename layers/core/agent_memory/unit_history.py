"""Earlier versions of a memory: what an update replaced, by whom and when."""

from __future__ import annotations

from typing import Any

from agent_memory import keys
from agent_memory.models import MemoryUnit
from agent_memory.ports import Item, Put
from agent_memory.records import born_of
from agent_memory.times import format_ms
from agent_memory.unit_access import FoundUnit


def keep_version(found: FoundUnit, actor: str, now_ms: int) -> Put:
    """The write that makes the version found an earlier one; it goes when the memory does."""
    unit = found.unit
    body = {
        "scope": unit.scope.to_json(),
        "born": list(born_of(found.item)),
        "unit": unit.to_json(),
        "actor": actor,
        "replacedMs": now_ms,
    }
    return Put(Item(keys.earlier(found.partition, unit.id, unit.version), body, ttl=found.item.ttl))


def version_to_wire(item: Item) -> dict[str, Any]:
    """One entry of `versions`."""
    unit = MemoryUnit.model_validate(item.body["unit"])
    return {
        "version": unit.version,
        "memory": unit.to_wire(),
        "actor": item.body["actor"],
        "replacedAt": format_ms(item.body["replacedMs"]),
    }


def versions_range(unit_id: str) -> tuple[str, str]:
    """First and last sort key of a memory's earlier versions."""
    return keys.prefix_range(f"old/{unit_id}/")
