"""The record of one AddMemories: what was asked, how far it is, what came out of it and what that cost."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from agent_memory.errors import LlmFailed
from agent_memory.language_model import Spent
from agent_memory.models import Born
from agent_memory.scopes import Scope
from agent_memory.times import format_ms
from agent_memory.values import Value

TaskStatus = Literal["queued", "running", "completed", "failed", "needs_reconcile"]
UNGROUNDED = ("words", "number", "name", "date", "polarity", "language")
"""Reasons for which a model's fact is refused because its evidence does not hold it."""

NOTHING_TO_STORE = "nothing_to_store"
STORED_BY_RULES = "stored_by_rules"  # since the language model failed; lastError says how
JUDGED_BY_RULES = "judged_by_rules"


class Outcome(Value):
    """What a task made: memories, repeats added to known ones, known ones that gave way, and what was not taken."""

    extracted: int = 0
    merged: int = 0
    superseded: int = 0
    refused: dict[str, int] = Field(default_factory=dict)

    def to_wire(self) -> dict[str, Any]:
        """The counts of the task object."""
        return {**self.model_dump(), "rejectedUngrounded": sum(self.refused.get(each, 0) for each in UNGROUNDED)}


class ModelSpending(Value):
    """What a task's attempts asked of a language model, failed ones included."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def to_wire(self) -> dict[str, Any]:
        """The costs of the task object."""
        return {"llmCalls": self.calls, "inputTokens": self.input_tokens, "outputTokens": self.output_tokens}

    def plus(self, spent: Spent) -> ModelSpending:
        """With what was spent since."""
        return ModelSpending(
            calls=self.calls + spent.calls,
            input_tokens=self.input_tokens + spent.input_tokens,
            output_tokens=self.output_tokens + spent.output_tokens,
        )


class Task(Value):
    """The record of one AddMemories: what it was given, how far it is, what came out of it.

    `told` has the places in the log of messages that were sent before, and the tasks that stored them.
    """

    request_id: str
    event_type: str = "ingest"
    scope: Scope
    status: TaskStatus
    accepted_messages: int
    log_keys: tuple[str, ...]
    told: dict[str, str] = Field(default_factory=dict)
    metadata: dict[str, str] = Field(default_factory=dict)
    infer: bool = True
    expires_ms: int | None = None
    born: Born = (1, 0)
    derived_unit_ids: tuple[str, ...] = ()
    path: str | None = None
    reason: str | None = None
    outcome: Outcome | None = None
    spent: ModelSpending | None = None
    last_error: str | None = None
    attempts: int = 0
    lease_until_ms: int = 0
    created_ms: int
    updated_ms: int
    finished_ms: int | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing will happen to the task by itself any more."""
        return self.status in ("completed", "failed", "needs_reconcile")

    def having_spent(self, spent: Spent | None) -> Task:
        """With the cost of calls that this attempt made."""
        return self if spent is None else self.model_copy(update={"spent": (self.spent or ModelSpending()).plus(spent)})

    def after_judging(self, spent: Spent, failure: LlmFailed | None) -> Task:
        """With the cost of the judge, and the note that the rules judged where it failed."""
        task = self.having_spent(spent)
        return task if failure is None else task.model_copy(update={"reason": task.reason or JUDGED_BY_RULES})

    def to_wire(self, store_name: str) -> dict[str, Any]:
        """The task object of the API, with what came of it and what it cost as far as that is known."""
        optional = {"path": self.path, "reason": self.reason, "lastError": self.last_error}
        leased = self.status == "running" and self.lease_until_ms > 0
        return {
            "requestId": self.request_id,
            "eventType": self.event_type,
            "memoryStoreName": store_name,
            "conversationKey": self.scope.path,
            "scope": self.scope.to_json(),
            "status": self.status,
            "acceptedMessages": self.accepted_messages,
            "derivedUnitIds": list(self.derived_unit_ids),
            "attempts": self.attempts,
            **({"leaseUntil": format_ms(self.lease_until_ms)} if leased else {}),
            **{name: value for name, value in optional.items() if value},
            **(self.outcome.to_wire() if self.outcome else {}),
            **(self.spent.to_wire() if self.spent else {}),
            "createdAt": format_ms(self.created_ms),
            "updatedAt": format_ms(self.updated_ms),
            **({"finishedAt": format_ms(self.finished_ms)} if self.finished_ms is not None else {}),
        }
