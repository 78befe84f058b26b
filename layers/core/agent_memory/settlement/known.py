"""Which memories that are there may be repeated or contradicted by new ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from agent_memory.extraction.said import ASSISTANT
from agent_memory.models import MemoryUnit
from agent_memory.packed_vectors import unpack_vector
from agent_memory.retrieval.known import NewClaim, known_to
from agent_memory.slots import slot_of

if TYPE_CHECKING:
    from agent_memory.retrieval.rows import Rows


def around(
    rows: Rows, units: Sequence[MemoryUnit], blobs: Mapping[str, bytes], now_ms: int
) -> dict[str, tuple[str, ...]]:
    """By id of each unit, of one scope, the ids of current memories of that scope: of its slot, then the nearest."""
    if not units:
        return {}
    claims = [NewClaim(slot_of(unit.subject, unit.attribute), unpack_vector(blobs[unit.id])) for unit in units]
    found = known_to(rows, units[0].scope.levels, claims, now_ms)
    return {unit.id: tuple(ids) for unit, ids in zip(units, found, strict=True)}


def may_be_known(unit: MemoryUnit) -> bool:
    """Whether the unit is compared with what is known: a claim, or what an assistant said, which may repeat one."""
    return unit.subject is not None or is_by_assistant(unit)


def is_by_assistant(unit: MemoryUnit) -> bool:
    """Whether an assistant without a name said it."""
    return unit.unit_type == "episode" and (unit.speaker or "").casefold() == ASSISTANT
