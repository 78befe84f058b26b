"""GetMemory: one memory by its id, as the table has it now."""

from __future__ import annotations

from typing import Any

from agent_memory.requests.units import MemoryRequest
from agent_memory.services import Services
from agent_memory.unit_access import find_unit


def get_memory(request: MemoryRequest, services: Services) -> dict[str, Any]:
    """`memory`; NotFound without one that the caller may see."""
    found = find_unit(request, services.table, services.now_ms())
    return {"memory": found.unit.to_wire(), "memoryStoreName": found.store.name}
