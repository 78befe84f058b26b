"""The answer of a search."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from agent_memory.openapi.answers.memories import MemoryUnit
from agent_memory.openapi.answers.values import Instant, Levels, NextToken, Ratio


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
    scores: NotRequired[
        Annotated[dict[str, float], Field(description="What each part of the ranking said; with includeScores.")]
    ]


class EvidenceUnit(TypedDict):
    """A message, shortened to 1,200 characters."""

    id: str
    text: Annotated[str, Field(max_length=1_200)]
    scope: Levels
    created_at: Instant


class Evidence(TypedDict):
    """The message behind a result, or one beside it. In order of time, conversation by conversation."""

    unit: EvidenceUnit
    score: Annotated[Ratio, Field(description="Of the best result that it stands behind.")]
    source: str
    neighbour: NotRequired[Annotated[bool, Field(description="Said just before or after such a message.")]]


class SearchWarning(TypedDict):
    """A model did not answer, so the order is less good than it could be: EMBEDDER_FAILED or RERANKER_FAILED."""

    code: str
    message: str


class Results(TypedDict):
    """Memories, best first."""

    results: list[Hit]
    fileResults: NotRequired[list[dict[str, Any]]]
    evidence: NotRequired[list[Evidence]]
    warnings: NotRequired[list[SearchWarning]]
    scope: Levels
    memoryStoreName: str
    nextToken: NotRequired[NextToken]
