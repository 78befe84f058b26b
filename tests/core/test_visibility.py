"""What is hidden: marks, how they take each other's place, and the numbers that never fall."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.memory_store import MemoryStore
from agent_memory.ports import Item, Key
from agent_memory.scopes import Scope
from agent_memory.visibility import (
    Visibility,
    first_version,
    marked,
    next_version,
    unchanged,
    unmarked,
    visibility,
)

STORE = MemoryStore(instance="默认", name="mem", uid="s", life=3, gone_apps={"旧店": 2}, created_ms=1, updated_ms=1)
KEY = Key("s/state/00", "h/gone")
NAMES = ["店员", "b", "*"]
PLACES = [("店员", "r"), ("店员", "s"), ("b", "r")]


def scope(agent: str = "店员", run: str = "r", app: str = "店") -> Scope:
    return Scope(app_id=app, tenant_id="t", agent_id=agent, run_id=run)


def record(body: dict[str, Any], generation: int) -> Item:
    """The `gone` record as a table gives it back."""
    return Item(KEY, json.loads(json.dumps(body)), generation)


def seen(body: dict[str, Any], generation: int) -> Visibility:
    return visibility(STORE, record(body, generation))


def test_without_a_record_nothing_of_the_tenant_is_hidden() -> None:
    """Generation 0; a first delete writes generation 1."""
    fresh = visibility(STORE, None)
    assert (fresh.born, fresh.marks, fresh.purged) == ((3, 0), {}, 0)
    assert not fresh.hides(scope(), (3, 0))


@pytest.mark.parametrize(("life", "hidden"), [(1, True), (2, False), (3, False)])
def test_an_application_is_hidden_by_life(life: int, hidden: bool) -> None:
    """What was born before the delete, in whatever generation; other applications are not."""
    view = visibility(STORE, None)
    assert view.hides(scope(app="旧店"), (life, 9)) is hidden
    assert not view.hides(scope(), (life, 0))


@pytest.mark.parametrize(
    ("agent", "run", "hidden"),
    [
        ("*", "*", [True, True, True]),
        ("店员", "*", [True, True, False]),
        ("店员", "r", [True, False, False]),
        ("none", "r", [False, False, False]),
    ],
)
def test_a_mark_hides_what_it_covers_and_is_older(agent: str, run: str, hidden: list[bool]) -> None:
    """By generation, whatever the life."""
    view = seen(marked(visibility(STORE, None), agent, run), 1)
    assert [view.hides(scope(*each), (3, 0)) for each in PLACES] == hidden
    assert [view.hides(scope(*each), (1, 1)) for each in PLACES] == [False] * 3


def test_a_mark_takes_the_place_of_those_it_covers() -> None:
    """So deleting the same again and again, or all after its parts, does not make the record grow."""
    view = visibility(STORE, None)
    sizes = []
    for agent, run in [("a", "1"), ("a", "2"), ("b", "1"), ("a", "2"), ("a", "*"), ("b", "*"), ("a", "1"), ("*", "*")]:
        view = seen(marked(view, agent, run), view.generation + 1)
        sizes.append(len(view.marks))
    assert sizes == [1, 2, 3, 3, 2, 2, 3, 1]
    assert view.marks == {("*", "*"): 8}


def test_only_the_own_mark_is_taken_away() -> None:
    """One that a later delete renewed stays for the later purge."""
    one = seen(marked(visibility(STORE, None), "a", "r"), 1)
    both = seen(marked(one, "b", "r"), 2)
    assert unmarked(both, "a", "r", 1)["marks"] == [{"agentId": "b", "runId": "r", "generation": 2}]
    again = seen(marked(both, "a", "r"), 3)
    assert seen(unmarked(again, "a", "r", 1), 4).marks == again.marks
    assert seen(unmarked(again, "*", "*", 1), 4).marks == again.marks
    assert seen(unchanged(again), 4).marks == again.marks


def test_a_reader_who_missed_a_mark_is_told() -> None:
    """While it stands and after it was taken away; a generation that hid nothing makes no one look again."""
    before = visibility(STORE, None)
    hiding = seen(marked(before, "a", "r"), 1)
    purged = seen(unmarked(hiding, "a", "r", 1), 2)
    later = seen(unchanged(purged), 3)
    assert [each.hides_more_than(before) for each in (before, hiding, purged, later)] == [False, True, True, True]
    assert [each.hides_more_than(hiding) for each in (hiding, purged, later)] == [False] * 3
    assert not seen(unchanged(before), 1).hides_more_than(before)
    other = visibility(STORE.model_copy(update={"life": 4}), None)
    assert other.hides_more_than(before)


def test_what_was_stored_before_a_mark_is_told_of_it() -> None:
    """While the mark stands it says what to hide; after that, or in another life, only the records may."""
    before = visibility(STORE, None)
    hiding = seen(marked(before, "a", "r"), 1)
    purged = seen(unmarked(hiding, "a", "r", 1), 2)
    everyone = (before, hiding, purged)
    assert [each.may_have_forgotten(before.born) for each in everyone] == [False, False, True]
    assert [each.may_have_forgotten(hiding.born) for each in everyone] == [False] * 3
    assert [each.hides_some_of("shop", before.born) for each in everyone] == [False, True, True]
    assert [each.hides_some_of("shop", hiding.born) for each in everyone] == [False] * 3
    life = before.life + 1
    other = visibility(STORE.model_copy(update={"life": life, "gone_apps": {"museum": life}}), None)
    assert other.may_have_forgotten(before.born)
    assert [other.hides_some_of(app, before.born) for app in ("museum", "shop")] == [True, False]
    assert not other.hides_some_of("museum", other.born)


BORN = st.tuples(st.integers(1, 2**18), st.integers(0, 2**19))


@given(BORN, BORN)
def test_versions_grow_with_the_birth(one: tuple[int, int], other: tuple[int, int]) -> None:
    """Even of records that were written over many times."""
    first, second = sorted((one, other))
    assert first_version(first) <= first_version(second)
    if first < second:
        assert first_version(first) + 1_000 < first_version(second)


@given(st.none() | st.integers(1, 2**60), BORN)
def test_a_record_that_takes_a_place_has_a_version_of_its_own(stored: int | None, born: tuple[int, int]) -> None:
    """Above the one before it, and not below its birth."""
    version = next_version(None if stored is None else Item(KEY, {}, stored), born)
    assert version >= first_version(born)
    assert version > (stored or 0)


STEPS = st.lists(st.sampled_from([("a", "1"), ("a", "2"), ("a", "*"), ("b", "1"), ("b", "*"), ("*", "*")]), max_size=8)


@given(STEPS, st.integers(0, 9), st.sampled_from(["a", "b", "c"]), st.sampled_from(["1", "2"]))
def test_marks_hide_what_the_deletes_meant(deletes: list[tuple[str, str]], birth: int, agent: str, run: str) -> None:
    """A record is hidden exactly if some delete that covers it came after it."""
    view = visibility(STORE, None)
    for name in deletes:
        view = seen(marked(view, *name), view.generation + 1)
    meant = any(
        birth < number and name[0] in ("*", agent) and name[1] in ("*", run) for number, name in enumerate(deletes, 1)
    )
    assert view.hides(scope(agent, run), (3, birth)) is meant
    assert view.generation == len(deletes)
