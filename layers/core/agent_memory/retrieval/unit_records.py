"""From the table's records to what an index is made of: all memories of a tenant, or those that its log names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory import keys
from agent_memory.packed_vectors import unpack_vector
from agent_memory.records import born_of, shown, unit_of
from agent_memory.retrieval.block import IndexedUnit
from agent_memory.retrieval.places import place_of
from agent_memory.slots import slot_of
from agent_memory.times import parse_rfc3339
from agent_memory.validity import held
from agent_memory.visibility import Visibility

if TYPE_CHECKING:
    from agent_memory.ports import Item, WideTable

PAGE = 1_000
ENTRIES_AT_ONCE = 256  # of the log, each of up to 80 memories
TURNS = frozenset({"episode", "text", "entity_fact"})  # types of units that stand for what was said at their place


class LogGap(Exception):
    """The change log no longer holds all entries that are asked for; the memories themselves must be read."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What the log has up to `sequence`: memories as they are now, and ids of those that nobody may see any more.

    `deleted` has the ids that were deleted on the way; some may have come back.
    """

    sequence: int
    present: tuple[IndexedUnit, ...]
    gone: tuple[str, ...]
    deleted: frozenset[str]


def unit_pages(table: WideTable, partition: str, visible: Visibility) -> Iterator[list[IndexedUnit]]:
    """All memories of the tenant that are not hidden, in pages, by id."""
    first, last = keys.prefix_range("unit/")
    after: str | None = None
    while True:
        page = table.query(partition, first, last, limit=PAGE, after=after)
        yield [indexed(item) for item in page.items if shown(item, visible)]
        if not page.more:
            return
        after = page.items[-1].key.sk


def changes(table: WideTable, partition: str, span: tuple[int, int], visible: Visibility) -> Iterator[Changes]:
    """Of the entries behind the first number of `span` up to the second, some at a time. Raises LogGap."""
    sequence, upto = span
    while sequence < upto:
        first, last = keys.change(partition, sequence + 1).sk, keys.change(partition, upto).sk
        page = table.query(partition, first, last, limit=ENTRIES_AT_ONCE)
        expected = [keys.change(partition, sequence + 1 + step).sk for step in range(len(page.items))]
        if not page.items or [item.key.sk for item in page.items] != expected:
            raise LogGap
        sequence += len(page.items)
        deleted = frozenset(unit_id for item in page.items for unit_id in item.body["deletes"])
        changed = deleted | {unit_id for item in page.items for unit_id in item.body["puts"]}
        found = table.get([keys.unit(partition, unit_id) for unit_id in changed])
        present = tuple(indexed(item) for item in found.values() if shown(item, visible))
        gone = changed - {unit.id for unit in present}
        yield Changes(sequence, present, tuple(sorted(gone)), deleted)


def indexed(item: Item) -> IndexedUnit:
    """What the index keeps of a memory's record."""
    unit = unit_of(item)
    created_ms = parse_rfc3339(unit.created_at)
    valid_from_ms, valid_to_ms = held(unit)
    refs = unit.source_turn_refs
    return IndexedUnit(
        id=unit.id,
        scope=unit.scope.levels,
        search_text=unit.search_text,
        speaker=unit.speaker or "",
        metadata=unit.metadata,
        vector=unpack_vector(item.blob),
        embedding_model=unit.embedding_model or "",
        created_ms=created_ms,
        expires_ms=_milliseconds(unit.expires_at),
        valid_from_ms=valid_from_ms,
        valid_to_ms=valid_to_ms,
        retired=unit.retired,
        turn=unit.unit_type in TURNS,
        importance=unit.importance or 0,
        slot=slot_of(unit.subject, unit.attribute),
        place=place_of(refs[0].log_key if refs else None, created_ms),
        born=born_of(item),
    )


def _milliseconds(instant: str | None) -> int | None:
    return None if instant is None else parse_rfc3339(instant)
