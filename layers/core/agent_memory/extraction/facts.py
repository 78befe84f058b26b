"""What a sentence claims of somebody, before it is a memory: whose it is, what it tells, and whether it still holds."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agent_memory.values import Value

Kind = Literal["preference", "profile", "relation", "task", "agreement", "event", "fact"]
State = Literal["planned", "doing", "done", "cancelled"]

IMPORTANCE: dict[Kind, tuple[int, int]] = {
    "preference": (6, 9),
    "profile": (7, 10),
    "relation": (6, 9),
    "task": (4, 7),
    "agreement": (6, 9),
    "event": (3, 6),
    "fact": (3, 7),
}
"""Lowest and highest importance of a kind."""


class Fact(Value):
    """One claim. `text` is a sentence of the evidence, or in its language; `owner` whom it is about.

    `attribute` names what can hold one value at a time ("residence", "ssh port", "likes coriander"), None where nothing
    can be contradicted by a later fact; `value` is what it holds, None where only `negated` or `state` tell two apart.
    """

    text: str = Field(min_length=1)
    kind: Kind
    owner: str = Field(min_length=1)
    attribute: str | None = None
    value: str | None = None
    negated: bool = False
    state: State | None = None
    importance: int = Field(ge=1, le=10)
