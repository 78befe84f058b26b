"""Messages to memories as they are: what AddMemories does with `infer: false`."""

from __future__ import annotations

from collections.abc import Sequence

from agent_memory.extraction.candidates import Candidate
from agent_memory.languages import language_of
from agent_memory.models import Message
from agent_memory.text import is_blank
from agent_memory.times import format_ms, format_seconds

SALIENCE = 0.5


def verbatim(messages: Sequence[Message]) -> list[Candidate]:
    """One candidate per message that is not blank: its text unchanged, whoever said it, at the time it was said."""
    return [_candidate(index, message) for index, message in enumerate(messages) if not is_blank(message.content)]


def _candidate(index: int, message: Message) -> Candidate:
    return Candidate(
        text=message.content,
        search_text=message.content,
        speaker=message.speaker,
        role=message.role,
        language=language_of(message.content),
        unit_type="text",
        effective_at=format_seconds(message.timestamp_ms),
        time_precision="second",
        time_source="message",
        created_at=format_ms(message.timestamp_ms),
        sources=(index,),
        salience=SALIENCE,
    )
