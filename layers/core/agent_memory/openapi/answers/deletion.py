"""Answers of what forgets scopes and messages."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from agent_memory.openapi.answers.values import Count, Levels


class ScopeDeletion(TypedDict):
    """What is out of sight from now on, and the task that removes it."""

    requestId: str
    status: str
    scope: Levels
    memoryStoreName: str


class MessageDeletion(TypedDict):
    """What became of the messages; there is a task where one was found."""

    requestId: NotRequired[str]
    status: Literal["accepted", "completed"]
    deleted: Count
    notFound: Annotated[list[str], Field(description="The ids of no message.")]
    scope: Levels
    memoryStoreName: str
