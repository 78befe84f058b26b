"""What extraction hands on: memories that are not stored yet, with their evidence, and what was refused on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent_memory.extraction.facts import Fact
from agent_memory.models import TimePrecision
from agent_memory.values import Value


class Candidate(Value):
    """A memory to be stored. `sources` are indices into the messages that it was made of.

    `text` is what clients see, `search_text` what is indexed and embedded; `effective_at` is in the form that
    `time_precision` says, found in the message's own time ("message") or in a phrase of the text ("phrase"). `fact` is
    what it claims, None for an episode; `claim` are the words of `search_text` that do, None for all of them.
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
    fact: Fact | None = None
    claim: str | None = None
    risk_flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extraction:
    """What came out of a batch of messages. `refused` counts what was found and not taken, by reason."""

    candidates: tuple[Candidate, ...]
    refused: Mapping[str, int] = field(default_factory=dict)
