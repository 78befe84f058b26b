"""A claim and the words around it: when the claim gives way or repeats another, the rest of what was said stays."""

from __future__ import annotations

from agent_memory import keys
from agent_memory.extraction.small_talk import says_something
from agent_memory.models import MemoryUnit

EPISODE = "episode"


def claim_of(unit: MemoryUnit) -> str:
    """The words that claim something, without who says them."""
    return unit.claim or unit.search_text.removeprefix(f"{unit.speaker}: ")


def rest_of(unit: MemoryUnit) -> MemoryUnit | None:
    """What was said around the claim, as an episode of its own; None where that is nothing worth keeping."""
    said = unit.search_text.removeprefix(f"{unit.speaker}: ")
    if unit.claim is None or unit.claim not in said:
        return None
    rest = " ".join(part for each in said.split(unit.claim, 1) if (part := each.strip()))
    if not says_something(rest, [unit.speaker or ""]):
        return None
    words = f"{unit.speaker}: {rest}"
    hashed = unit.id[: keys.TENANT_HASH]
    gone = dict.fromkeys(("kind", "subject", "attribute", "value", "negated", "state", "claim", "importance"))
    changes = {
        "id": hashed + keys.digest("rest", unit.id, length=len(unit.id) - len(hashed)),
        "unit_type": EPISODE,
        "text": unit.text.replace(unit.search_text, words),
        "search_text": words,
        "title": None,
        "seen_count": 1,
        "salience": 0.5,
    }
    return unit.model_copy(update={**gone, **changes})
