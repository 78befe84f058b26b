"""The four kinds of scope: what each demands, fills in, widens and refuses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from agent_memory.invalid import first_problem
from agent_memory.scopes import ExactScope, Scope, ScopePattern, SearchScope

FULL = {"appId": "商店", "tenantId": "用户-1", "agentId": "a1", "runId": "r1"}
LEVELS = tuple(FULL)
WRITTEN = (Scope, ExactScope)
READ = (ScopePattern, SearchScope)
KINDS = (*WRITTEN, *READ)
LEVEL = st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="/"), min_size=1, max_size=32).filter(
    lambda level: level != "*"
)


def refusal(kind: type[Scope | ScopePattern], scope: Any) -> str:
    with pytest.raises(ValidationError) as refused:
        kind.model_validate(scope)
    return " ".join(first_problem(refused.value))


@pytest.mark.parametrize("kind", KINDS)
def test_four_named_levels_are_taken_as_they_are(kind: type[Scope]) -> None:
    """Each kind takes a full scope and gives it back on the wire."""
    scope = kind.model_validate(FULL)
    assert scope.levels == ("商店", "用户-1", "a1", "r1")
    assert scope.to_json() == FULL


@pytest.mark.parametrize("absent", [{}, {"tenantId": "", "agentId": "", "runId": ""}, dict.fromkeys(LEVELS[1:])])
def test_a_written_scope_defaults_what_is_absent_empty_or_null(absent: dict[str, Any]) -> None:
    """`__default__` below the application."""
    scope = Scope.model_validate({"appId": "shop", **absent})
    assert scope.path == "shop/__default__/__default__/__default__"


def test_each_level_defaults_by_itself() -> None:
    """A run may be named below a default agent."""
    assert Scope.model_validate({"appId": "shop", "runId": "r1"}).path == "shop/__default__/__default__/r1"


@pytest.mark.parametrize("kind", [Scope, ExactScope, SearchScope])
@pytest.mark.parametrize("scope", [{}, {**FULL, "appId": ""}])
def test_the_application_is_required(kind: type[Scope], scope: dict[str, Any]) -> None:
    """Absent or empty, with the words of the API."""
    without = {name: level for name, level in {**FULL, **scope}.items() if scope or name != "appId"}
    assert refusal(kind, without) == "appId is required"


@pytest.mark.parametrize(("kind", "level"), [(ExactScope, level) for level in LEVELS] + [(SearchScope, "tenantId")])
def test_what_a_kind_demands_it_names(kind: type[Scope], level: str) -> None:
    """An exact scope needs all four, a search the application and the tenant."""
    assert refusal(kind, {name: value for name, value in FULL.items() if name != level}) == f"{level} is required"
    assert refusal(kind, {**FULL, level: ""}) == f"{level} is required"


@pytest.mark.parametrize(("kind", "level"), [(Scope, "appId"), (ExactScope, "runId"), (SearchScope, "tenantId")])
def test_a_null_of_a_demanded_level_counts_as_absent(kind: type[Scope], level: str) -> None:
    """Null is absence everywhere in a request."""
    assert refusal(kind, {**FULL, level: None}) == f"{level} is required"


@pytest.mark.parametrize("kind", WRITTEN)
@pytest.mark.parametrize("level", LEVELS)
def test_no_star_where_something_is_written(kind: type[Scope], level: str) -> None:
    """A write has one place."""
    assert refusal(kind, {**FULL, level: "*"}) == f"{level} must not be '*' here"


@pytest.mark.parametrize("level", ["appId", "tenantId"])
def test_a_search_names_application_and_tenant(level: str) -> None:
    """Only agent and run may be any."""
    assert refusal(SearchScope, {**FULL, level: "*"}) == f"{level} must not be '*' here"


@pytest.mark.parametrize("absent", [None, "", "*"])
@pytest.mark.parametrize("first", range(4))
def test_a_pattern_widens_to_the_right(first: int, absent: str | None) -> None:
    """Absent, null, empty and `*` all mean any; every level after the first of them must too."""
    scope = {**FULL, **dict.fromkeys(LEVELS[first:], absent)}
    stars = (*FULL.values(),)[:first] + ("*",) * (4 - first)
    assert ScopePattern.model_validate(scope).levels == stars
    assert ScopePattern.model_validate(dict(list(FULL.items())[:first])).levels == stars
    if first >= 2:
        assert SearchScope.model_validate(scope).levels == stars


@pytest.mark.parametrize("kind", READ)
@pytest.mark.parametrize("agent", [{}, {"agentId": "*"}, {"agentId": ""}, {"agentId": None}])
def test_a_level_after_any_may_not_be_named(kind: type[ScopePattern], agent: dict[str, Any]) -> None:
    """`a/t/*/r` is no pattern, and the message names the level that is too much."""
    scope = {"appId": "a", "tenantId": "t", **agent, "runId": "r"}
    assert refusal(kind, scope) == "runId must be '*' or omitted after a level that is '*' or omitted"


def test_the_first_level_that_is_too_much_is_named() -> None:
    """`*/t/*/*` stumbles at the tenant."""
    assert refusal(ScopePattern, {"tenantId": "t"}).startswith("tenantId must be '*' or omitted")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("literal", ["a*", "**", "%2F", "__default__", " ", "'; --", "👨‍👩‍👧", "a.b:c"])
def test_a_star_inside_a_level_and_other_odd_names_are_names(kind: type[Scope], literal: str) -> None:
    """Only a level that is `*` as a whole is a wildcard."""
    assert kind.model_validate({**FULL, "runId": literal}).levels[3] == literal


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("bad", ["/", "a/b", "a\x00", "\n", "a\tb", "\x7f", "\x85", "\ud800", "虾\x1f"])
def test_slash_control_characters_and_surrogates_are_refused(kind: type[Scope], level: str, bad: str) -> None:
    """They could leave their place in a key or a log."""
    assert refusal(kind, {**FULL, level: bad}) == f"{level} must not contain '/' or control characters"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("fits", "over"), [("a" * 128, "a" * 129), ("虾" * 42 + "ab", "虾" * 43), ("🦐" * 32, "🦐" * 33)]
)
def test_a_level_has_at_most_128_bytes(kind: type[Scope], level: str, fits: str, over: str) -> None:
    """Bytes of UTF-8, not characters; one over is refused."""
    assert kind.model_validate({**FULL, level: fits}).to_json()[level] == fits
    assert refusal(kind, {**FULL, level: over}) == f"{level} must be at most 128 bytes of UTF-8"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("wrong", [0, 1, True, 1.5, [], ["a"], {}])
def test_a_level_is_a_string(kind: type[Scope], level: str, wrong: Any) -> None:
    """Nothing is turned into text, and an empty array is not an empty string."""
    assert refusal(kind, {**FULL, level: wrong}) == f"{level} must be a string"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("extra", ["userId", "appid", "", "scope", "商店"])
def test_unknown_fields_are_named(kind: type[Scope], extra: str) -> None:
    """A misspelt level must not silently widen or default."""
    assert refusal(kind, {**FULL, extra: "x"}) == f"{extra} is not a known field"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", ["shop/t/a/r", [], 1, True])
def test_a_scope_is_an_object(kind: type[Scope], wrong: Any) -> None:
    """The path is not accepted in its place."""
    assert refusal(kind, wrong).strip() == "must be an object"


def test_a_pattern_matches_by_named_levels() -> None:
    """Each named level must be equal; the rest is open."""
    scope = Scope.model_validate(FULL)
    assert ScopePattern().matches(scope)
    assert ScopePattern.model_validate({"appId": "商店", "tenantId": "用户-1"}).matches(scope)
    assert ScopePattern.model_validate(FULL).matches(scope)
    for level in LEVELS:
        named = {**dict(list(FULL.items())[: LEVELS.index(level)]), level: "另一个"}
        assert not ScopePattern.model_validate(named).matches(scope)


def test_the_default_level_is_no_wildcard() -> None:
    """`__default__` matches itself only, and an open level matches it."""
    default = Scope.model_validate({"appId": "shop"})
    assert ScopePattern.model_validate({"appId": "shop"}).matches(default)
    named = ScopePattern.model_validate({"appId": "shop", "tenantId": "__default__"})
    assert named.matches(default)
    assert not named.matches(Scope.model_validate({"appId": "shop", "tenantId": "t"}))


@settings(deadline=None)
@given(st.tuples(LEVEL, LEVEL, LEVEL, LEVEL), st.tuples(LEVEL, LEVEL, LEVEL, LEVEL))
def test_paths_of_different_scopes_differ(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    """The conversation key is as good as the four levels."""
    paths = [Scope.model_validate(dict(zip(LEVELS, levels, strict=True))).path for levels in (one, other)]
    assert (paths[0] == paths[1]) == (one == other)


def test_a_stored_scope_is_read_back() -> None:
    """What `to_json` writes, validation reads."""
    scope = Scope(app_id="商店", agent_id="a1")
    assert Scope.model_validate(scope.to_json()) == scope
