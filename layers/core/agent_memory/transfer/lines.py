"""The lines of an export: one JSON object each, which says by itself what it is and in which format.

Values are frozen and strict: what a line does not name exactly as an export would is refused with `LineError`.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator

from agent_memory import keys
from agent_memory.invalid import first_problem
from agent_memory.models import MAX_METADATA_BYTES, Born, MemoryUnit, Message, TurnRef
from agent_memory.ports import MAX_ITEM_BYTES
from agent_memory.requests.fields import MessageId, Role
from agent_memory.scopes import Scope
from agent_memory.text import clean, utf8_size
from agent_memory.times import format_ms, parse_rfc3339
from agent_memory.transfer import fields
from agent_memory.values import Value, WireValue

FORMAT = 1
MAX_RECORD_BYTES = MAX_ITEM_BYTES - 16_384  # leaves room for key, vector and the table's own fields
MAX_REFS = 200
MAX_KEYWORDS = 32
MAX_PROBLEM = 200
_STRICT = ConfigDict(strict=True, populate_by_name=False)
_SEPARATORS = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029"})  # some readers would end a line there


class LineError(ValueError):
    """What is wrong with a line, in words for its sender."""


class MessageFields(WireValue):
    """A message as lines hold it: the API's message object, with the speaker."""

    model_config = _STRICT

    message_id: MessageId
    role: Role
    speaker: fields.Name
    content: fields.Content
    timestamp: fields.Time
    metadata: fields.Metadata = Field(default_factory=dict)
    expires_at: fields.Time | None = None


class RefFields(TurnRef):
    """A source of a memory, with its limits."""

    model_config = ConfigDict(strict=True)

    message_id: MessageId
    timestamp_ms: Annotated[int, Field(ge=-fields.MAX_COUNT, le=fields.MAX_COUNT)]
    log_key: fields.LogKey


class UnitFields(MemoryUnit):
    """A memory with its limits. `born` is the importing store's, so a line must not name it."""

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
    metadata: fields.Metadata = Field(default_factory=dict)
    source_turn_refs: Annotated[tuple[RefFields, ...], Field(max_length=MAX_REFS)]
    seen_count: fields.Count = 1
    created_at: fields.Time
    updated_at: fields.Time
    valid_from: fields.Moment | None = None
    valid_to: fields.Moment | None = None
    superseded_by: fields.Word | None = None
    retired_at: fields.Moment | None = None
    embedding_model: fields.Word | None = None
    expires_at: fields.Time | None = None
    version: fields.Version = 1

    @field_validator("born", mode="before")
    @classmethod
    def _not_given(cls, _value: Any) -> Any:
        raise ValueError("is the store's own and must not be given")

    @model_validator(mode="after")
    def _is_its_tenants(self) -> Self:
        if not self.id.startswith(keys.tenant_hash(self.scope.app_id, self.scope.tenant_id)):
            raise ValueError(".id is not of the tenant of its scope")
        return self

    def to_unit(self, **changes: Any) -> MemoryUnit:
        """The memory, with these fields in the place of the line's."""
        return MemoryUnit.model_validate({**self.model_dump(by_alias=True, exclude={"born"}), **changes})


class VectorFields(WireValue):
    """The embedding of a memory and the model that made it; `float16` is base64, little-endian."""

    model_config = _STRICT

    model: fields.Word
    float16: fields.Packed


class Line(WireValue):
    """What all lines have in common. `scope` is where the record belongs, None for a store's line."""

    model_config = _STRICT
    within: ClassVar[int] = MAX_RECORD_BYTES

    type: str
    format: Literal[1] = FORMAT

    def to_text(self) -> str:
        """The line, with its end."""
        data = self.model_dump(mode="json", exclude_none=True, exclude={"memory": {"born"}}, by_alias=True)
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_SEPARATORS) + "\n"


class StoreLine(Line):
    """The head of an export: the store's settings as GetMemoryStore shows them, and what was asked for."""

    type: Literal["store"] = "store"
    exported_at: fields.Time
    store: dict[str, Any]
    scope: dict[str, str]
    include: list[str]
    vectors: bool


class MessageLine(Line):
    """A message of a conversation at its place in it."""

    type: Literal["message"] = "message"
    scope: Scope
    log_key: fields.LogKey
    message: MessageFields

    @property
    def ident(self) -> tuple[str, ...]:
        """Equal for lines about one record."""
        return ("message", self.scope.path, self.message.message_id)

    def to_message(self, born: Born) -> Message:
        """The message as it is stored."""
        given = self.message
        return Message(
            message_id=given.message_id,
            role=given.role,
            speaker=given.speaker,
            content=given.content,
            timestamp_ms=parse_rfc3339(given.timestamp),
            metadata=given.metadata,
            born=born,
            expires_ms=None if given.expires_at is None else parse_rfc3339(given.expires_at),
        )

    @model_validator(mode="after")
    def _lies_where_it_belongs(self) -> Self:
        said = f"{keys.message_time(parse_rfc3339(self.message.timestamp))}/"
        if not self.log_key.startswith(said) or not self.log_key.endswith(f"/{self.id_hash}"):
            raise ValueError(".logKey does not fit the timestamp and messageId")
        return self

    @property
    def id_hash(self) -> str:
        """What the message's identity is known by."""
        return keys.digest("id", self.message.message_id)


class MemoryLine(Line):
    """A memory as it is now; `vector` only where the export was asked for vectors."""

    type: Literal["memory"] = "memory"
    memory: UnitFields
    vector: VectorFields | None = None

    @property
    def scope(self) -> Scope:
        """Where the memory belongs."""
        return self.memory.scope

    @property
    def ident(self) -> tuple[str, ...]:
        """Equal for lines about one record."""
        return ("memory", self.scope.path, self.memory.id)


class HistoryLine(Line):
    """A memory as it was until somebody replaced it."""

    type: Literal["history"] = "history"
    memory: UnitFields
    actor: fields.Word
    replaced_at: fields.Time

    @property
    def scope(self) -> Scope:
        """Where the memory belongs."""
        return self.memory.scope

    @property
    def ident(self) -> tuple[str, ...]:
        """Equal for lines about one record."""
        return ("history", self.scope.path, self.memory.id, str(self.memory.version))


RecordLine = MessageLine | MemoryLine | HistoryLine
_ANY = TypeAdapter[StoreLine | RecordLine](Annotated[StoreLine | RecordLine, Field(discriminator="type")])
