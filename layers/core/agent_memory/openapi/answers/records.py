"""Answers about tasks and calls."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from agent_memory.memory_task import TaskStatus
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
    leaseUntil: NotRequired[Annotated[Instant, Field(description="Until when a worker has it; another one may then.")]]
    path: NotRequired[Annotated[Literal["llm", "rules", "verbatim"], Field(description="How memories were made.")]]
    reason: NotRequired[
        Annotated[
            Literal["nothing_to_store", "stored_by_rules", "judged_by_rules"],
            Field(description="Why nothing came of it, or why rules did what the language model failed at."),
        ]
    ]
    extracted: NotRequired[Annotated[Count, Field(description="Memories that were found.")]]
    merged: NotRequired[Annotated[Count, Field(description="Of these, repeats of known ones.")]]
    superseded: NotRequired[Annotated[Count, Field(description="Known memories that gave way to new ones.")]]
    refused: NotRequired[Annotated[dict[str, Count], Field(description="What was found and not kept, by reason.")]]
    rejectedUngrounded: NotRequired[
        Annotated[Count, Field(description="Of these, facts of the language model that no message says.")]
    ]
    llmCalls: NotRequired[Count]
    inputTokens: NotRequired[Count]
    outputTokens: NotRequired[Count]
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
