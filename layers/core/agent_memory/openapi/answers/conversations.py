"""Answers about what was said, and where."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from agent_memory.openapi.answers.values import Count, Instant, Levels, NextToken


class Added(TypedDict):
    """What was accepted. `requestId` is the task's; the two counts come with `sync`."""

    requestId: str
    status: str
    acceptedMessages: Count
    duplicateMessages: Count
    scope: Levels
    memoryStoreName: str
    memcellsCreated: NotRequired[Count]
    unitsCreated: NotRequired[Count]


class Message(TypedDict):
    """One message of a conversation."""

    messageId: str
    role: str
    speaker: str
    content: str
    timestamp: Instant
    metadata: dict[str, str]
    expiresAt: NotRequired[Instant]


class Session(TypedDict):
    """One page of a conversation."""

    scope: Levels
    messages: list[Message]
    nextToken: NotRequired[str]


class Messages(TypedDict):
    """One page of a conversation; its nextToken stands in two places."""

    session: Session
    memoryStoreName: str
    nextToken: NotRequired[NextToken]


class Scopes(TypedDict):
    """One page of conversations."""

    scopes: list[Levels]
    scope: Levels
    memoryStoreName: str
    nextToken: NotRequired[NextToken]
