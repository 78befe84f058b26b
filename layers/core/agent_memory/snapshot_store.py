"""The port behind which parts of the tenants' indexes are stored as objects, whole and immutable.

A table would do for what is read one by one; these are read all at once, megabytes each. An adapter keeps to the ports'
rules: `tests/contract/` runs the same tests on all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from agent_memory.errors import ServiceUnavailable


class SnapshotStore(Protocol):
    """Objects by name: `/` parts a name, each part has letters, digits and `-._` only.

    Raises ServerBusy or ServiceUnavailable where the place does not answer. What was written is read from everywhere.
    """

    def read(self, name: str) -> bytes | None:
        """The whole object; None where there is none. Never a part of what somebody is writing."""

    def write(self, name: str, data: bytes) -> None:
        """Durable when it returns. Nobody writes a name twice with other data."""

    def delete(self, names: Iterable[str]) -> None:
        """Any number; one that is not there is no error."""

    def names(self, prefix: str) -> list[str]:
        """All names below the folder `prefix`, which ends with `/`, in no order; also of half-written objects."""


class NoSnapshots:
    """A store without objects: every index is loaded from the table's records."""

    def read(self, name: str) -> bytes | None:  # noqa: ARG002 - the port's
        """Nothing."""
        return None

    def write(self, name: str, data: bytes) -> None:
        """Refused."""
        raise ServiceUnavailable(f"there is no bucket for {name} ({len(data)} bytes)")

    def delete(self, names: Iterable[str]) -> None:
        """There is nothing to delete."""

    def names(self, prefix: str) -> list[str]:  # noqa: ARG002 - the port's
        """None."""
        return []
