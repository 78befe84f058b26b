"""Reading the messages behind the results of a search, and what was said beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from agent_memory import keys
from agent_memory.models import MemoryUnit, Message
from agent_memory.ports import Item, Key, WideTable
from agent_memory.records import message_of
from agent_memory.retrieval.evidence import (
    AFTER,
    BEFORE,
    MAX_ENTRIES,
    Place,
    Source,
    evidence,
    neighbours,
    sources,
    with_neighbours,
)
from agent_memory.store_access import TenantView

MAX_ANCHORS = 4  # messages around which the log is read
LOG = keys.prefix_range("at/")


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks: the tenant as it stands, and the instant that is asked about, in milliseconds.

    With `past` the question is about that instant: what was said later does not count.
    """

    table: WideTable
    view: TenantView
    at_ms: int
    past: bool = False

    def admits(self, source: Source, message: Message) -> bool:
        """Whether the message may be shown: neither expired nor deleted with its scope."""
        said = message.timestamp_ms <= self.at_ms or not self.past
        return said and not message.expired(self.at_ms) and not self.view.visible.hides(source.scope, message.born)

    def key(self, source: Source) -> Key:
        """Where the message lies."""
        return keys.message(keys.run_partition(self.view.store.uid, source.scope), source.log_key)


def read_evidence(reader: Reader, hits: Iterable[tuple[MemoryUnit, float]]) -> list[dict[str, Any]]:
    """Evidence entries for results in rank order with their scores.

    One read of the table for the messages of the results, and while there is room for neighbours two short ones around
    each of the best: three calls for one result, at most 1 + 2 * MAX_ANCHORS.
    """
    wanted = sources(hits)
    if not wanted:
        return []
    direct, messages = _direct(reader, wanted)
    near: dict[Place, Source] = {}
    for anchor in direct[:MAX_ANCHORS]:
        if len(with_neighbours(direct, near.values())) == MAX_ENTRIES:
            break
        beside, read = _beside(reader, anchor)
        near |= {source.place: source for source in beside if source.place not in near}
        messages |= read
    return evidence(with_neighbours(direct, near.values()), messages)


def _direct(reader: Reader, wanted: Sequence[Source]) -> tuple[list[Source], dict[Place, Message]]:
    places = {reader.key(source): source for source in wanted}
    read = {places[key]: message_of(item) for key, item in reader.table.get(places).items()}
    found = {source.place: message for source, message in read.items() if reader.admits(source, message)}
    return [source for source in wanted if source.place in found], found


def _beside(reader: Reader, anchor: Source) -> tuple[list[Source], dict[Place, Message]]:
    partition = reader.key(anchor).pk
    before = reader.table.query(partition, *LOG, limit=BEFORE, after=anchor.log_key, reverse=True)
    after = reader.table.query(partition, *LOG, limit=AFTER, after=anchor.log_key)
    found = neighbours(anchor, _log_keys(before.items), _log_keys(after.items))
    items = {item.key.sk: message_of(item) for item in (*before.items, *after.items)}
    shown = [source for source in found if reader.admits(source, items[source.log_key])]
    return shown, {source.place: items[source.log_key] for source in shown}


def _log_keys(items: Sequence[Item]) -> list[str]:
    return [item.key.sk for item in items]
