"""From the messages of a request to the messages to store: identity, speaker, time. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from agent_memory import keys
from agent_memory.errors import InvalidParameter
from agent_memory.models import Message
from agent_memory.requests.memories import AddMemoriesRequest, MessageInput
from agent_memory.text import normalised
from agent_memory.times import offset_minutes, parse_rfc3339


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message with what decides whether it was stored before.

    `id_hash` is of its messageId, which follows from role, speaker, normalised text and its own time, if it has one,
    where the client gave none;
    `content_hash` tells a repeat of a given id from another message under the same id. `filed_ms` is the time by which
    the message is filed: its own, or the call's for all that have none.
    """

    message: Message
    filed_ms: int
    id_hash: str
    content_hash: str
    names_itself: bool
    position: int

    def contradicts(self, stored_hash: str) -> bool:
        """Whether the client uses an id that was stored with other content."""
        return self.names_itself and self.content_hash != stored_hash


def incoming_messages(request: AddMemoriesRequest, now_ms: int) -> list[Incoming]:
    """The request's messages in order (its text last, as one of the user), each identity once.

    Messages without a time show the call's, a millisecond apart, so that readers that sort by time keep their order.
    InvalidParameter when two messages of the request share a messageId and differ.
    """
    default_ms = parse_rfc3339(request.reference_time) if request.reference_time else now_ms
    inputs = list(request.messages or [])
    if request.text:
        inputs.append(MessageInput(role="user", content=request.text))
    by_id: dict[str, Incoming] = {}
    untimed = 0
    for position, given in enumerate(inputs):
        incoming = _incoming(given, position, request.reference_time or "", default_ms, untimed)
        untimed += given.timestamp is None
        earlier = by_id.setdefault(incoming.id_hash, incoming)
        if incoming.contradicts(earlier.content_hash):
            raise InvalidParameter(f"messages[{position}].messageId", "is used twice with different content")
    return list(by_id.values())


def _incoming(given: MessageInput, position: int, reference: str, default_ms: int, untimed: int) -> Incoming:
    filed_ms = parse_rfc3339(given.timestamp) if given.timestamp else default_ms
    speaker = given.speaker or given.role
    said_at = (str(filed_ms),) if given.timestamp else ()
    message_id = given.message_id or keys.digest("text", given.role, speaker, normalised(given.content), *said_at)
    message = Message(
        message_id=message_id,
        role=given.role,
        speaker=speaker,
        content=given.content,
        timestamp_ms=filed_ms if given.timestamp else default_ms + untimed,
        offset_minutes=offset_minutes(given.timestamp or reference) or None,
        metadata=given.metadata,
    )
    return Incoming(
        message=message,
        filed_ms=filed_ms,
        id_hash=keys.digest("id", message_id),
        content_hash=keys.digest("content", given.role, given.content),
        names_itself=given.message_id is not None,
        position=position,
    )
