"""Lines of an import as the store's policy about secrets takes them. Pure."""

from __future__ import annotations

from agent_memory.errors import InvalidParameter
from agent_memory.redaction.policy import Gate, Redaction
from agent_memory.transfer.incoming_lines import LineError, MessageLine, RecordLine
from agent_memory.transfer.unit_fields import MessageFields, UnitFields

TEXTS = ("text", "search_text", "title", "speaker", "subject", "attribute", "value")


def admitted_line(line: RecordLine, policy: Redaction) -> RecordLine:
    """The line with its texts redacted; LineError for one that the store refuses.

    A memory whose words changed has no vector any more, for it was made of the secret.
    """
    gate = Gate(policy)
    if gate.is_open:
        return line
    try:
        return _admitted(gate, line)
    except InvalidParameter as error:
        raise LineError(error.message) from error


def _admitted(gate: Gate, line: RecordLine) -> RecordLine:
    if isinstance(line, MessageLine):
        return line.model_copy(update={"message": _message(gate, line.message)})
    unit = _unit(gate, line.memory)
    changes: dict[str, object] = {"memory": unit}
    if unit.search_text != line.memory.search_text:
        changes["vector"] = None
    return line.model_copy(update={name: value for name, value in changes.items() if name in type(line).model_fields})


def _message(gate: Gate, given: MessageFields) -> MessageFields:
    gate.name("message.messageId", given.message_id)
    changes = {
        "content": gate.text("message.content", given.content),
        "speaker": gate.text("message.speaker", given.speaker),
        "metadata": gate.words("message.metadata", given.metadata),
    }
    return given.model_copy(update=changes)


def _unit(gate: Gate, given: UnitFields) -> UnitFields:
    texts = {
        name: gate.text(f"memory.{name}", value) for name in TEXTS if isinstance(value := getattr(given, name), str)
    }
    keywords = tuple(gate.text("memory.keywords", each) for each in given.keywords)
    metadata = gate.words("memory.metadata", given.metadata)
    return given.model_copy(update={**texts, "keywords": keywords, "metadata": metadata})
