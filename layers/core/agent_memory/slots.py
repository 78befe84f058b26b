"""What a fact claims, as one name: of one subject and attribute only one value holds at a time."""

from __future__ import annotations

from agent_memory.text import normalised


def slot_of(subject: str | None, attribute: str | None) -> str:
    """The same for any spelling of the two; empty where one of them is missing."""
    if not subject or not attribute:
        return ""
    return f"{normalised(subject)}\n{normalised(attribute)}"
