"""What a conversation knows of new claims: its own current memories of their slot, and the nearest ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent_memory.retrieval.block import IndexedUnit
from agent_memory.retrieval.known import LATEST_OF_SLOT, NEAREST, NewClaim, known_to
from agent_memory.retrieval.tenant_index import TenantIndex
from agent_memory.slots import slot_of
from tests.stand_ins import WordEmbedder

HERE, THERE = ("shop", "t1", "a1", "r1"), ("shop", "t1", "a1", "r2")
NOW = 1_000_000
EMBEDDER = WordEmbedder()
RESIDENCE = slot_of("user", "residence")


def unit(number: int, text: str, **fields: object) -> IndexedUnit:
    vector = EMBEDDER.embed([text], "passage")[0]
    made = IndexedUnit(f"{number:032x}", HERE, text, vector=vector, embedding_model=EMBEDDER.model, created_ms=number)
    return replace(made, **fields)  # type: ignore[arg-type]


def known(units: list[IndexedUnit], slot: str, text: str) -> list[int]:
    index = TenantIndex(EMBEDDER.model, EMBEDDER.dim)
    index.apply(units, [])
    claim = NewClaim(slot, EMBEDDER.embed([text], "passage")[0])
    (found,) = known_to(index.rows, HERE, [claim], NOW)
    return [int(each, 16) for each in found]


def test_those_of_the_slot_come_first_the_newest_before_the_others() -> None:
    """Whatever they say; and no memory twice."""
    units = [
        unit(1, "我住在杭州", slot=RESIDENCE),
        unit(2, "I live in Leeds", slot=RESIDENCE),
        unit(3, "I live on tea"),
    ]
    assert known(units, RESIDENCE, "I live on tea") == [2, 1, 3]
    assert known(units, "", "I live on tea")[0] == 3


@pytest.mark.parametrize(
    "hidden", [{"scope": THERE}, {"retired": True}, {"expires_ms": NOW}], ids=["elsewhere", "retired", "expired"]
)
def test_only_current_memories_of_the_scope_are_known(hidden: dict[str, object]) -> None:
    """By slot and by meaning."""
    assert known([unit(1, "I live in Leeds", slot=RESIDENCE, **hidden)], RESIDENCE, "I live in Leeds") == []


def test_slots_are_told_apart_by_owner_and_attribute_not_by_spelling() -> None:
    """Case, width and spaces make no difference; nothing is a slot without both."""
    assert slot_of("User", "ＳＳＨ  port") == slot_of("user", "ssh port")
    assert slot_of("user", "port") != slot_of("user's flatmate", "port") != slot_of("user", "residence")
    assert slot_of("a\nb", "c") != slot_of("a", "b\nc")
    assert slot_of(None, "port") == slot_of("user", None) == slot_of("user", "") == ""


def test_there_are_never_more_than_the_most() -> None:
    """A thousand of one slot, as an import may bring them."""
    units = [unit(number, f"I live in town {number}", slot=RESIDENCE) for number in range(1, 200)]
    found = known(units, RESIDENCE, "I live in town 7")
    assert found[:LATEST_OF_SLOT] == list(range(199, 199 - LATEST_OF_SLOT, -1))
    assert len(found) <= LATEST_OF_SLOT + NEAREST


def test_a_conversation_without_memories_knows_nothing() -> None:
    """Nor does an empty index."""
    assert known([], RESIDENCE, "I live in Leeds") == []
    assert known([unit(1, "I live in Leeds", scope=THERE)], RESIDENCE, "I live in Leeds") == []
