"""From candidates to units, and what a unit becomes when its content is met again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.extraction.candidates import Candidate
from agent_memory.keys import tenant_hash
from agent_memory.memory_task import Task
from agent_memory.models import MAX_METADATA_BYTES, MAX_METADATA_KEYS, MemoryUnit, Message, TurnRef
from agent_memory.scopes import Scope
from agent_memory.settlement.units import FIRST_REFS, LATEST_REFS, LoggedMessage, merged, unit_id, units_of
from tests.stand_ins import START_MS

SCOPE = Scope(app_id="商店", tenant_id="t1", agent_id="a1", run_id="r1")
TASK = Task(
    request_id="q1",
    scope=SCOPE,
    status="running",
    accepted_messages=2,
    log_keys=("at/1", "at/2"),
    metadata={"渠道": "网页"},
    created_ms=START_MS,
    updated_ms=START_MS,
)
MESSAGES = [
    LoggedMessage(
        f"at/{number}", Message(message_id=f"m{number}", role="user", speaker="小林", content="", timestamp_ms=number)
    )
    for number in range(3)
]
GOLDEN_ID = "1fbb426f0a1312a3e1c8d49f10dd9904"  # of a text that units are stored under already
LATER = START_MS + 5_000


def candidate(search_text: str = "我对虾过敏", **fields: Any) -> Candidate:
    given: dict[str, Any] = {
        "text": f"[2026-11-30T10:00:00Z] 小林: {search_text}",
        "search_text": search_text,
        "speaker": "小林",
        "role": "user",
        "language": "zh",
        "effective_at": "2026-11-30T10:00:00Z",
        "time_precision": "second",
        "time_source": "message",
        "created_at": "2026-11-30T10:00:00Z",
        "sources": (0,),
        "salience": 0.5,
    }
    return Candidate(**{**given, **fields})


def units(*candidates: Candidate, task: Task = TASK) -> list[MemoryUnit]:
    return units_of(task, candidates, MESSAGES, "words-1", START_MS)


def unit(*sources: int, metadata: dict[str, str] | None = None) -> MemoryUnit:
    """A unit with references to these messages."""
    refs = tuple(TurnRef(message_id=f"m{source}", timestamp_ms=source, log_key=f"at/{source}") for source in sources)
    return units(candidate())[0].model_copy(update={"source_turn_refs": refs, "metadata": metadata or {}})


def ids(found: MemoryUnit) -> list[str]:
    return [ref.message_id for ref in found.source_turn_refs]


def test_a_unit_is_its_candidate_with_scope_evidence_and_model() -> None:
    """Metadata is the request's; times are when it was said and when it was written; nothing is retired."""
    made = units(candidate(sources=(0, 2)))[0]
    assert made.to_wire() == {
        "id": made.id,
        "conversation_key": "商店/t1/a1/r1",
        "scope": {"appId": "商店", "tenantId": "t1", "agentId": "a1", "runId": "r1"},
        "unit_type": "episode",
        "text": "[2026-11-30T10:00:00Z] 小林: 我对虾过敏",
        "search_text": "我对虾过敏",
        "keywords": [],
        "speaker": "小林",
        "language": "zh",
        "effective_at": "2026-11-30T10:00:00Z",
        "time_precision": "second",
        "time_source": "message",
        "salience": 0.5,
        "metadata": {"渠道": "网页"},
        "source_turn_refs": [{"messageId": "m0", "timestampMs": 0}, {"messageId": "m2", "timestampMs": 2}],
        "seen_count": 1,
        "created_at": "2026-11-30T10:00:00Z",
        "updated_at": "2026-11-30T10:00:00.000Z",
        "embedding_model": "words-1",
        "version": 1,
    }
    assert [ref.log_key for ref in made.source_turn_refs] == ["at/0", "at/2"]


def test_an_id_is_stable() -> None:
    """32 hex digits that begin with the tenant's hash; this one is stored in every table that has the sentence."""
    made = unit_id(SCOPE, candidate())
    assert made == unit_id(SCOPE, candidate())
    assert made.startswith(tenant_hash("商店", "t1"))
    assert len(made) == 32
    assert unit_id(Scope(app_id="golden"), candidate("golden text")) == GOLDEN_ID


@pytest.mark.parametrize(
    "fields",
    [
        {"search_text": " 我对虾过敏\n"},
        {"text": "other"},
        {"speaker": "小王"},
        {"sources": (1,)},
        {"effective_at": "2020"},
        {"salience": 0.9},
    ],
)
def test_what_is_no_content_does_not_change_the_id(fields: dict[str, Any]) -> None:
    """When, by whom and how clearly it was said; white space, full width and case."""
    assert unit_id(SCOPE, candidate(**fields)) == unit_id(SCOPE, candidate())
    assert unit_id(SCOPE, candidate("ＡＢ－2093")) == unit_id(SCOPE, candidate("ab-2093"))


@pytest.mark.parametrize("level", ["app_id", "tenant_id", "agent_id", "run_id"])
def test_each_level_of_the_scope_makes_another_unit(level: str) -> None:
    """No two conversations share one."""
    assert unit_id(SCOPE.model_copy(update={level: "other"}), candidate()) != unit_id(SCOPE, candidate())


@pytest.mark.parametrize("fields", [{"role": "assistant"}, {"search_text": "我对虾不过敏"}])
def test_role_and_text_make_another_unit(fields: dict[str, Any]) -> None:
    """What the assistant says is not what the user says."""
    assert unit_id(SCOPE, candidate(**fields)) != unit_id(SCOPE, candidate())


def test_units_come_in_the_order_of_their_candidates() -> None:
    """None in, none out."""
    assert [each.search_text for each in units(candidate("b"), candidate("a"), candidate("c"))] == ["b", "a", "c"]
    assert units() == []


def test_equal_candidates_are_one_unit_with_all_evidence() -> None:
    """At the place of the last, with the words of the first."""
    found = units(candidate("Tea"), candidate("x"), candidate("tea", sources=(1,)), candidate("TEA", sources=(1, 2)))
    assert [each.search_text for each in found] == ["x", "Tea"]
    assert ids(found[1]) == ["m0", "m1", "m2"]
    assert found[1].seen_count == 3


def test_a_new_unit_has_version_one() -> None:
    """Folding before the first write is no change of a record."""
    assert units(candidate(), candidate(sources=(1,)))[0].version == 1


def test_the_same_job_makes_the_same_units() -> None:
    """Whatever the clock says, apart from the time of writing."""
    again = units_of(TASK, [candidate()], MESSAGES, "words-1", LATER)
    assert [each.model_copy(update={"updated_at": "x"}) for each in again] == [
        each.model_copy(update={"updated_at": "x"}) for each in units(candidate())
    ]


def test_new_evidence_is_added() -> None:
    """The unit keeps its words and its time of saying; count, version and time of writing move."""
    kept, met = unit(0), unit(1, metadata={"k": "v"})
    both = merged(kept, met, LATER)
    assert ids(both) == ["m0", "m1"]
    assert (both.seen_count, both.version, both.updated_at) == (2, 2, "2026-11-30T10:00:05.000Z")
    assert (both.metadata, both.text, both.created_at) == ({"k": "v"}, kept.text, kept.created_at)
    assert (ids(kept), kept.version) == (["m0"], 1)


def test_nothing_new_leaves_the_very_same_unit() -> None:
    """So that a repeat writes nothing."""
    kept = unit(0, 1, metadata={"k": "v"})
    for met in (unit(0), unit(1, 0), unit(1, metadata={"k": "v"})):
        assert merged(kept, met, LATER) is kept


def test_new_metadata_alone_is_a_change_but_no_new_sight() -> None:
    """The newer value of a key holds."""
    both = merged(unit(0, metadata={"k": "old", "x": "1"}), unit(0, metadata={"k": "新"}), LATER)
    assert (both.metadata, both.seen_count, both.version, ids(both)) == ({"k": "新", "x": "1"}, 1, 2, ["m0"])


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 300), min_size=1, max_size=150, unique=True),
    st.lists(st.integers(0, 300), min_size=1, max_size=20, unique=True),
    st.dictionaries(st.sampled_from("abc"), st.sampled_from("12")),
    st.dictionaries(st.sampled_from("abc"), st.sampled_from("12")),
)
def test_merging_twice_is_merging_once(
    kept: list[int], met: list[int], metadata: dict[str, str], more: dict[str, str]
) -> None:
    """A job that is handed over again changes nothing, and no unit loses its first evidence."""
    stored, again = unit(*kept, metadata=metadata), unit(*met, metadata=more)
    once = merged(stored, again, LATER)
    assert merged(once, again, LATER + 1) is once
    assert ids(once)[0] == ids(stored)[0]
    assert {f"m{number}" for number in met} <= set(ids(once)) or len(kept) > FIRST_REFS + LATEST_REFS


def test_evidence_is_bounded_and_the_count_is_not() -> None:
    """The first and the latest references stay, so that a phrase of every day fits into its record."""
    kept = unit(0)
    for number in range(1, 1_000):
        kept = merged(kept, unit(number), LATER)
    assert kept.seen_count == 1_000
    assert ids(kept) == [f"m{number}" for number in (*range(FIRST_REFS), *range(1_000 - LATEST_REFS, 1_000))]


@pytest.mark.parametrize(
    "more",
    [{f"n{number}": "v" for number in range(MAX_METADATA_KEYS)}, {"n": "v" * (MAX_METADATA_BYTES - 20)}],
    ids=["keys", "bytes"],
)
def test_metadata_stays_within_its_limits(more: dict[str, str]) -> None:
    """Where both together would outgrow them, what is kept stays; evidence is added all the same."""
    kept = unit(0, metadata={"old": "虾" * 20})
    both = merged(kept, unit(1, metadata=more), LATER)
    assert (both.metadata, ids(both)) == (kept.metadata, ["m0", "m1"])
    assert len(json.dumps(both.metadata, ensure_ascii=False).encode()) <= MAX_METADATA_BYTES
    assert merged(kept, unit(0, metadata=more), LATER) is kept
