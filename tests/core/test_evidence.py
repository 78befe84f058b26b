"""Messages behind results: which, in what order, how long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.models import MemoryUnit, Message, TurnRef
from agent_memory.retrieval.evidence import (
    MAX_CHARACTERS,
    MAX_ENTRIES,
    Source,
    evidence,
    neighbours,
    shortened,
    sources,
    with_neighbours,
)
from agent_memory.scopes import Scope

SCOPE = Scope(app_id="shop", tenant_id="u42", agent_id="bot", run_id="s1")
OTHER = Scope(app_id="shop", tenant_id="u42", agent_id="bot", run_id="s2")
AT = 1_796_036_400_000  # 2026-11-30T11:00:00Z


def unit(*message_ids: str, scope: Scope = SCOPE) -> MemoryUnit:
    return MemoryUnit(
        id="+".join(message_ids),
        scope=scope,
        unit_type="episode",
        text="",
        search_text="",
        effective_at="2026-11-30T11:00:00Z",
        time_precision="second",
        time_source="message",
        source_turn_refs=tuple(TurnRef(message_id=name, timestamp_ms=AT, log_key=f"at/{name}") for name in message_ids),
        created_at="2026-11-30T11:00:00Z",
        updated_at="2026-11-30T11:00:00Z",
    )


def message(name: str, content: str) -> Message:
    return Message(message_id=name, role="user", speaker="user", content=content, timestamp_ms=AT)


def test_an_entry_looks_like_a_hit():
    """Shape of the API: unit with id, text, scope and time, then score and source."""
    wanted = sources([(unit("m1"), 0.7)])
    assert evidence(wanted, {wanted[0].place: message("m1", "我对虾过敏")}) == [
        {
            "unit": {
                "id": "m1",
                "text": "我对虾过敏",
                "scope": {"appId": "shop", "tenantId": "u42", "agentId": "bot", "runId": "s1"},
                "created_at": "2026-11-30T11:00:00.000Z",
            },
            "score": 0.7,
            "source": "message",
        }
    ]


def test_messages_are_read_in_rank_order_without_repeats():
    """Those of the best result first; the same id in another conversation is another message."""
    hits = [(unit("b", "a"), 0.9), (unit("a", "c"), 0.5), (unit("a", scope=OTHER), 0.4)]
    found = [(source.log_key, source.scope.run_id, source.score) for source in sources(hits)]
    assert found == [("at/b", "s1", 0.9), ("at/a", "s1", 0.9), ("at/c", "s1", 0.5), ("at/a", "s2", 0.4)]


def test_at_most_eight():
    """No more are read than are shown, from one result or from many."""
    assert len(sources([(unit(*map(str, range(20))), 0.9)])) == MAX_ENTRIES
    assert [source.log_key for source in sources([(unit(str(n)), 0.9) for n in range(20)])] == [
        f"at/{n}" for n in range(8)
    ]
    assert sources([]) == []


def test_a_message_that_is_gone_is_left_out():
    """Deleted since: no entry, no error."""
    wanted = sources([(unit("m1", "m2"), 0.7)])
    shown = evidence(wanted, {wanted[1].place: message("m2", "still here")})
    assert [entry["unit"]["id"] for entry in shown] == ["m2"]


def test_entries_stand_in_order_of_time_by_conversation():
    """The conversation of the best result first, however late its messages are."""
    wanted = sources([(unit("4", scope=OTHER), 0.9), (unit("3", "1"), 0.8), (unit("2", scope=OTHER), 0.7)])
    shown = evidence(wanted, {source.place: message(source.log_key, "x") for source in wanted})
    assert [(entry["unit"]["scope"]["runId"], entry["unit"]["id"], entry["score"]) for entry in shown] == [
        ("s2", "at/2", 0.7),
        ("s2", "at/4", 0.9),
        ("s1", "at/1", 0.8),
        ("s1", "at/3", 0.8),
    ]


def test_more_neighbours_behind_than_before():
    """The next message first, then the one before, then the second next; each says so and has its hit's score."""
    source = Source(SCOPE, "at/5", 0.9)
    found = neighbours(source, ["at/4", "at/3"], ["at/6", "at/7", "at/8"])
    assert [each.log_key for each in found] == ["at/6", "at/4", "at/7"]
    assert [each.log_key for each in neighbours(source, [], ["at/6"])] == ["at/6"]
    messages = {each.place: message(each.log_key, "x") for each in (source, *found)}
    shown = evidence(with_neighbours([source], found), messages)
    assert [(entry["unit"]["id"], entry["score"], entry.get("neighbour", False)) for entry in shown] == [
        ("at/4", 0.9, True),
        ("at/5", 0.9, False),
        ("at/6", 0.9, True),
        ("at/7", 0.9, True),
    ]


KEYS = st.lists(st.integers(0, 15).map(lambda n: f"at/{n:02d}"), max_size=12)


@given(KEYS, KEYS)
def test_a_neighbour_never_pushes_out_a_message_of_a_result(direct: list[str], near: list[str]):
    """All direct messages are there, each place once, and as many neighbours as there is room for, the first first."""
    own = [Source(SCOPE, log_key, 0.9) for log_key in dict.fromkeys(direct)][:MAX_ENTRIES]
    chosen = with_neighbours(own, [Source(SCOPE, log_key, 0.8, neighbour=True) for log_key in near])
    others = [log_key for log_key in dict.fromkeys(near) if log_key not in {each.log_key for each in own}]
    assert chosen[: len(own)] == own
    assert [each.log_key for each in chosen[len(own) :]] == others[: MAX_ENTRIES - len(own)]


@given(st.text(max_size=60), st.integers(2, 50))
def test_shortened_keeps_to_its_size(text: str, size: int):
    """Short texts stay, longer ones end in an ellipsis within the size and start as the text does."""
    short = shortened(text, size)
    assert len(short) <= size
    assert short == text if len(text) <= size else short.endswith("…") and text.startswith(short[:-1])


@pytest.mark.parametrize(
    "cluster",
    [
        "e\u0301",
        "👨\u200d👩\u200d👧",
        "👍🏽",
        "🇨🇳",
        "हि",
        "\u1112\u1161\u11ab",
        "🏴\U000e0067\U000e0062\U000e007f",
        "か\u3099",
    ],
)
def test_what_readers_see_as_one_is_not_cut(cluster: str):
    """Accents, joined emoji, skin tones, flags, vowel signs and jamo stay with what they belong to."""
    for size in range(2 * len(cluster) + 2, 4 * len(cluster)):
        kept = shortened(cluster * 10, size)[:-1]
        assert kept == cluster * (len(kept) // len(cluster))


def test_marks_without_end_are_cut():
    """A text of nothing but combining marks is shortened too."""
    assert len(shortened("a" + "\u0301" * 5_000)) == MAX_CHARACTERS


def test_chinese_is_cut_between_characters():
    """1,200 characters stay whole, one more becomes 1,199 and an ellipsis."""
    assert shortened("虾" * 1_200) == "虾" * 1_200
    assert shortened("虾" * 1_201) == "虾" * 1_199 + "…"
