"""Answers about tasks and calls."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from agent_memory.models import TaskStatus
from agent_memory.openapi.answers.values import Count, Instant, Levels, NextToken


class Task(TypedDict):
    """What became of one AddMemories."""

    requestId: str
    eventType: str
    memoryStoreName: str
    conversationKey: str
    scope: Levels
    status: TaskStatus
    acceptedMessages: Count
    derivedUnitIds: Annotated[list[str], Field(description="The memories that came out of it.")]
    attempts: Count
    path: NotRequired[Annotated[str, Field(description="How memories were made of the messages.")]]
    reason: NotRequired[Annotated[str, Field(description="Why nothing came out of it.")]]
    lastError: NotRequired[str]
    createdAt: Instant
    updatedAt: Instant
    finishedAt: NotRequired[Instant]


class OneTask(TypedDict):
    """A task."""

    task: Task
    memoryStoreName: str


class Tasks(TypedDict):
    """One page of tasks."""

    tasks: list[Task]
    scope: Levels
    memoryStoreName: str
    nextToken: NotRequired[NextToken]


class Call(TypedDict):
    """One call of the service, without a word of what was said. A call that named no scope has an empty one."""

    requestId: str
    operation: str
    scope: dict[str, str]
    targetId: str
    responseStatus: int
    latencyMs: Count
    createdAt: Instant
    keyId: NotRequired[str]
    requestSummary: NotRequired[str]
    responseSummary: NotRequired[str]
    ingestStatus: NotRequired[TaskStatus]
    lastError: NotRequired[str]


class Calls(TypedDict):
    """One page of calls."""

    requests: list[Call]
    scope: Levels
    memoryStoreName: str
    nextToken: NotRequired[NextToken]
