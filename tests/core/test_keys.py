"""Keys: no two things share one, none is too long, and order is the order of what they stand for."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agent_memory import keys
from agent_memory.ports import Key
from agent_memory.scopes import Scope
from agent_memory.times import FIRST_MS, LAST_MS

UID = "store_7b0f2c1e-93a4-4d0e-8d55-0a1b2c3d4e5f"
HOSTILE = ["%", "%2F", "%252F", "a%", "**", "'", '"', "\\", "..", "~", " ", "+", "a+b", "a b", "a", "ab", "A"]
HOSTILE += ["%2f", "task", "unit", "head", "__default__", "a\u0301", "á", "\U0010ffff", "虾" * 42, "🦐" * 32, "%" * 128]
FREE = st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="/"), min_size=1, max_size=32)
LEVEL = (st.sampled_from(HOSTILE) | FREE).filter(lambda level: level != "*")
Levels = tuple[str, str, str, str]
LEVELS = st.tuples(LEVEL, LEVEL, LEVEL, LEVEL)
PARTS = st.lists(st.text(st.characters(categories=None), max_size=4), max_size=4)
MILLISECONDS = st.integers(FIRST_MS, LAST_MS)


def scope_of(levels: Levels) -> Scope:
    app, tenant, agent, run = levels
    return Scope(app_id=app, tenant_id=tenant, agent_id=agent, run_id=run)


def tenant_keys(scope: Scope) -> set[Key]:
    """Every key that belongs to the tenant alone."""
    app, tenant = scope.app_id, scope.tenant_id
    partition = keys.tenant_partition(UID, app, tenant)
    return {
        keys.tenant_entry(UID, app, tenant),
        keys.tenant_by_hash(UID, keys.tenant_hash(app, tenant), app, tenant),
        keys.task(UID, scope, "r1"),
        keys.unit(partition, "u1"),
        keys.head(partition),
        keys.change(partition, 1),
    }


def run_keys(scope: Scope) -> set[Key]:
    """Every key that belongs to the conversation alone."""
    partition = keys.run_partition(UID, scope)
    return {
        keys.run_entry(UID, scope),
        keys.message(partition, f"{keys.message_time(0)}/0/h"),
        keys.message_id(partition, "h"),
    }


def all_keys(scope: Scope) -> list[Key]:
    return [keys.alive(UID), keys.app_entry(UID, scope.app_id), *tenant_keys(scope), *run_keys(scope)]


@settings(deadline=None)
@given(LEVELS, LEVELS)
def test_different_scopes_share_no_key_of_their_own(one: Levels, other: Levels) -> None:
    """Neither of the conversation nor, for different tenants, of the tenant; not even across the kinds of record."""
    assume(one != other)
    first, second = scope_of(one), scope_of(other)
    assert not run_keys(first) & set(all_keys(second))
    if one[:2] != other[:2]:
        assert not tenant_keys(first) & set(all_keys(second))
    if one[0] != other[0]:
        assert keys.app_entry(UID, one[0]) not in all_keys(second)


@settings(deadline=None)
@given(LEVELS)
def test_the_kinds_of_record_share_no_key(levels: Levels) -> None:
    """One scope's records lie apart, and apart from what belongs to no store."""
    found = [*all_keys(scope_of(levels)), keys.store("default", "mem"), keys.outbox("j", 0), keys.PAGING_KEY]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("instance", ["default", "", "../x", "system", "outbox", UID, "%", "实例" * 10])
def test_no_instance_reaches_into_another_partition(instance: str) -> None:
    """Stores of an instance stay below `stores/`, one level deep."""
    assert keys.store(instance, "mem").pk.count("/") == 1
    assert keys.store(instance, "mem").pk.startswith("stores/")


@settings(deadline=None)
@given(LEVEL)
def test_a_level_is_read_back_from_its_key(level: str) -> None:
    """Encoding is undone by decoding, and leaves no separator."""
    encoded = keys.encode_level(level)
    assert keys.decode_level(encoded) == level
    assert "/" not in encoded
    assert encoded.isascii()


@settings(deadline=None)
@given(LEVELS)
def test_joined_levels_are_read_back(levels: tuple[str, ...]) -> None:
    """Splitting at `/` finds the levels again."""
    assert tuple(map(keys.decode_level, keys.encode_levels(*levels).split("/"))) == levels


@pytest.mark.parametrize("worst", ["🦐" * 32, "虾" * 42 + "ß", "%" * 128, "'" * 128])
def test_the_longest_scope_fits_every_key(worst: str) -> None:
    """Every byte percent-encoded, in all four levels, with the longest ids."""
    scope = scope_of((worst, worst, worst, worst))
    partition = keys.run_partition(UID, scope)
    sort_key = f"{keys.message_time(LAST_MS)}/{LAST_MS - FIRST_MS:015d}20/{keys.digest('x')}"
    found = [*all_keys(scope), keys.message(partition, sort_key), keys.store("🦐" * 64, "m" * 32)]
    assert max(len(key.pk.encode()) for key in found) < 1_700
    assert max(len(key.sk.encode()) for key in found) <= 770


def test_the_longest_ids_of_callers_fit() -> None:
    """A requestId of 128 emoji is looked up, not an error."""
    request_id = "🦐" * 128
    found = [
        keys.task(UID, scope_of(("a", "t", "b", "r")), request_id),
        keys.tenant_by_hash(UID, keys.encode_level(request_id[: keys.TENANT_HASH])),
        keys.outbox(request_id, LAST_MS),
    ]
    assert all(len(key.pk.encode()) <= 2_048 and len(key.sk.encode()) <= 1_024 for key in found)


@settings(deadline=None)
@given(PARTS, PARTS)
def test_lists_of_parts_have_their_own_digest(one: list[str], other: list[str]) -> None:
    """Parts that join to the same text are told apart; lone surrogates are no error."""
    assert (keys.digest(*one) == keys.digest(*other)) == (one == other)


def test_moving_a_character_over_a_border_changes_the_digest() -> None:
    """The usual ways of joining collide here."""
    joined = [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), ("", "abc"), ("a", "b", "c"), ("a/b", "c"), ("a", "b/c")]
    assert all(keys.digest(*one) != keys.digest(*other) for one, other in combinations(joined, 2))


@pytest.mark.parametrize("length", [1, 4, 11, 12, 20, 32, 64])
def test_a_digest_has_the_digits_asked_for(length: int) -> None:
    """Lower-case hex, the same in every process."""
    made = keys.digest("虾", length=length)
    assert len(made) == length
    assert set(made) <= set("0123456789abcdef")
    assert keys.digest("golden", "值") == keys.digest("golden", "值")


@settings(deadline=None)
@given(LEVEL, LEVEL)
def test_the_range_of_an_agent_holds_its_runs_only(agent: str, other: str) -> None:
    """An agent whose name starts the same, or looks like a path, lies outside."""
    first, last = keys.prefix_range(f"{keys.encode_level(agent)}/")
    inside = first <= keys.run_entry(UID, scope_of(("a", "t", other, "r"))).sk <= last
    assert inside == (agent == other)


@settings(deadline=None)
@given(MILLISECONDS, MILLISECONDS)
def test_messages_sort_by_time(one: int, other: int) -> None:
    """Sort keys have a fixed width from the year 1 to 9999, so text order is time order."""
    assert (keys.message_time(one) < keys.message_time(other)) == (one < other)
    assert len(keys.message_time(one)) == len("at/") + 15


@settings(deadline=None)
@given(st.integers(0, 10**15), st.integers(0, 10**15))
def test_changes_sort_by_sequence(one: int, other: int) -> None:
    """The change log is read in the order in which it was written."""
    assert (keys.change("p", one).sk < keys.change("p", other).sk) == (one < other)


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=20), MILLISECONDS)
def test_a_job_lies_in_one_of_sixteen_shards(job_id: str, queued_ms: int) -> None:
    """The sweeper, which visits each shard, finds every job."""
    shards = {keys.outbox_partition(shard) for shard in range(keys.OUTBOX_SHARDS)}
    assert len(shards) == 16
    assert keys.outbox(job_id, queued_ms).pk in shards


def test_ids_of_a_tenant_start_with_its_hash() -> None:
    """Twelve hex digits over application and tenant, which don't run together."""
    assert len(keys.tenant_hash("商店", "t1")) == keys.TENANT_HASH == 12
    assert keys.tenant_hash("ab", "c") != keys.tenant_hash("a", "bc")


@settings(deadline=None)
@given(LEVEL)
def test_last_is_behind_every_sort_key(level: str) -> None:
    """The end of a whole partition."""
    assert keys.encode_levels(level, level) < keys.LAST
