"""The objects in answers, as JSON Schema is made from them. What is NotRequired is left out where it is not set."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import NotRequired, TypedDict

from agent_memory.models import TaskStatus, TimePrecision

Instant = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Count = Annotated[int, Field(ge=0)]
Ratio = Annotated[float, Field(ge=0, le=1)]


class Levels(TypedDict):
    """The four levels of a scope, defaults filled in; `*` is any."""

    appId: str
    tenantId: str
    agentId: str
    runId: str


class Store(TypedDict):
    """A memory store and its settings."""

    otsInstance: str
    memoryStoreName: str
    storeUid: str
    description: NotRequired[str]
    extractInstructions: NotRequired[str]
    inputType: str
    outputTypes: list[str]
    storageMode: NotRequired[str]
    wikiReflectionEnabled: bool
    defaultTtlSeconds: NotRequired[Annotated[int, Field(ge=1)]]
    createdAt: Instant
    updatedAt: Instant


class TurnRef(TypedDict):
    """A message that a memory comes from."""

    messageId: str
    timestampMs: int


class MemoryUnit(TypedDict):
    """One memory. `created_at` is when it was said, `updated_at` when it was written, `effective_at` when it happened."""

    id: str
    conversation_key: Annotated[str, Field(description="`app/tenant/agent/run`")]
    scope: Levels
    unit_type: str
    text: str
    search_text: str
    title: NotRequired[str]
    keywords: list[str]
    speaker: NotRequired[str]
    language: NotRequired[str]
    effective_at: Annotated[
        str, Field(description="As precise as `time_precision` says: `2026`, `2026-05`, and so on.")
    ]
    time_precision: TimePrecision
    time_source: Annotated[str, Field(description="How `effective_at` was found.")]
    salience: Ratio
    importance: NotRequired[Annotated[int, Field(ge=1, le=10)]]
    layer: NotRequired[Literal["user", "agent"]]
    kind: NotRequired[str]
    metadata: dict[str, str]
    source_turn_refs: list[TurnRef]
    seen_count: Annotated[int, Field(ge=1)]
    created_at: Instant
    updated_at: Instant
    valid_from: NotRequired[str]
    valid_to: NotRequired[str]
    superseded_by: NotRequired[str]
    retired_at: NotRequired[Instant]
    embedding_model: NotRequired[str]
    expires_at: NotRequired[Instant]
    version: Annotated[int, Field(ge=1)]


class RankingSignals(TypedDict):
    """Why a memory of the same conversation stands higher; only with contextScope."""

    sameSession: bool
    sessionAffinityWeight: float


class Hit(TypedDict):
    """A memory that was found. `score` orders the results, `similarity` is the cosine of the embeddings."""

    unit: MemoryUnit
    score: Ratio
    similarity: NotRequired[Ratio]
    rankingScore: NotRequired[float]
    rankingSignals: NotRequired[RankingSignals]
    source: Annotated[str, Field(description="Which retriever found it, such as `hybrid`; more may come.")]


class EvidenceUnit(TypedDict):
    """The message behind a result, shortened to 1,200 characters."""

    id: str
    text: Annotated[str, Field(max_length=1_200)]
    scope: Levels
    created_at: Instant


class Evidence(TypedDict):
    """One entry of the evidence."""

    unit: EvidenceUnit
    score: Ratio
    source: str


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
