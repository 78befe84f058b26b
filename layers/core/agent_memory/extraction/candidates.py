"""What extraction hands on: a memory that is not stored yet, with its evidence."""

from __future__ import annotations

from agent_memory.models import TimePrecision
from agent_memory.values import Value


class Candidate(Value):
    """A memory to be stored. `sources` are indices into the messages that it was made of.

    `text` is what clients see, `search_text` what is indexed and embedded; `effective_at` is in the form that
    `time_precision` says, found in the message's own time ("message") or in a phrase of the text ("phrase").
    """

    text: str
    search_text: str
    speaker: str
    role: str
    language: str
    unit_type: str = "episode"
    effective_at: str
    time_precision: TimePrecision
    time_source: str
    created_at: str
    sources: tuple[int, ...]
    salience: float
