"""What a key may touch. Pure values; an empty list means no limit of that kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from agent_memory.scopes import Required
from agent_memory.values import Value

MAX_LISTED = 100  # of each kind, so that a record stays small enough to be read with every call

Access = Literal["reads", "writes"]


class ScopeLimit(Value):
    """A prefix of scopes: all of an application, or one of its tenants."""

    app_id: Required
    tenant_id: Required | None = None

    def holds(self, levels: Sequence[str]) -> bool:
        """Whether a scope or pattern (its four levels) lies inside; `*` where this limit names a level reaches out."""
        return levels[0] == self.app_id and self.tenant_id in (None, levels[1])


class Limits(Value):
    """The rights of a key. `operations` are names of the API; `read_only` leaves of them those that change nothing."""

    stores: Annotated[tuple[str, ...], Field(max_length=MAX_LISTED)] = ()
    scopes: Annotated[tuple[ScopeLimit, ...], Field(max_length=MAX_LISTED)] = ()
    operations: Annotated[tuple[str, ...], Field(max_length=MAX_LISTED)] = ()
    read_only: bool = False

    def allows_store(self, name: str) -> bool:
        """Whether the store may be used."""
        return not self.stores or name in self.stores

    def allows_scope(self, levels: Sequence[str]) -> bool:
        """Whether all that a scope or pattern (its four levels) matches may be used."""
        return not self.scopes or any(limit.holds(levels) for limit in self.scopes)

    def allows_operation(self, name: str, access: Access) -> bool:
        """Whether the operation may be called."""
        return (not self.operations or name in self.operations) and not (self.read_only and access == "writes")

    def to_wire(self) -> dict[str, Any]:
        """The limits as they are shown, those that limit nothing left out."""
        scopes = ["/".join(filter(None, (limit.app_id, limit.tenant_id))) for limit in self.scopes]
        listed = {"stores": list(self.stores), "scopes": scopes, "operations": list(self.operations)}
        shown: dict[str, Any] = {name: values for name, values in listed.items() if values}
        return {**shown, "readOnly": True} if self.read_only else shown


NO_LIMITS = Limits()
