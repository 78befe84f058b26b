"""UpdateMemory: the next version of a memory, the one before it kept, the change log told, in one transaction."""

from __future__ import annotations

from typing import Any

from agent_memory.change_log import log_writes
from agent_memory.dispatch import log_grew
from agent_memory.errors import ConditionFailed, Conflict, ServerBusy
from agent_memory.models import MemoryUnit
from agent_memory.packed_vectors import Pack
from agent_memory.ports import Item, Put, Write
from agent_memory.records import unit_item, unit_of
from agent_memory.redaction.calls import admitted_patch
from agent_memory.requests.units import UpdateMemoryRequest
from agent_memory.services import Services
from agent_memory.unit_access import FoundUnit, find_unit
from agent_memory.unit_history import keep_version
from agent_memory.unit_patch import patched

TRIES = 8


def update_memory(request: UpdateMemoryRequest, services: Services) -> dict[str, Any]:
    """`memory` after the patch and whether that changed anything; a patch that lost a race is applied anew.

    Conflict when the version is not the one that the request expects, ServerBusy when others kept winning.
    """
    vectors: dict[str, bytes] = {}
    for _ in range(TRIES):
        now = services.now_ms()
        found = find_unit(request, services.table, now)
        _check_version(found.unit, request.expected_version)
        unit = patched(found.unit, admitted_patch(request, found.store.redaction), now)
        if unit is found.unit:
            return _answer(found, unit, updated=False)
        unit = (
            unit.model_copy(update={"embedding_model": services.embedder.model}) if _is_new_text(found, unit) else unit
        )
        item = _item(found, unit, services.packing(found.store), vectors)
        try:
            services.table.write(_writes(found, item, request.actor, now))
        except ConditionFailed:
            continue
        log_grew(found.store, found.unit.scope.levels[:2], [found.head + 1], services)
        return _answer(found, unit_of(item), updated=True)
    raise ServerBusy("others are writing to the same tenant")


def _check_version(unit: MemoryUnit, expected: int | None) -> None:
    if expected is not None and expected != unit.version:
        raise Conflict(f"expectedVersion {expected} is not the version of the memory, which is {unit.version}")


def _is_new_text(found: FoundUnit, unit: MemoryUnit) -> bool:
    return unit.search_text != found.unit.search_text


def _item(found: FoundUnit, unit: MemoryUnit, pack: Pack, vectors: dict[str, bytes]) -> Item:
    """The record of the new version; a text is embedded once, however often the writing is tried."""
    text = unit.search_text
    if not _is_new_text(found, unit):
        return unit_item(found.partition, unit, found.item.blob)
    if text not in vectors:
        (vectors[text],) = pack([text])
    return unit_item(found.partition, unit, vectors[text])


def _writes(found: FoundUnit, item: Item, actor: str, now_ms: int) -> list[Write]:
    return [
        *found.guards(),
        Put(item, expect=found.item.version),
        keep_version(found, actor, now_ms),
        *log_writes(found.partition, found.head, puts=[found.unit.id]),
    ]


def _answer(found: FoundUnit, unit: MemoryUnit, *, updated: bool) -> dict[str, Any]:
    return {"memory": unit.to_wire(), "updated": updated, "memoryStoreName": found.store.name}
