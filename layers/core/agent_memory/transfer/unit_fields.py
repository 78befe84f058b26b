"""Messages, memories and vectors as lines hold them, with the limits that foreign input needs."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from agent_memory import keys
from agent_memory.models import Born, MemoryUnit, Message, TurnRef
from agent_memory.requests.fields import MessageId, Role
from agent_memory.times import parse_rfc3339
from agent_memory.transfer import fields
from agent_memory.values import WireValue

MAX_REFS = 200
MAX_KEYWORDS = 32

STRICT = ConfigDict(strict=True, populate_by_name=False)


class MessageFields(WireValue):
    """The API's message object, and how far its speaker's clock was before UTC."""

    model_config = STRICT

    message_id: MessageId
    role: Role
    speaker: fields.Name
    content: fields.Content
    timestamp: fields.Time
    offset_minutes: Annotated[int, Field(ge=-1_439, le=1_439)] | None = None
    metadata: fields.Metadata = Field(default_factory=dict)
    expires_at: fields.Time | None = None

    def to_message(self, born: Born) -> Message:
        """The message as it is stored."""
        return Message(
            message_id=self.message_id,
            role=self.role,
            speaker=self.speaker,
            content=self.content,
            timestamp_ms=parse_rfc3339(self.timestamp),
            offset_minutes=self.offset_minutes,
            metadata=self.metadata,
            born=born,
            expires_ms=None if self.expires_at is None else parse_rfc3339(self.expires_at),
        )


class RefFields(TurnRef):
    """A source of a memory."""

    model_config = ConfigDict(strict=True)

    message_id: MessageId
    timestamp_ms: Annotated[int, Field(ge=-fields.MAX_COUNT, le=fields.MAX_COUNT)]
    log_key: fields.LogKey


class UnitFields(MemoryUnit):
    """A memory in the names of its record. `born` is the importing store's to say, so a line must not."""

    model_config = ConfigDict(strict=True)

    id: fields.UnitId
    unit_type: fields.Word
    text: fields.UnitText
    search_text: fields.UnitText
    title: fields.Word | None = None
    keywords: Annotated[tuple[fields.Word, ...], Field(max_length=MAX_KEYWORDS)] = ()
    speaker: fields.Word | None = None
    language: fields.Word | None = None
    effective_at: fields.Moment
    time_source: fields.Word
    salience: fields.Share = 0.5
    importance: Annotated[int, Field(ge=0, le=100)] | None = None
    kind: fields.Word | None = None
    subject: fields.Word | None = None
    attribute: fields.UnitText | None = None
    value: fields.UnitText | None = None
    state: fields.Word | None = None
    claim: fields.UnitText | None = None
    risk_flags: Annotated[tuple[fields.Word, ...], Field(max_length=MAX_KEYWORDS)] = ()
    metadata: fields.Metadata = Field(default_factory=dict)
    source_turn_refs: Annotated[tuple[RefFields, ...], Field(max_length=MAX_REFS)]
    seen_count: fields.Count = 1
    created_at: fields.Time
    updated_at: fields.Time
    valid_from: fields.Moment | None = None
    valid_to: fields.Moment | None = None
    superseded_by: fields.Word | None = None
    supersedes: Annotated[tuple[fields.Word, ...], Field(max_length=MAX_REFS)] = ()
    retired_at: fields.Time | None = None
    embedding_model: fields.Word | None = None
    expires_at: fields.Time | None = None
    version: fields.Version = 1

    @field_validator("born", mode="before")
    @classmethod
    def _not_given(cls, _value: Any) -> Any:
        raise ValueError("is the store's own and must not be given")

    @model_validator(mode="after")
    def _is_of_its_tenant(self) -> Self:
        if not self.id.startswith(keys.tenant_hash(self.scope.app_id, self.scope.tenant_id)):
            raise ValueError(".id is not one of the tenant of its scope")
        return self

    def to_unit(self, **changes: Any) -> MemoryUnit:
        """The memory as it is stored, with these fields in the place of the line's."""
        return MemoryUnit.model_validate({**self.to_json(), **changes})


class VectorFields(WireValue):
    """The embedding of a memory and the model that made it; `float16` is base64, little-endian."""

    model_config = STRICT

    model: fields.Word
    float16: fields.Packed
