"""Answers about stores."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from agent_memory.openapi.answers.values import Instant, NextToken


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
    tokenVectors: NotRequired[bool]
    redaction: NotRequired[Literal["redact", "block"]]
    defaultTtlSeconds: NotRequired[Annotated[int, Field(ge=1)]]
    createdAt: Instant
    updatedAt: Instant


class Stores(TypedDict):
    """One page of stores."""

    stores: list[Store]
    nextToken: NotRequired[NextToken]


class DeletedStore(TypedDict):
    """The store that is gone."""

    deleted: bool
    memoryStoreName: str
