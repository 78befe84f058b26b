"""The policy that a person must edit: what every live operation does and how it is limited.

A new operation fails here until somebody writes down what it is; the rules of the service must say the same.
"""

from __future__ import annotations

import pytest

from agent_memory.local.functions import load_routes
from agent_memory.signin.operations import RULES

POLICY = {
    "AddMemories": ("writes", "scope"),
    "CreateMemoryStore": ("writes", "store"),
    "DeleteMemoryStore": ("writes", "store"),
    "GetMemoryStore": ("reads", "store"),
    "GetMemoryTask": ("reads", "records"),
    "ListMemoryStoreMessages": ("reads", "scope"),
    "ListMemoryStoreScopes": ("reads", "scope"),
    "ListMemoryStores": ("reads", "stores"),
    "SearchMemories": ("reads", "scope"),
    "ListMemories": ("reads", "scope"),
    "GetMemory": ("reads", "records"),
    "UpdateMemory": ("writes", "records"),
    "DeleteMemory": ("writes", "records"),
    "GetMemoryHistory": ("reads", "records"),
    "DeleteScope": ("writes", "scope"),
    "DeleteMessages": ("writes", "scope"),
    "ListMemoryStoreRequests": ("reads", "scope"),
    "ListMemoryTasks": ("reads", "scope"),
    "RetryMemoryTask": ("writes", "records"),
    "ExportMemoryStore": ("reads", "scope"),
    "ImportMemories": ("writes", "records"),
    "UpdateMemoryStore": ("writes", "store"),
}
READING = ("Get", "List", "Search", "Export")


@pytest.fixture(scope="module")
def routes():
    return load_routes()


def test_the_live_operations_are_those_of_the_policy(routes):
    """Every route is in the list, and nothing else."""
    assert sorted(routes) == sorted(POLICY)


def test_the_rules_say_what_the_policy_says():
    """Reads or writes, and what a request is about."""
    assert {name: (RULES[name].access, RULES[name].about) for name in POLICY} == POLICY


def test_the_fields_that_are_checked_exist(routes):
    """A rule that looks for a scope in a field that is not there would let everything pass; so would a second field."""
    for name in POLICY:
        model, _ = routes[name].operations[name]
        scopes = {field for field in model.model_fields if "scope" in field}
        expected = set(RULES[name].scope_fields) if RULES[name].about in ("scope", "records") else set()
        assert scopes == expected, name
        assert ("memory_store_name" in model.model_fields) == (RULES[name].about != "stores"), name


def test_the_verb_of_an_operation_tells_whether_it_writes():
    """A read-only key gets nothing but Get, List, Search and Export."""
    assert {name for name, rule in RULES.items() if rule.access == "reads"} == {
        name for name in RULES if name.startswith(READING)
    }
