"""The four-level scope: exact where something is written, a pattern where something is read.

Source: spec of the API, "Scope". A level is at most 128 bytes of UTF-8 without `/` and control characters; `*` is a
whole level and stands only where reading may widen, and then for every level after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema, model_validator

from agent_memory.text import has_control_characters, utf8_size
from agent_memory.values import WireValue

DEFAULT_LEVEL = "__default__"
ANY = "*"
MAX_LEVEL_BYTES = 128


def _checked(level: str) -> str:
    if "/" in level or has_control_characters(level):
        raise ValueError("must not contain '/' or control characters")
    if utf8_size(level) > MAX_LEVEL_BYTES:
        raise ValueError(f"must be at most {MAX_LEVEL_BYTES} bytes of UTF-8")
    return level


def _concrete(level: str) -> str:
    if level == ANY:
        raise ValueError("must not be '*' here")
    return _checked(level)


def _named(level: str) -> str:
    if not level:
        raise ValueError("is required")
    return _concrete(level)


def _or_default(value: Any) -> Any:
    return DEFAULT_LEVEL if value in (None, "") else value


def _or_nothing(value: Any) -> Any:
    return "" if value is None else value


def _or_any(value: Any) -> Any:
    return ANY if value in (None, "") else value


def _shown(**schema: Any) -> WithJsonSchema:
    """How the API's document shows a level."""
    words = f"At most {MAX_LEVEL_BYTES} bytes of UTF-8, without `/` and control characters."
    form = {"maxLength": MAX_LEVEL_BYTES, "pattern": "^[^/\\u0000-\\u001f\\u007f-\\u009f]*$"}
    return WithJsonSchema({"type": "string", **form, "description": words, **schema})


_NOT_ANY = {"not": {"const": ANY}}
Required = Annotated[str, BeforeValidator(_or_nothing), AfterValidator(_named), _shown(minLength=1, **_NOT_ANY)]
Defaulted = Annotated[str, BeforeValidator(_or_default), AfterValidator(_concrete), _shown(**_NOT_ANY)]
Widened = Annotated[str, BeforeValidator(_or_any), AfterValidator(_checked), _shown()]


class Scope(WireValue):
    """One conversation: application, tenant, agent, run. Empty levels after the first become `__default__`."""

    app_id: Required
    tenant_id: Defaulted = DEFAULT_LEVEL
    agent_id: Defaulted = DEFAULT_LEVEL
    run_id: Defaulted = DEFAULT_LEVEL

    @property
    def levels(self) -> tuple[str, str, str, str]:
        """The four levels, widest first."""
        return (self.app_id, self.tenant_id, self.agent_id, self.run_id)

    @property
    def path(self) -> str:
        """The canonical text `app/tenant/agent/run` (`conversation_key`)."""
        return "/".join(self.levels)


class ExactScope(Scope):
    """A scope of which the caller must name all four levels."""

    tenant_id: Required
    agent_id: Required
    run_id: Required


class ScopePattern(WireValue):
    """A scope to read from: an omitted, empty or `*` level means any, and so does every level after it."""

    app_id: Widened = ANY
    tenant_id: Widened = ANY
    agent_id: Widened = ANY
    run_id: Widened = ANY

    @property
    def levels(self) -> tuple[str, str, str, str]:
        """The four levels, widest first; `*` for any."""
        return (self.app_id, self.tenant_id, self.agent_id, self.run_id)

    def matches(self, scope: Scope | ScopePattern) -> bool:
        """Whether the scope, or all that another pattern matches, lies inside the pattern."""
        return all(mine in (ANY, theirs) for mine, theirs in zip(self.levels, scope.levels, strict=True))

    @model_validator(mode="after")
    def _only_widens_to_the_right(self) -> Self:
        names = ("appId", "tenantId", "agentId", "runId")
        for name, before, level in zip(names[1:], self.levels, self.levels[1:], strict=False):
            if before == ANY and level != ANY:
                raise ValueError(f".{name} must be '*' or omitted after a level that is '*' or omitted")
        return self


class SearchScope(ScopePattern):
    """The scope of a search: application and tenant are named, agent and run may be any."""

    app_id: Required
    tenant_id: Required


class ListScope(ScopePattern):
    """The scope of a listing: an omitted or empty level is `__default__`, behind a `*` it is `*` as well."""

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, levels: Any) -> Any:
        if not isinstance(levels, Mapping):
            return levels
        filled, before = dict(levels), ""
        for name in ("appId", "tenantId", "agentId", "runId"):
            if filled.get(name) in (None, ""):
                filled[name] = ANY if before == ANY else DEFAULT_LEVEL
            before = filled[name]
        return filled
