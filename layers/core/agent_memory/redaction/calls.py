"""Requests as the store's policy takes them. Pure."""

from __future__ import annotations

from agent_memory.models import LEVELS
from agent_memory.redaction.policy import Gate, Redaction, tightest
from agent_memory.requests.memories import AddMemoriesRequest, MessageInput
from agent_memory.requests.units import UpdateMemoryRequest


def admitted_add(request: AddMemoriesRequest, policy: Redaction) -> AddMemoriesRequest:
    """What may be stored of the call; InvalidParameter for what may not, with nothing written."""
    gate = Gate(tightest(policy, request.redaction))
    if gate.is_open:
        return request
    for level, name in zip(LEVELS, request.scope.levels, strict=True):
        gate.name(f"scope.{level}", name)
    messages = [_message(gate, f"messages[{place}]", each) for place, each in enumerate(request.messages or [])]
    changes = {
        "messages": messages if request.messages is not None else None,
        "text": gate.text("text", request.text) if request.text else request.text,
        "metadata": gate.words("metadata", request.metadata),
    }
    return request.model_copy(update=changes)


def _message(gate: Gate, place: str, given: MessageInput) -> MessageInput:
    gate.name(f"{place}.messageId", given.message_id or "")
    gate.name(f"{place}.role", given.role)
    changes = {
        "content": gate.text(f"{place}.content", given.content),
        "speaker": gate.text(f"{place}.speaker", given.speaker) if given.speaker else given.speaker,
        "metadata": gate.words(f"{place}.metadata", given.metadata),
    }
    return given.model_copy(update=changes)


def admitted_patch(request: UpdateMemoryRequest, policy: Redaction) -> UpdateMemoryRequest:
    """The same for a patch of a memory."""
    gate = Gate(policy)
    if gate.is_open:
        return request
    metadata = request.metadata
    changes = {
        "text": gate.text("text", request.text) if request.text else request.text,
        "title": gate.text("title", request.title) if request.title else request.title,
        "keywords": [gate.text("keywords", each) for each in request.keywords]
        if request.keywords
        else request.keywords,
        "metadata": metadata
        and {
            gate.name("metadata key", key): value if value is None else gate.named("metadata value", key, value)
            for key, value in metadata.items()
        },
    }
    return request.model_copy(update=changes)
