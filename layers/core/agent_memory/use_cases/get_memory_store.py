"""GetMemoryStore."""

from __future__ import annotations

from typing import Any

from agent_memory.requests.stores import StoreRequest
from agent_memory.services import Services
from agent_memory.store_access import read_store


def get_memory_store(request: StoreRequest, services: Services) -> dict[str, Any]:
    """The store object."""
    return read_store(services.table, request.instance, request.memory_store_name).to_wire()
