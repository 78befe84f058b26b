"""What a deleted scope hides, at once and for good, without a clock.

Every record of a tenant is `born` at (life of its store, generation of its tenant). Deleting a scope raises one of the
two and leaves a mark: records of the scope that were born before it are gone, whether or not the purge has reached
them. Who writes has read both numbers and writes on the condition that they still stand, so a job that was queued
before a delete cannot write afterwards, and what is written afterwards is not hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agent_memory.memory_store import MemoryStore
from agent_memory.models import Born
from agent_memory.ports import Item
from agent_memory.scopes import ANY, Scope

_GENERATIONS = 1 << 20


@dataclass(frozen=True, slots=True)
class Mark:
    """Records of the agent and run (`*` for any) that were born before this generation are gone."""

    agent_id: str
    run_id: str
    generation: int

    def covers(self, scope: Scope) -> bool:
        """Whether the mark speaks of the conversation."""
        return self.agent_id in (ANY, scope.agent_id) and self.run_id in (ANY, scope.run_id)


@dataclass(frozen=True, slots=True)
class Visibility:
    """The numbers as they stand for one tenant, and what is hidden."""

    life: int
    generation: int
    gone_apps: Mapping[str, int]
    marks: tuple[Mark, ...] = ()

    @property
    def born(self) -> Born:
        """What a record that is written now carries."""
        return (self.life, self.generation)

    @property
    def entry_version(self) -> int:
        """Version of a directory entry written now: a purge deletes older ones by their version, never a newer one."""
        return 1 + self.life * _GENERATIONS + self.generation

    def hides(self, scope: Scope, born: Born) -> bool:
        """Whether a record of the conversation is gone."""
        life, generation = born
        if life < self.gone_apps.get(scope.app_id, 0):
            return True
        return any(generation < mark.generation and mark.covers(scope) for mark in self.marks)


def visibility(store: MemoryStore, gone: Item | None) -> Visibility:
    """From the store's record and the tenant's `gone` record, which is missing until a first delete."""
    if gone is None:
        return Visibility(store.life, 0, store.gone_apps)
    marks = tuple(Mark(each["agentId"], each["runId"], each["generation"]) for each in gone.body["marks"])
    return Visibility(store.life, gone.version, store.gone_apps, marks)
