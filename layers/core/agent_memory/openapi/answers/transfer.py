"""Answers of export and import."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from agent_memory.openapi.answers.values import Count, NextToken


class Exported(TypedDict):
    """One page of lines, each with its end."""

    lines: str
    count: Count
    memoryStoreName: str
    nextToken: NotRequired[NextToken]


class RefusedLine(TypedDict):
    """A line of an import that was not taken."""

    line: Annotated[int, Field(ge=1)]
    message: str


class Imported(TypedDict):
    """What became of the lines."""

    imported: Count
    skipped: Count
    failed: list[RefusedLine]
    memoryStoreName: str
