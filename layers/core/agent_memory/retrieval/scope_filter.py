"""The scope filter: conditions on the fields of a conversation's scope (spec of the API, "Scope filter")."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agent_memory.retrieval.filter_grammar import Condition, Filter, Vocabulary, parse_filter, tester

ScopeFilter = Filter

_FIELD = re.compile("[A-Za-z][A-Za-z0-9_]{0,63}")


def _field(name: str) -> str:
    if not _FIELD.fullmatch(name):
        raise ValueError(f"must match ^{_FIELD.pattern}$")
    return name


_SCOPES = Vocabulary(
    root="filter",
    operators=("and", "or", "not", "eq", "prefix", "wildcard", "in", "range", "exists"),
    field=_field,
    value=str,
)


def parse(node: object) -> ScopeFilter:
    """The filter of a JSON value; raises InvalidParameter naming the place, such as `filter.conditions[1].value`."""
    return parse_filter(node, _SCOPES)


def matches(scope_filter: ScopeFilter, fields: Mapping[str, str]) -> bool:
    """Whether a scope with these fields passes."""
    if isinstance(scope_filter, Condition):
        have = fields.get(scope_filter.field)
        return have is not None and tester(scope_filter)(have)
    results = (matches(part, fields) for part in scope_filter.parts)
    if scope_filter.op == "not":
        return not next(results)
    return all(results) if scope_filter.op == "and" else any(results)


def scope_fields(scope: tuple[str, str, str, str]) -> dict[str, str]:
    """The fields that a filter sees of a conversation's scope."""
    app, tenant, agent, run = scope
    return {
        "appId": app,
        "tenantId": tenant,
        "agentId": agent,
        "runId": run,
        "scopeKey": "/".join(scope),
        "scopeType": "conversation",
    }
