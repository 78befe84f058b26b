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


class Results(TypedDict):
    """Memories, best first."""

    results: list[Hit]
    fileResults: NotRequired[list[dict[str, Any]]]
    evidence: NotRequired[list[Evidence]]
    scope: Levels
    memoryStoreName: str
    nextToken: NotRequired[NextToken]
