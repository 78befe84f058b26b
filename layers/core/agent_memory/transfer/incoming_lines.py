"""The lines of an import, read as foreign input: each is taken as it stands, or refused with `LineError`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from agent_memory import keys
from agent_memory.invalid import first_problem
from agent_memory.ports import MAX_ITEM_BYTES
from agent_memory.requests.fields import MAX_MESSAGES
from agent_memory.scopes import Scope
from agent_memory.text import clean, utf8_size
from agent_memory.times import parse_rfc3339
from agent_memory.transfer import fields
from agent_memory.transfer.outgoing_lines import FORMAT
from agent_memory.transfer.unit_fields import STRICT, MessageFields, UnitFields, VectorFields
from agent_memory.values import WireValue

MAX_RECORD_BYTES = MAX_ITEM_BYTES - 16_384  # leaves room for key, vector and what the record says of the store
MAX_PROBLEM = 200
_PROBLEMS = {
    "json_invalid": "is not JSON",
    "string_unicode": "is not UTF-8",
    "union_tag_invalid": "type is none of store, message, memory, history",
    "union_tag_not_found": "type is required",
}


class LineError(ValueError):
    """What is wrong with a line, in words for who sent it."""


class StoreLine(WireValue):
    """The head of an export: the settings of the store, and what was asked for."""

    model_config = STRICT

    type: Literal["store"]
    format: Literal[1]
    exported_at: fields.Time
    asked: dict[str, Any]
    store: dict[str, Any]


class MessageLine(WireValue):
    """A message of a conversation, at its place in it."""

    model_config = STRICT

    type: Literal["message"]
    format: Literal[1]
    scope: Scope
    log_key: fields.LogKey
    message: MessageFields

    @property
    def id_hash(self) -> str:
        """What the message's identity is known by."""
        return keys.digest("id", self.message.message_id)

    @property
    def ident(self) -> tuple[str, ...]:
        """Equal for lines about the same record of a tenant."""
        return ("message", self.scope.path, self.message.message_id)

    @property
    def expires_at(self) -> str | None:
        """From when on nobody reads it."""
        return self.message.expires_at

    @model_validator(mode="after")
    def _lies_where_it_belongs(self) -> Self:
        behind = parse_rfc3339(self.message.timestamp) - keys.said_ms(self.log_key)
        if not 0 <= behind <= MAX_MESSAGES or not self.log_key.endswith(f"/{self.id_hash}"):
            raise ValueError(".logKey does not fit timestamp and messageId")
        return self


class MemoryLine(WireValue):
    """A memory as it is now; the vector is there only where the export was asked for vectors."""

    model_config = STRICT

    type: Literal["memory"]
    format: Literal[1]
    memory: UnitFields
    vector: VectorFields | None = None

    @property
    def scope(self) -> Scope:
        """The memory's own."""
        return self.memory.scope

    @property
    def ident(self) -> tuple[str, ...]:
        """Equal for lines about the same record of a tenant."""
        return ("memory", self.memory.id)

    @property
    def expires_at(self) -> str | None:
        """From when on nobody reads it."""
        return self.memory.expires_at

    def packed(self, model: str, dim: int) -> bytes:
        """The vector, if it is of that model and length."""
        if self.vector is None or self.vector.model != model:
            return b""
        packed = fields.unpack(self.vector.float16)
        return packed if len(packed) == 2 * dim else b""


class HistoryLine(WireValue):
    """A memory as it was until `actor` replaced it."""

    model_config = STRICT

    type: Literal["history"]
    format: Literal[1]
    memory: UnitFields
    actor: fields.Word
    replaced_at: fields.Time

    @property
    def scope(self) -> Scope:
        """The memory's own."""
        return self.memory.scope

    @property
    def ident(self) -> tuple[str, ...]:
        """Equal for lines about the same record of a tenant."""
        return ("history", self.memory.id, str(self.memory.version))

    @property
    def expires_at(self) -> str | None:
        """From when on nobody reads it."""
        return self.memory.expires_at


RecordLine = MessageLine | MemoryLine | HistoryLine
AnyLine = StoreLine | RecordLine
_ANY: TypeAdapter[AnyLine] = TypeAdapter(Annotated[AnyLine, Field(discriminator="type")])


def read_line(text: str) -> AnyLine:
    """The line of the text; LineError for anything that an export would not write."""
    try:
        line = _ANY.validate_json(text)
    except ValidationError as error:
        raise LineError(_problem(error)) from error
    if isinstance(line, StoreLine):
        return line
    record = line.message if isinstance(line, MessageLine) else line.memory
    if utf8_size(record.model_dump_json()) > MAX_RECORD_BYTES:
        raise LineError("is larger than a record may be")
    return line


def _problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    if first["loc"][1:] == ("format",):
        return f"format must be {FORMAT}, the only one that this version reads"
    known = _PROBLEMS.get(first["type"])
    if known is not None:
        return known
    field, problem = first_problem(error)
    _, _, field = field.partition(".")  # the type of the line comes first
    return clean(f"{field} {problem.replace('Tuple should', 'must')}".strip())[:MAX_PROBLEM]
