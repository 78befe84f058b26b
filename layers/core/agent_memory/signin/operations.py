"""What each operation does and where its request says what it touches: the one table that limits are checked by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from agent_memory.signin.limits import Access

# stores: names none, and the use case leaves out those that the caller may not use.
# store: the store as a whole. A key limited to scopes may read its settings and change nothing.
# scope: every scope given must lie inside the limits, and a key limited to scopes must give one.
# records: the same, but a scope may be missing, as records are named by their id or come with the request: the use
#          case asks `Caller.may_see` for the scope of each, and answers 404 for those that are not the caller's.
About = Literal["stores", "store", "scope", "records"]


@dataclass(frozen=True, slots=True)
class Rule:
    """How an operation is limited; `scope_fields` are the fields of its request model that hold scopes."""

    access: Access
    about: About
    scope_fields: tuple[str, ...] = ("scope",)


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "CreateMemoryStore": Rule("writes", "store"),
        "GetMemoryStore": Rule("reads", "store"),
        "ListMemoryStores": Rule("reads", "stores"),
        "UpdateMemoryStore": Rule("writes", "store"),
        "DeleteMemoryStore": Rule("writes", "store"),
        "AddMemories": Rule("writes", "scope"),
        "SearchMemories": Rule("reads", "scope", ("scope", "context_scope")),
        "ListMemories": Rule("reads", "scope"),
        "GetMemory": Rule("reads", "records"),
        "UpdateMemory": Rule("writes", "records"),
        "DeleteMemory": Rule("writes", "records"),
        "ListMemoryStoreMessages": Rule("reads", "scope"),
        "ListMemoryStoreRequests": Rule("reads", "scope"),
        "GetMemoryTask": Rule("reads", "records"),
        "ListMemoryTasks": Rule("reads", "scope"),
        "ListMemoryStoreScopes": Rule("reads", "scope"),
        "CreateMemoryDreamTask": Rule("writes", "scope", ("scopes", "output_scope")),
        "GetMemoryDreamTask": Rule("reads", "records"),
        "ListMemoryDreamTasks": Rule("reads", "scope"),
        "CancelMemoryDreamTask": Rule("writes", "records"),
        "ListMemoryDreamActions": Rule("reads", "records", ("scope", "target_scope")),
        "ApplyMemoryDreamActions": Rule("writes", "records"),
        # Beyond the official API.
        "DeleteScope": Rule("writes", "scope"),
        "DeleteMessages": Rule("writes", "scope"),
        "GetMemoryHistory": Rule("reads", "records"),
        "RetryMemoryTask": Rule("writes", "records"),
        "ExportMemoryStore": Rule("reads", "scope"),
        "ImportMemories": Rule("writes", "records"),
    }
)
