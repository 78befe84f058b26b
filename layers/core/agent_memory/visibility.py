"""What a deleted scope hides, at once and for good, without a clock.

Every record of a tenant is `born` at (life of its store, generation of its tenant). Deleting a scope raises one of the
two and leaves a mark: records of the scope that were born before it are gone, whether or not the purge has reached
them. Who writes has read both numbers and writes on the condition that they still stand, so a job that was queued
before a delete cannot write afterwards, and what is written afterwards is not hidden.

Marks do not pile up: a wider or newer one takes the place of those it covers, the purge takes its own away once nothing
older is left, and MAX_MARKS bounds those that wait for their purge. The two numbers stay, and never fall.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent_memory.memory_store import MemoryStore
from agent_memory.models import Born
from agent_memory.ports import Item
from agent_memory.scopes import ANY, Scope

MAX_MARKS = 200  # of a tenant or, for applications, of a store: some 60 KB that every reader fetches
_GENERATIONS = 1 << 20
_REWRITES = 1 << 10

Covered = tuple[str, str]  # agent and run, `*` for any


@dataclass(frozen=True, slots=True)
class Visibility:
    """The numbers as they stand for one tenant, and what is hidden.

    `marks` gives the generation before which records of an agent and run are gone. `purged` is the newest generation
    whose mark was taken away again.
    """

    life: int
    generation: int
    gone_apps: Mapping[str, int]
    marks: Mapping[Covered, int] = field(default_factory=dict)
    purged: int = 0

    @property
    def born(self) -> Born:
        """What a record that is written now carries."""
        return (self.life, self.generation)

    @property
    def entry_version(self) -> int:
        """Version of a record written now where none is."""
        return first_version(self.born)

    def hides(self, scope: Scope, born: Born) -> bool:
        """Whether a record of the conversation is gone."""
        life, generation = born
        if life < self.gone_apps.get(scope.app_id, 0):
            return True
        marks = self.marks
        return bool(marks) and any(generation < marks.get(name, 0) for name in _names(scope.agent_id, scope.run_id))

    def hides_more_than(self, seen: Visibility) -> bool:
        """Whether something may be gone that a reader who knew `seen` was still shown."""
        newest = max(self.marks.values(), default=0)
        return self.life != seen.life or max(newest, self.purged) > seen.generation

    def may_have_forgotten(self, seen: Born) -> bool:
        """Whether a mark that a reader of that time did not know may be gone again: then only records tell."""
        return self.life != seen[0] or self.purged > seen[1]

    def hides_some_of(self, app_id: str, seen: Born) -> bool:
        """Whether something of the application that a reader of that time was shown may be gone."""
        newest = max(self.marks.values(), default=0)
        return seen[0] < self.gone_apps.get(app_id, 0) or seen[1] < max(newest, self.purged)


def visibility(store: MemoryStore, gone: Item | None) -> Visibility:
    """From the store's record and the tenant's `gone` record, which is missing until a first delete."""
    if gone is None:
        return Visibility(store.life, 0, store.gone_apps)
    marks = {(each["agentId"], each["runId"]): each["generation"] for each in gone.body["marks"]}
    return Visibility(store.life, gone.version, store.gone_apps, marks, gone.body.get("purged", 0))


def first_version(born: Born) -> int:
    """Version of a record that is written where none is.

    It grows with the birth, so whoever deletes the version it has seen never deletes what was written after a later
    delete of the scope, even where the record was gone in between.
    """
    life, generation = born
    return 1 + (life * _GENERATIONS + generation) * _REWRITES


def next_version(stored: Item | None, born: Born) -> int:
    """Version of a record that takes the place of the stored one, if there is one."""
    return max(first_version(born), stored.version + 1 if stored else 0)


def marked(visible: Visibility, agent: str, run: str) -> dict[str, Any]:
    """Body of the tenant's `gone` record of the next generation, in which all that the two levels cover is gone."""
    covered = {name for name in visible.marks if agent in (ANY, name[0]) and run in (ANY, name[1])}
    kept = {name: generation for name, generation in visible.marks.items() if name not in covered}
    return _body({**kept, (agent, run): visible.generation + 1}, visible.purged)


def unmarked(visible: Visibility, agent: str, run: str, generation: int) -> dict[str, Any]:
    """Body of the next generation's `gone` record once nothing older than this mark is left; a newer mark stays."""
    kept = {name: each for name, each in visible.marks.items() if (name, each) != ((agent, run), generation)}
    return _body(kept, max(visible.purged, generation))


def unchanged(visible: Visibility) -> dict[str, Any]:
    """Body of the next generation's `gone` record in which nothing else is hidden."""
    return _body(visible.marks, visible.purged)


def _body(marks: Mapping[Covered, int], purged: int) -> dict[str, Any]:
    listed = [{"agentId": agent, "runId": run, "generation": each} for (agent, run), each in marks.items()]
    return {"marks": listed, "purged": purged}


def _names(agent: str, run: str) -> tuple[Covered, ...]:
    return ((ANY, ANY), (agent, ANY), (agent, run))
