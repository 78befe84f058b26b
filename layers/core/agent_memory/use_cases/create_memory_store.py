"""CreateMemoryStore: a name, its settings and a fresh `uid`, usable at once."""

from __future__ import annotations

import uuid
from typing import Any

from agent_memory import keys
from agent_memory.errors import ConditionFailed, Conflict
from agent_memory.memory_store import MemoryStore
from agent_memory.ports import Item, Put
from agent_memory.records import store_item
from agent_memory.requests.stores import CreateMemoryStoreRequest
from agent_memory.services import Services


def create_memory_store(request: CreateMemoryStoreRequest, services: Services) -> dict[str, Any]:
    """The store object; Conflict when the name is taken in the instance."""
    store = _new_store(request, services.new_id(), services.now_ms())
    try:
        services.table.write(
            [Put(store_item(store, version=1), expect=0), Put(Item(keys.alive(store.uid), {}), expect=0)]
        )
    except ConditionFailed as error:
        raise Conflict(f"memoryStoreName {store.name!r} is taken") from error
    return store.to_wire()


def _new_store(request: CreateMemoryStoreRequest, new_id: str, now_ms: int) -> MemoryStore:
    input_type, output_types = request.types
    return MemoryStore(
        instance=request.instance,
        name=request.memory_store_name,
        uid=f"store_{uuid.UUID(hex=new_id)}",
        description=request.description or "",
        extract_instructions=request.extract_instructions or "",
        input_type=input_type,
        output_types=output_types,
        storage_mode=request.storage_mode,
        wiki_reflection_enabled=bool(request.wiki_reflection_enabled),
        default_ttl_seconds=request.default_ttl_seconds,
        token_vectors=bool(request.token_vectors),
        redaction=request.redaction or "off",
        created_ms=now_ms,
        updated_ms=now_ms,
    )
