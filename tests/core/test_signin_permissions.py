"""Limits of keys: stores, scopes, operations, read-only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.errors import PermissionDenied
from agent_memory.requests.memories import AddMemoriesRequest, SearchMemoriesRequest
from agent_memory.requests.records import GetMemoryTaskRequest, ListMemoryStoreScopesRequest
from agent_memory.requests.stores import ListMemoryStoresRequest, StoreRequest
from agent_memory.scopes import Scope, ScopePattern
from agent_memory.signin.caller import Caller
from agent_memory.signin.limits import Limits, ScopeLimit
from agent_memory.signin.operations import RULES
from agent_memory.signin.permissions import check, check_request, reaches

LEVEL = st.sampled_from(["shop", "Shop", "shop2", "u42", "u4", "用户", "用户2", "%2F", "__default__", "shop%2Fu42"])


def caller(**limits) -> Caller:
    """A caller with these limits; scopes as `app` or `app/tenant`."""
    scopes = [text.partition("/") for text in limits.pop("scopes", ())]
    listed = tuple(ScopeLimit(app_id=app, tenant_id=tenant or None) for app, _, tenant in scopes)
    return Caller("shop", "AMkey", Limits(scopes=listed, **limits))


def may(who: Caller, operation: str, store: str | None = "mem", *scopes: tuple[str, ...]) -> bool:
    """Whether the call passes."""
    try:
        check(who, operation, store, scopes)
    except PermissionDenied:
        return False
    return True


def test_a_key_without_limits_may_do_everything():
    """Anybody too, where no key is required."""
    for who in (Caller("default"), caller()):
        assert all(may(who, operation, "any", ("*",) * 4) for operation in RULES)
        check_request(who, "NotInTheTable", ListMemoryStoresRequest())


def test_an_operation_without_a_rule_needs_a_key_without_limits():
    """Whoever adds an operation and forgets the table opens nothing."""
    assert not may(caller(stores=("mem",)), "NotInTheTable")


def test_a_read_only_key_changes_nothing():
    """The operations that pass are those that the table calls reads."""
    passing = {operation for operation in RULES if may(caller(read_only=True), operation, "mem", ("a", "t", "g", "r"))}
    assert passing == {operation for operation, rule in RULES.items() if rule.access == "reads"}
    assert "AddMemories" not in passing
    assert {"SearchMemories", "ListMemoryStores", "ExportMemoryStore"} <= passing


def test_a_key_for_some_operations_calls_only_those():
    """Read-only takes away from them and adds none."""
    who = caller(operations=("AddMemories", "SearchMemories"))
    assert {name for name in RULES if may(who, name)} == {"AddMemories", "SearchMemories"}
    both = caller(operations=("AddMemories", "SearchMemories"), read_only=True)
    assert {name for name in RULES if may(both, name)} == {"SearchMemories"}


def test_a_key_for_some_stores_uses_only_those():
    """By exact name; ListMemoryStores passes and shows only them."""
    who = caller(stores=("mem", "other"))
    assert [may(who, "SearchMemories", store) for store in ("mem", "other", "Mem", "mem2", "")] == [True, True] + [
        False
    ] * 3
    assert may(who, "ListMemoryStores", None)
    assert [name for name in ("mem", "secret", "other") if who.may_use_store(name)] == ["mem", "other"]


@pytest.mark.parametrize(
    ("levels", "inside"),
    [
        (("shop", "u42", "bot", "s1"), True),
        (("shop", "u42", "*", "*"), True),
        (("shop", "*", "*", "*"), False),
        (("*", "*", "*", "*"), False),
        (("shop", "u4", "*", "*"), False),
        (("shop", "u421", "*", "*"), False),
        (("shop", "__default__", "*", "*"), False),
        (("shop%2Fu42", "x", "*", "*"), False),
        (("other", "any", "a", "r"), True),
        (("other", "*", "*", "*"), True),
    ],
)
def test_a_pattern_that_may_reach_outside_is_refused(levels, inside):
    """For a key of the tenant shop/u42 and of all of `other`."""
    assert may(caller(scopes=["shop/u42", "other"]), "SearchMemories", "mem", levels) == inside


@given(st.tuples(LEVEL, LEVEL, LEVEL, LEVEL), st.integers(0, 4), st.tuples(LEVEL, LEVEL | st.just("")))
def test_what_a_passed_pattern_matches_is_inside_the_limits(levels, kept, limit):
    """A pattern passes only if no scope that it matches lies outside: checked over all the scopes of the test."""
    who = caller(scopes=["/".join(filter(None, limit))])
    pattern = ScopePattern(
        **dict(zip(("app_id", "tenant_id", "agent_id", "run_id"), (*levels[:kept], "*", "*", "*", "*"), strict=False))
    )
    outside = [
        Scope(app_id=app, tenant_id=tenant) for app, tenant in (levels[:2], ("foreign", "t"), (limit[0], "foreign"))
    ]
    if may(who, "ListMemories", "mem", pattern.levels):
        matched = [
            scope
            for scope in outside
            if ScopePattern(app_id=pattern.app_id, tenant_id=pattern.tenant_id).matches(scope)
        ]
        assert all(who.may_see(scope) for scope in matched)


def test_every_scope_of_a_call_must_be_inside():
    """One outside is enough to refuse."""
    who = caller(scopes=["shop"])
    inside, outside = ("shop", "t", "*", "*"), ("other", "t", "*", "*")
    assert may(who, "CreateMemoryDreamTask", "mem", inside, inside)
    assert not may(who, "CreateMemoryDreamTask", "mem", inside, outside)


def test_a_key_limited_to_scopes_changes_no_store_as_a_whole():
    """Deleting a store would delete what others keep there."""
    who = caller(scopes=["shop"])
    assert may(who, "GetMemoryStore")
    assert may(who, "ListMemoryStores", None)
    assert not any(may(who, f"{verb}MemoryStore") for verb in ("Create", "Update", "Delete", "Export"))


def test_parsed_requests_are_checked_with_their_defaults():
    """An omitted level is what the operation takes it for: `__default__` when adding, any when listing scopes."""
    narrow, wide = caller(scopes=["shop/__default__"]), caller(scopes=["shop"])
    add = AddMemoriesRequest.model_validate({"memoryStoreName": "mem", "scope": {"appId": "shop"}, "text": "你好"})
    check_request(narrow, "AddMemories", add)
    listing = ListMemoryStoreScopesRequest.model_validate({"memoryStoreName": "mem", "scope": {"appId": "shop"}})
    check_request(wide, "ListMemoryStoreScopes", listing)
    with pytest.raises(PermissionDenied, match="tenantId"):
        check_request(narrow, "ListMemoryStoreScopes", listing)
    everywhere = ListMemoryStoreScopesRequest.model_validate({"memoryStoreName": "mem"})
    with pytest.raises(PermissionDenied):
        check_request(wide, "ListMemoryStoreScopes", everywhere)
    scope = {"appId": "shop", "tenantId": "__default__"}
    search = SearchMemoriesRequest.model_validate({"memoryStoreName": "mem", "scope": scope, "query": "虾"})
    check_request(narrow, "SearchMemories", search)
    with pytest.raises(PermissionDenied, match="mem"):
        check_request(caller(stores=("other",)), "SearchMemories", search)
    check_request(caller(stores=("mem",)), "GetMemoryStore", StoreRequest.model_validate({"memoryStoreName": "mem"}))


def test_a_record_by_id_alone_is_left_to_may_see():
    """The use case answers 404 for what the caller may not see; a scope that is given must still be inside."""
    who = caller(scopes=["shop/u42"])
    bare = {"memoryStoreName": "mem", "requestId": "r"}
    check_request(who, "GetMemoryTask", GetMemoryTaskRequest.model_validate(bare))
    assert who.may_see(Scope(app_id="shop", tenant_id="u42", run_id="s"))
    assert not who.may_see(Scope(app_id="shop", tenant_id="u43"))
    with pytest.raises(PermissionDenied):
        check_request(who, "GetMemoryTask", GetMemoryTaskRequest.model_validate({**bare, "scope": {"appId": "shop"}}))


@pytest.mark.parametrize(
    "raw", [{}, {"appId": None}, {"appId": ["shop"], "tenantId": "u42"}, {"appId": ""}, {"APPID": "shop"}]
)
def test_a_raw_scope_that_is_not_clear_counts_as_any(raw):
    """So that it is refused to a limited key."""
    assert not may(caller(scopes=["shop/u42"]), "SearchMemories", "mem", *reaches(raw))


def test_raw_and_parsed_scopes_reach_the_same():
    """Lists as well."""
    raw = {"appId": "shop", "tenantId": "用户"}
    parsed = ScopePattern.model_validate(raw)
    assert [tuple(levels) for levels in reaches([raw, parsed])] == [("shop", "用户", "*", "*")] * 2
    assert reaches(None) == []
