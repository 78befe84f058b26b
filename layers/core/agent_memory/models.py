"""The nouns of the service, as they are stored. Shapes: spec of the API, sections 2.3, 2.5 and 5.3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from agent_memory.scopes import Scope
from agent_memory.times import format_ms
from agent_memory.values import Value

MAX_METADATA_KEYS = 16
MAX_METADATA_BYTES = 65_536  # of JSON

LEVELS = ("appId", "tenantId", "agentId", "runId")

SHOWN_IF_ANY = frozenset({"risk_flags", "supersedes"})

Born = tuple[int, int]  # life of the store and generation of the tenant at the time of writing: see visibility.py

TimePrecision = Literal["second", "day", "month", "year"]


class Message(Value):
    """One message of a conversation (short-term memory). `timestamp_ms` is when it was said, UTC.

    `offset_minutes` is how far the speaker's clock was before UTC: "yesterday" is a day of that clock. From
    `expires_ms` on nobody reads it any more.
    """

    message_id: str
    role: str
    speaker: str
    content: str
    timestamp_ms: int
    offset_minutes: int | None = None
    metadata: dict[str, str] = Field(default_factory=dict)
    born: Born = (1, 0)
    expires_ms: int | None = None

    @property
    def local_ms(self) -> int:
        """The time on the speaker's clock, in milliseconds since 1970 there."""
        return self.timestamp_ms + 60_000 * (self.offset_minutes or 0)

    def expired(self, now_ms: int) -> bool:
        """Whether nobody may read the message any more."""
        return self.expires_ms is not None and self.expires_ms <= now_ms

    def to_wire(self) -> dict[str, Any]:
        """The message object of the API."""
        return {
            "messageId": self.message_id,
            "role": self.role,
            "speaker": self.speaker,
            "content": self.content,
            "timestamp": format_ms(self.timestamp_ms),
            "metadata": dict(self.metadata),
            **({"expiresAt": format_ms(self.expires_ms)} if self.expires_ms is not None else {}),
        }


class TurnRef(Value):
    """Where a unit comes from: the message, when it was said, and its sort key in the conversation's log."""

    message_id: str
    timestamp_ms: int
    log_key: str


class MemoryUnit(Value):
    """One long-term memory. Names are the API's own snake_case; all instants are RFC 3339 text in UTC.

    `created_at` is when the thing was said, `updated_at` when the record was written, `effective_at` when it happened
    (its format follows `time_precision`). World time (`valid_from`, `valid_to`) and record time (`retired_at`) are
    both kept. `kind`, `subject` (whom it is about), `attribute`, `value`, `negated` and `state` are those of
    `extraction.facts.Fact`, None for an episode; `claim` are the words that say so, None for all of the text.
    """

    id: str
    scope: Scope
    unit_type: str
    text: str
    search_text: str
    title: str | None = None
    keywords: tuple[str, ...] = ()
    speaker: str | None = None
    language: str | None = None
    effective_at: str
    time_precision: TimePrecision
    time_source: str
    salience: float = 0.5
    importance: int | None = None
    layer: Literal["user", "agent"] | None = None
    kind: str | None = None
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    negated: bool | None = None
    state: str | None = None
    claim: str | None = None
    risk_flags: tuple[str, ...] = ()
    metadata: dict[str, str] = Field(default_factory=dict)
    source_turn_refs: tuple[TurnRef, ...]
    seen_count: int = 1
    created_at: str
    updated_at: str
    valid_from: str | None = None
    valid_to: str | None = None
    superseded_by: str | None = None
    supersedes: tuple[str, ...] = ()
    retired_at: str | None = None
    embedding_model: str | None = None
    expires_at: str | None = None
    born: Born = (1, 0)
    version: int = 1

    @property
    def retired(self) -> bool:
        """Whether the unit is history: something newer took its place."""
        return self.superseded_by is not None or self.retired_at is not None

    def to_wire(self) -> dict[str, Any]:
        """The MemoryUnit object of the API; the embedding is never part of it."""
        return unit_wire(self.to_json())


def unit_wire(stored: Mapping[str, Any]) -> dict[str, Any]:
    """The MemoryUnit object of the API, from the unit's stored form."""
    shown = {name: value for name, value in stored.items() if name != "born" and (value or name not in SHOWN_IF_ANY)}
    shown["conversation_key"] = "/".join(stored["scope"][level] for level in LEVELS)
    shown["source_turn_refs"] = [
        {"messageId": ref["message_id"], "timestampMs": ref["timestamp_ms"]} for ref in stored["source_turn_refs"]
    ]
    return shown
