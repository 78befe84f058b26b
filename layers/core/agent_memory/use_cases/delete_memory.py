"""DeleteMemory: a tombstone in the place of the memory, so that a repeat of an old job does not bring it back."""

from __future__ import annotations

from typing import Any

from agent_memory import keys
from agent_memory.change_log import log_writes
from agent_memory.dispatch import log_grew
from agent_memory.errors import ConditionFailed, ServerBusy
from agent_memory.ports import Delete, Key, Put, WideTable, Write
from agent_memory.records import tombstone_item, unit_item, unit_of
from agent_memory.requests.units import DeleteMemoryRequest
from agent_memory.services import Services
from agent_memory.superseded import held_again, read_superseded
from agent_memory.unit_access import FoundUnit, find_unit
from agent_memory.unit_history import version_keys

TRIES = 8
VERSIONS_PER_WRITE = 16  # of at most about 150 KB each, within the 4 MB of a transaction
MESSAGES_PER_WRITE = 50  # each with its mark


def delete_memory(request: DeleteMemoryRequest, services: Services) -> dict[str, Any]:
    """`deleted`, with `cascade` also `deletedMessages`; NotFound the second time, ServerBusy when others kept winning.

    What gave way to the memory holds again. What goes first is what nothing but the memory leads to: a crash in
    between leaves a memory to delete again.
    """
    table, messages = services.table, 0
    for _ in range(TRIES):
        now = services.now_ms()
        found = find_unit(request, table, now)
        versions = list(version_keys(found, table))
        table.write_many(Delete(key) for key in versions[:-VERSIONS_PER_WRITE])
        try:
            if request.cascade == "evidence":
                messages += _delete_evidence(found, table)
            table.write(_writes(found, versions[-VERSIONS_PER_WRITE:], _held_again(found, table, now), now))
        except ConditionFailed:
            continue
        log_grew(found.store, found.unit.scope.levels[:2], [found.head + 1], services)
        counted = {"deletedMessages": messages} if request.cascade else {}
        return {"deleted": True, "memoryId": found.unit.id, "memoryStoreName": found.store.name, **counted}
    raise ServerBusy("others are writing to the same tenant")


def _held_again(found: FoundUnit, table: WideTable, now_ms: int) -> list[Put]:
    """What gave way to the memory, as it is without it."""
    items = read_superseded(found.unit, found.partition, table, found.visible)
    return [
        Put(unit_item(found.partition, held_again(unit_of(item), now_ms), item.blob), expect=item.version)
        for item in items
    ]


def _writes(found: FoundUnit, versions: list[Key], restored: list[Put], now_ms: int) -> list[Write]:
    puts = [str(put.item.body["id"]) for put in restored]
    return [
        *found.guards(),
        Put(tombstone_item(found.item, now_ms, found.visible.born), expect=found.item.version),
        *restored,
        *(Delete(key) for key in versions),
        *log_writes(found.partition, found.head, puts=puts, deletes=[found.unit.id]),
    ]


def _delete_evidence(found: FoundUnit, table: WideTable) -> int:
    """Delete the messages that the memory points at, and the marks of their ids; how many messages there were.

    ConditionFailed where one was added again at that moment: then it is another message.
    """
    run = keys.run_partition(found.store.uid, found.unit.scope)
    places = {keys.message(run, ref.log_key): _mark(run, ref.log_key) for ref in found.unit.source_turn_refs}
    read = table.get([*places, *places.values()])
    messages = [key for key in places if key in read]
    for start in range(0, len(messages), MESSAGES_PER_WRITE):
        part = messages[start : start + MESSAGES_PER_WRITE]
        marks = [places[key] for key in part if places[key] in read and read[places[key]].body["at"] == key.sk]
        table.write([Delete(key, expect=read[key].version) for key in (*part, *marks)])
    return len(messages)


def _mark(run: str, log_key: str) -> Key:
    return keys.message_id(run, log_key.rpartition("/")[2])
