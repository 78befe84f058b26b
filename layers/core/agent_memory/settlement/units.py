"""From candidates to units, and what a unit becomes when its content is met again. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent_memory import keys
from agent_memory.extraction.candidates import Candidate
from agent_memory.extraction.facts import Fact
from agent_memory.memory_task import Task
from agent_memory.models import MAX_METADATA_BYTES, MAX_METADATA_KEYS, MemoryUnit, Message, TurnRef
from agent_memory.ports import Item
from agent_memory.records import born_of, is_tombstone, unit_of
from agent_memory.scopes import Scope
from agent_memory.text import normalised, utf8_size
from agent_memory.times import format_ms, later, parse_rfc3339
from agent_memory.visibility import Visibility

FIRST_REFS = 20
LATEST_REFS = 80


@dataclass(frozen=True, slots=True)
class LoggedMessage:
    """A stored message and its sort key in the conversation's log."""

    log_key: str
    message: Message


def unit_id(scope: Scope, candidate: Candidate) -> str:
    """32 hex digits that follow from scope, role and content: a job that runs twice makes the same unit.

    One sentence may claim several things, each of which is a unit.
    """
    claimed = (candidate.fact.attribute,) if candidate.fact and candidate.fact.attribute else ()
    said = normalised(candidate.search_text)
    content = keys.digest("unit", *scope.levels, candidate.role, said, *claimed, length=20)
    return keys.tenant_hash(scope.app_id, scope.tenant_id) + content


def units_of(
    task: Task, candidates: Sequence[Candidate], messages: Sequence[LoggedMessage], model: str, now_ms: int
) -> list[MemoryUnit]:
    """One unit per content, in the order in which they were last said; equal ones are folded."""
    units: dict[str, MemoryUnit] = {}
    for candidate in candidates:
        unit = _unit(task, candidate, messages, model, now_ms)
        before = units.pop(unit.id, None)
        units[unit.id] = unit if before is None else merged(before, unit, now_ms)
    return [unit.model_copy(update={"version": 1}) for unit in units.values()]  # not stored yet, however often met


def merged(kept: MemoryUnit, met: MemoryUnit, now_ms: int) -> MemoryUnit:
    """`kept` with the evidence of `met` added; `kept` itself when nothing is new, so that a repeat changes nothing."""
    known = {ref.message_id for ref in kept.source_turn_refs}
    fresh = tuple(ref for ref in met.source_turn_refs if ref.message_id not in known)
    metadata = _joined(kept.metadata, met.metadata)
    expires_at = _later(kept.expires_at, met.expires_at)
    if not fresh and metadata == kept.metadata and expires_at == kept.expires_at:
        return kept
    changes = {
        "source_turn_refs": _bounded(kept.source_turn_refs + fresh),
        "seen_count": kept.seen_count + len(fresh),
        "metadata": metadata,
        "expires_at": expires_at,
        "updated_at": format_ms(now_ms),
        "version": kept.version + 1,
    }
    return kept.model_copy(update=changes)


@dataclass(frozen=True, slots=True)
class Settled:
    """What becomes of a unit: written under `expect` (None: nothing to write), with the vector it has already.

    `is_new`: nothing of it counted before. `stays_deleted` is true of one that was deleted and is not brought back.
    """

    unit: MemoryUnit | None
    expect: int = 0
    vector: bytes = b""
    stays_deleted: bool = False
    is_new: bool = False


def settle(stored: Item | None, met: MemoryUnit, visible: Visibility, now_ms: int) -> Settled:
    """New, added to what is stored, or nothing: a deleted unit comes back only with newer evidence."""
    met = met.model_copy(update={"born": visible.born})
    if stored is None:
        return Settled(met, is_new=True)
    anew = met.model_copy(update={"version": stored.version + 1})
    if visible.hides(met.scope, born_of(stored)):
        return Settled(anew, stored.version, is_new=True)
    if is_tombstone(stored):
        is_news = _said_after(met, stored.body["deletedMs"])
        return Settled(anew if is_news else None, stored.version, stays_deleted=not is_news, is_new=is_news)
    kept = unit_of(stored)
    if kept.expires_at is not None and parse_rfc3339(kept.expires_at) <= now_ms:
        return Settled(anew, stored.version, is_new=True)
    unit = merged(kept, met, now_ms)
    return Settled(unit if unit.version > stored.version else None, stored.version, stored.blob)


def is_another(stored: Item | None, met: MemoryUnit, visible: Visibility) -> bool:
    """Whether the record of that id stands for something else by now, and `met` has evidence that it does not know.

    It does when it was edited, and when it gave way to something newer before this was said.
    """
    if stored is None or is_tombstone(stored) or visible.hides(met.scope, born_of(stored)):
        return False
    kept = unit_of(stored)
    gave_way = kept.retired and parse_rfc3339(met.created_at) >= parse_rfc3339(kept.valid_to or kept.updated_at)
    if not gave_way and normalised(kept.search_text) == normalised(met.search_text):
        return False
    known = {ref.message_id for ref in kept.source_turn_refs}
    return any(ref.message_id not in known for ref in met.source_turn_refs)


def said_again_id(unit: MemoryUnit) -> str:
    """The id of the unit's content when the unit that first had it was edited; it follows from the id alone."""
    hashed = unit.id[: keys.TENANT_HASH]
    return hashed + keys.digest("said again", unit.id, length=len(unit.id) - len(hashed))


def _said_after(met: MemoryUnit, deleted_ms: int) -> bool:
    return any(keys.arrival_ms(ref.log_key) > deleted_ms for ref in met.source_turn_refs)


def _later(one: str | None, other: str | None) -> str | None:
    ends = later(*(None if end is None else parse_rfc3339(end) for end in (one, other)))
    return None if ends is None else format_ms(ends)


def _joined(kept: dict[str, str], met: dict[str, str]) -> dict[str, str]:
    """Both, the newer value of a key; where that would outgrow the limits of metadata, what is kept stays."""
    both = {**kept, **met}
    fits = len(both) <= MAX_METADATA_KEYS and utf8_size(json.dumps(both, ensure_ascii=False)) <= MAX_METADATA_BYTES
    return both if fits else kept


def _bounded(refs: tuple[TurnRef, ...]) -> tuple[TurnRef, ...]:
    """The first and the latest references, so that a phrase said every day does not outgrow its record."""
    return refs if len(refs) <= FIRST_REFS + LATEST_REFS else refs[:FIRST_REFS] + refs[-LATEST_REFS:]


def _claimed(fact: Fact) -> dict[str, Any]:
    """The fields of a memory that hold its claim."""
    claim = fact.model_dump(include={"kind", "attribute", "value", "negated", "state", "importance"})
    return {**claim, "subject": fact.owner}


def _unit(task: Task, candidate: Candidate, messages: Sequence[LoggedMessage], model: str, now_ms: int) -> MemoryUnit:
    sources = [messages[index] for index in candidate.sources]
    return MemoryUnit(
        id=unit_id(task.scope, candidate),
        scope=task.scope,
        unit_type=candidate.unit_type,
        text=candidate.text,
        search_text=candidate.search_text,
        speaker=candidate.speaker,
        language=candidate.language,
        effective_at=candidate.effective_at,
        time_precision=candidate.time_precision,
        time_source=candidate.time_source,
        salience=candidate.salience,
        claim=candidate.claim,
        risk_flags=candidate.risk_flags,
        **(_claimed(candidate.fact) if candidate.fact else {}),
        metadata=task.metadata,
        source_turn_refs=tuple(
            TurnRef(message_id=each.message.message_id, timestamp_ms=each.message.timestamp_ms, log_key=each.log_key)
            for each in sources
        ),
        created_at=candidate.created_at,
        updated_at=format_ms(now_ms),
        embedding_model=model,
        expires_at=None if task.expires_ms is None else format_ms(task.expires_ms),
    )
