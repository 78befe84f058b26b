"""Whether a caller may do what a request asks, decided before anything is read from the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent_memory.errors import PermissionDenied
from agent_memory.requests.fields import Request
from agent_memory.scopes import ANY
from agent_memory.signin.caller import Caller
from agent_memory.signin.limits import NO_LIMITS
from agent_memory.signin.operations import RULES, About

LEVELS = ("appId", "tenantId", "agentId", "runId")

Reach = Sequence[str]  # the four levels of a scope or of a pattern


def check_request(caller: Caller, operation: str, request: Request) -> None:
    """Raises PermissionDenied where the request goes, or may go, outside the limits of the caller's key."""
    rule = RULES.get(operation)
    given = [getattr(request, name, None) for name in rule.scope_fields] if rule else []
    check(caller, operation, getattr(request, "memory_store_name", None), reaches(given))


def check(caller: Caller, operation: str, store: str | None, scopes: Iterable[Reach]) -> None:
    """As `check_request`, for a store and the scopes that the call names; an operation without a rule needs a free key.

    A pattern that reaches beyond the limits is refused, even if nothing lies there.
    """
    limits = caller.limits
    if limits == NO_LIMITS:
        return
    rule = RULES.get(operation)
    if rule is None or not limits.allows_operation(operation, rule.access):
        raise PermissionDenied(f"this key may not call {operation}")
    if store is not None and not limits.allows_store(store):
        raise PermissionDenied(f"this key may not use the memory store {store!r}")
    asked = list(scopes)
    if not all(limits.allows_scope(levels) for levels in asked):
        raise PermissionDenied("this key may not reach the whole scope; name the appId and tenantId that it is for")
    if limits.scopes and not asked and not _works_without_scope(rule.about, rule.access):
        raise PermissionDenied(f"this key is limited to scopes, and {operation} without a scope reaches beyond them")


def reaches(value: Any) -> list[Reach]:
    """The levels of every scope in a field: a parsed scope or pattern, the JSON object of one, a list, or nothing.

    Prefer parsed ones: in a JSON object a level that is missing, or is no text, counts as any.
    """
    if value is None:
        return []
    if isinstance(value, Mapping):
        levels = [value.get(name) for name in LEVELS]
        return [[level if isinstance(level, str) and level else ANY for level in levels]]
    if isinstance(value, list | tuple):
        return [levels for each in value for levels in reaches(each)]
    return [value.levels]


def _works_without_scope(about: About, access: str) -> bool:
    return about in ("stores", "records") or (about == "store" and access == "reads")
