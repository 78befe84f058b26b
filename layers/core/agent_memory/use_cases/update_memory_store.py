"""UpdateMemoryStore: a patch of the settings; concurrent patches of different fields both hold."""

from __future__ import annotations

from typing import Any

from agent_memory.errors import ConditionFailed, Conflict, InvalidParameter
from agent_memory.memory_store import MemoryStore
from agent_memory.ports import Put
from agent_memory.records import store_item, store_of
from agent_memory.requests.stores import UpdateMemoryStoreRequest, check_outputs
from agent_memory.services import Services
from agent_memory.store_access import read_store_item

TRIES = 5


def update_memory_store(request: UpdateMemoryStoreRequest, services: Services) -> dict[str, Any]:
    """The store after the patch; Conflict when others kept changing it at the same time."""
    for _ in range(TRIES):
        item = read_store_item(services.table, request.instance, request.memory_store_name)
        store = store_of(item)
        patched = _patched(store, request, services.now_ms())
        if patched == store:
            return store.to_wire()
        try:
            services.table.write([Put(store_item(patched, item.version + 1), expect=item.version)])
        except ConditionFailed:
            continue
        return patched.to_wire()
    raise Conflict(f"memoryStoreName {request.memory_store_name!r} is being changed by others")


def _patched(store: MemoryStore, request: UpdateMemoryStoreRequest, now_ms: int) -> MemoryStore:
    if request.output_types is not None:
        try:
            check_outputs(store.input_type, request.output_types)
        except ValueError as error:
            raise InvalidParameter("", str(error).lstrip(".")) from error
    given = {
        "description": request.description,
        "extract_instructions": request.extract_instructions,
        "output_types": None if request.output_types is None else tuple(request.output_types),
        "wiki_reflection_enabled": request.wiki_reflection_enabled,
        "default_ttl_seconds": request.default_ttl_seconds,
        "redaction": request.redaction,
    }
    changes: dict[str, Any] = {
        name: value for name, value in given.items() if value is not None and value != getattr(store, name)
    }
    if not changes:
        return store
    if changes.get("default_ttl_seconds") == 0:
        changes["default_ttl_seconds"] = None
    return store.model_copy(update={**changes, "updated_ms": now_ms})
