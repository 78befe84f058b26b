"""A tenant's rows: whatever happened to them, they say what an index built at once from what is left would say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.retrieval.assembly import Assembly
from agent_memory.retrieval.block import IndexedUnit, build_block, folded_name
from agent_memory.retrieval.columns import ALWAYS, NEVER, RETIRED, Shelf, unwritten
from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.hits import SearchQuery
from agent_memory.retrieval.pack import pack_block, unpack_block
from agent_memory.retrieval.places import place_of
from agent_memory.retrieval.postings import Postings, term_hash
from agent_memory.retrieval.ranking import rank_rows
from agent_memory.retrieval.rows import Rows
from agent_memory.retrieval.tenant_index import TenantIndex
from agent_memory.retrieval.tokenizer import tokens
from agent_memory.visibility import Visibility

MODEL, DIM = "toy", 3
HOME, OTHER, THIRD = (("shop", "u42", "bot", "s1"), ("shop", "u42", "客服", "s2"), ("shop", "u42", "bot", "s3"))
NAMES = "abcdefghijkl"
TEXTS = ["tea", "green tea, tea", "我对虾过敏吗？", "虾", "swimming on wednesday", "", "tea tea tea"]
TERMS = sorted({term for text in TEXTS for term in tokens(text)})


def hexed(name: str) -> str:
    """An id as a tenant's are: all start alike."""
    return "00aabbccddee" + name.encode().hex().rjust(20, "0")


def at(filed: int, arrived: int = 0, position: int = 0) -> bytes:
    return place_of(f"at/{filed:015d}/{arrived:015d}0a1b2c3d{position:02d}/{'0' * 32}", 0)


def unit(name: str, text: str = "tea", **rest: Any) -> IndexedUnit:
    rest = {"scope": HOME, "embedding_model": MODEL, "turn": True, **rest}
    return IndexedUnit(id=hexed(name), search_text=text, **rest)


def index_of(*units: IndexedUnit) -> TenantIndex:
    index = TenantIndex(MODEL, DIM)
    index.apply(units, [])
    return index


def said(rows: Rows, row: int) -> dict[str, Any]:
    """All that the rows say of one memory, neighbours by id."""
    plain = ("created_ms", "expires_ms", "valid_from_ms", "valid_to_ms", "born_life", "born_generation", "flags")
    more = ("importance", "groups", "lengths", "has_vector", "places", "vectors")
    around = [rows.before[row], rows.after[row]]
    return {
        **{name: getattr(rows, name)[row].tolist() for name in (*plain, *more)},
        "around": [None if other < 0 else rows.id_of(int(other)) for other in around],
        "scope": rows.scopes[rows.scope_codes[row]],
        "speaker": None if rows.speaker_codes[row] < 0 else rows.speakers[rows.speaker_codes[row]],
    }


def living(rows: Rows) -> list[int]:
    return np.flatnonzero(rows.alive).tolist()


def state(rows: Rows) -> dict[str, Any]:
    """What the rows say, without their numbers and without dead ones."""
    row_of = {rows.id_of(row): row for row in living(rows)}
    assert len(row_of) == rows.alive.sum()
    assert {name: rows.row_of(name) for name in row_of} == row_of
    found = {}
    for term in TERMS:
        where, counts = rows.postings.find(term_hash(term))
        assert (np.diff(where) > 0).all()
        assert counts.dtype == np.float32
        found[term] = {rows.id_of(row): count for row, count in zip(where, counts, strict=True) if rows.alive[row]}
    metadata = {
        (key, value): names
        for key, by_value in rows.metadata.items()
        for value, where in by_value.items()
        if (names := {rows.id_of(row) for row in where if rows.alive[row]})
    }
    return {"rows": {name: said(rows, row) for name, row in row_of.items()}, "terms": found, "metadata": metadata}


def expected_around(units: Iterable[IndexedUnit]) -> dict[str, list[str | None]]:
    """The turns around each memory, found one by one."""
    ordered = sorted(units, key=lambda each: (each.scope, each.place or place_of(None, each.created_ms), each.id))
    found = {}
    for number, each in enumerate(ordered):
        place = each.place or place_of(None, each.created_ms)

        def counts(other: IndexedUnit, each: IndexedUnit = each, place: bytes = place) -> bool:
            same_place = (other.place or place_of(None, other.created_ms)) == place
            return other.turn and other.scope == each.scope and (each.turn or not same_place)

        earlier = [other.id for other in ordered[:number] if counts(other)]
        later = [other.id for other in ordered[number + 1 :] if counts(other)]
        found[each.id] = [earlier[-1] if earlier else None, later[0] if later else None]
    return found


UNITS = st.builds(
    unit,
    st.sampled_from(NAMES),
    st.sampled_from(TEXTS),
    scope=st.sampled_from([HOME, HOME, OTHER, THIRD]),
    speaker=st.sampled_from(["", "Ann", "ANN ", "小王"]),
    metadata=st.sampled_from([{}, {"k": "v"}, {"k": "w", "颜色": "红"}]),
    vector=st.none() | st.sampled_from([np.array(each, np.float32) for each in [(1, 0, 0), (3, -4, 0)]]),
    created_ms=st.integers(0, 9),
    expires_ms=st.none() | st.integers(0, 9),
    valid_to_ms=st.none() | st.integers(0, 9),
    retired=st.booleans(),
    turn=st.sampled_from([True, True, False]),
    importance=st.integers(0, 10),
    place=st.just(b"") | st.builds(at, st.integers(0, 5), st.integers(0, 2), st.integers(0, 2)),
    born=st.tuples(st.integers(1, 2), st.integers(0, 2)),
)
IDS = st.sampled_from(NAMES).map(hexed)
CHANGES = st.lists(st.tuples(st.lists(UNITS, max_size=8), st.lists(IDS, max_size=3)), max_size=10)


def steps(changes: Iterable[tuple[list[IndexedUnit], list[str]]]) -> Iterator[tuple[TenantIndex, dict[str, Any]]]:
    """The index after each change, and the memories that are left."""
    index, left = TenantIndex(MODEL, DIM), {}
    for puts, deletes in changes:
        index.apply(puts, deletes)
        left = {key: value for key, value in left.items() if key not in deletes} | {put.id: put for put in puts}
        yield index, left


@settings(max_examples=150, deadline=None)
@given(CHANGES)
def test_any_changes_equal_one_build(changes: Any) -> None:
    """Columns, tables, postings, metadata and links, after every step."""
    for index, left in steps(changes):
        assert state(index.rows) == state(index_of(*left.values()).rows)
        around = {name: each["around"] for name, each in state(index.rows)["rows"].items()}
        assert around == expected_around(left.values())
        assert len(index) == sum(not each.retired for each in left.values())


@settings(max_examples=60, deadline=None)
@given(CHANGES, st.lists(UNITS, max_size=12))
def test_views_stay_as_they_are(changes: Any, first: list[IndexedUnit]) -> None:
    """Whoever read the rows once reads the same for ever."""
    index = index_of(*first)
    seen = [(index.rows, state(index.rows))]
    for puts, deletes in changes:
        index.apply(puts, deletes)
        seen.append((index.rows, state(index.rows)))
    for rows, before in seen:
        assert state(rows) == before


@settings(max_examples=60, deadline=None)
@given(st.lists(UNITS, max_size=12), st.lists(UNITS, max_size=12), CHANGES)
def test_blocks_and_changes_equal_changes_alone(
    first: list[IndexedUnit], then: list[IndexedUnit], changes: Any
) -> None:
    """An index of packed blocks, with rows of the first that the second replaces, goes on like one without blocks."""
    early, late = ({each.id: each for each in units} for units in (first, then))
    blocks = [unpack_block(pack_block(build_block(list(units.values()), MODEL, DIM))) for units in (early, late)]
    alive = [
        block.id_of(row) not in replaced
        for block, replaced in zip(blocks, (late, {}), strict=True)
        for row in range(block.size)
    ]
    again = TenantIndex.from_blocks(MODEL, DIM, blocks, np.array(alive, np.bool_))
    index = index_of(*{**early, **late}.values())
    assert state(again.rows) == state(index.rows)
    for puts, deletes in changes:
        index.apply(puts, deletes)
        again.apply(puts, deletes)
        assert state(again.rows) == state(index.rows)


QUESTIONS = [
    SearchQuery("对虾过敏", np.array((1, 1, 0), np.float32)),
    SearchQuery("green tea", selection=Selection(metadata={"颜色": "红"})),
    SearchQuery("swimming 虾 tea", np.array((3, -4, 0), np.float32), Selection(include_invalid=True)),
]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(UNITS, max_size=8), max_size=8), st.integers(0, 3), CHANGES)
def test_many_blocks_at_once_equal_one_after_the_other(pages: Any, more: int, changes: Any) -> None:
    """The same rows, entry by entry, and the same answers, then and after changes, whatever room they were given."""
    first = {each.id: page for page, units in enumerate(pages) for each in reversed(units)}
    kept = [{each.id: each for each in units if first[each.id] == page} for page, units in enumerate(pages)]
    packed = [pack_block(build_block(list(units.values()), MODEL, DIM)) for units in kept]
    one_by_one = Assembly(DIM)
    for data in packed:
        one_by_one.append(unpack_block(data))
    for room in (0, one_by_one.rows.size, one_by_one.rows.size + more):
        together = Assembly(DIM)
        together.append_all(map(unpack_block, packed), room)
        assert entries(together.rows) == entries(one_by_one.rows)
    one_by_one.link_all()
    index = TenantIndex.from_blocks(MODEL, DIM, map(unpack_block, packed), np.ones(one_by_one.rows.size, np.bool_))
    assert entries(index.rows) == entries(one_by_one.rows)
    if index.rows.size:
        assert [index.search(each) for each in QUESTIONS] == [rank_rows(one_by_one.rows, each) for each in QUESTIONS]
    plain = index_of(*(each for units in kept for each in units.values()))
    for puts, deletes in changes:
        index.apply(puts, deletes)
        plain.apply(puts, deletes)
        assert state(index.rows) == state(plain.rows)
        assert [index.search(each) for each in QUESTIONS] == [plain.search(each) for each in QUESTIONS]


def entries(rows: Rows) -> list[Any]:
    """All that there is, row by row and part by part, with types."""
    arrays = {**rows.arrays(), "alive": rows.alive, "current": rows.current, "lengths of scopes": rows.scope_lengths}
    arrays |= {"before": rows.before, "after": rows.after}
    found: list[Any] = [(name, array.dtype, array.tolist()) for name, array in arrays.items()]
    for part in rows.postings.parts:
        lists = [part.id_keys, part.id_rows, *(getattr(part.postings, name) for name in Postings.__slots__)]
        metadata = [(key, value, each.tolist()) for key, of in part.metadata.items() for value, each in of.items()]
        found.append((part.first, part.size, [(each.dtype, each.tolist()) for each in lists], metadata))
    return [*found, rows.scopes, rows.speakers, rows.living]


@settings(max_examples=60, deadline=None)
@given(CHANGES)
def test_current_rows_are_counted(changes: Any) -> None:
    """Alive and not retired; their number, and their terms by scope, are kept along."""
    for index, _ in steps(changes):
        rows = index.rows
        assert rows.current.tolist() == (rows.alive & ((rows.flags & RETIRED) == 0)).tolist()
        assert rows.living == rows.current.sum() == len(index)
        lengths = np.zeros(len(rows.scopes))
        np.add.at(lengths, rows.scope_codes[rows.current], rows.lengths[rows.current])
        assert rows.scope_lengths.tolist() == lengths.tolist()


def test_large_arrays_are_as_good_as_small_ones() -> None:
    """Of any shape and type, to be written to; what is kept on a shelf stays as it was."""
    large = unwritten((3_000, 500), np.dtype("<i8"))
    assert (large.shape, large.dtype) == ((3_000, 500), np.int64)
    large[:] = np.arange(500)
    assert large[2_999].tolist() == list(range(500))
    shelf = Shelf()
    given_ = [np.arange(length, dtype=dtype) for length in (0, 1, 7, 5_000_000) for dtype in ("<u4", "<u8", "|u1")]
    put = [shelf.put(array) for array in given_]
    assert all(np.array_equal(*pair) and pair[0].dtype == pair[1].dtype for pair in zip(given_, put, strict=True))


@settings(max_examples=60, deadline=None)
@given(CHANGES, st.integers(0, 12))
def test_blocks_from_a_row_on(changes: Any, cut: int) -> None:
    """They hold the living rows from there on in conversation order; all blocks together are the index again."""
    index = TenantIndex(MODEL, DIM)
    for puts, deletes in changes:
        index.apply(puts, deletes)
    rows, cut = index.rows, min(cut, index.rows.size)
    late, every = index.block_from(cut), index.block_from(0)
    assert {late.id_of(row) for row in range(late.size)} == {rows.id_of(row) for row in living(rows) if row >= cut}
    assert state(TenantIndex.from_blocks(MODEL, DIM, [every]).rows) == state(rows)
    ordered = [
        (every.scopes[every.scope_codes[row]], *every.places[row], every.id_of(row)) for row in range(every.size)
    ]
    assert ordered == sorted(ordered)
    known = {each.id: each for puts, _ in changes for each in puts}
    direct = build_block([known[rows.id_of(row)] for row in living(rows)], MODEL, DIM)
    assert pack_block(direct) == pack_block(every)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(UNITS, max_size=8), max_size=6))
def test_pages_equal_one_build(pages: list[list[IndexedUnit]]) -> None:
    """In whichever order the memories come, and however often."""
    left = {each.id: each for page in pages for each in page}
    assert state(TenantIndex.from_pages(MODEL, DIM, pages).rows) == state(index_of(*left.values()).rows)


@settings(max_examples=60, deadline=None)
@given(st.lists(UNITS, max_size=20), st.integers(0, 3), st.integers(0, 3), st.integers(1, 2))
def test_hidden_rows_are_those_that_the_rule_hides(units: list[IndexedUnit], one: int, two: int, app: int) -> None:
    """By conversation and birth, as for the records themselves."""
    visible = Visibility(2, 3, {"shop": app}, {("bot", "s1"): one, ("客服", "*"): two})
    left = {each.id: each for each in units}
    kept = [each for each in left.values() if not hides(visible, each)]
    index = index_of(*units)
    index.hide(visible)
    assert state(index.rows) == state(index_of(*kept).rows)


def hides(visible: Visibility, each: IndexedUnit) -> bool:
    app, _, agent, run = each.scope
    life, generation = each.born
    marks = [visible.marks.get(name, 0) for name in ((agent, "*"), (agent, run))]
    return life < visible.gone_apps[app] or generation < max(marks)


def test_rows_are_numbered_anew_only_by_compaction() -> None:
    """A memory keeps its row until more rows are dead than alive; then all stand in the order of the conversations."""
    index = index_of(unit("a", place=at(2)), unit("b", place=at(1)))
    index.apply([unit("c", place=at(0))], [])
    assert [index.rows.id_of(row)[-2:] for row in range(3)] == ["62", "61", "63"]
    index.apply([], [hexed("a")])
    assert (index.rows.size, index.compactions) == (3, 0)
    index.apply([], [hexed("c")])
    assert (index.rows.size, index.compactions) == (1, 1)
    assert index.rows.row_of(hexed("b")) == 0
    assert index.rows.row_of(hexed("a")) is None
    assert index.rows.row_of("no id") is None


def test_a_block_stands_in_conversation_order() -> None:
    """By scope, place and id, with tables of only what is used and open ends as extremes."""
    block = build_block(
        [unit("c", scope=OTHER, speaker="Ａnn"), unit("b", place=at(2)), unit("a", place=at(1), speaker="ann  B")],
        MODEL,
        DIM,
    )
    assert [block.id_of(row) for row in range(3)] == [hexed(name) for name in "abc"]
    assert block.scopes == (HOME, OTHER)
    assert block.speakers == ("ann b", "ann") == (folded_name("ANN b "), folded_name("Ann"))
    assert block.speaker_codes.tolist() == [0, -1, 1]
    assert set(block.valid_from_ms.tolist()) == {ALWAYS}
    assert set(block.expires_ms.tolist()) == set(block.valid_to_ms.tolist()) == {NEVER}


@pytest.mark.parametrize("wrong", [{"id": "a" * 31}, {"id": "A" * 32}, {"id": "é" * 32}, {"place": b"short"}])
def test_ids_and_places_have_one_form(wrong: dict[str, Any]) -> None:
    """Anything else is a mistake of the caller."""
    with pytest.raises(ValueError, match="must be"):
        build_block([replace(unit("a"), **wrong)], MODEL, DIM)


def test_blocks_of_another_model_are_refused() -> None:
    """Their vectors mean something else."""
    with pytest.raises(ValueError, match="same model"):
        TenantIndex.from_blocks(MODEL, 4, [build_block([unit("a")], MODEL, DIM)])


def test_a_long_conversation_takes_late_arrivals() -> None:
    """Messages that come in any order are linked as if they had come in theirs, in both directions."""
    order = np.random.default_rng(7).permutation(200).tolist()
    index = TenantIndex(MODEL, DIM)
    for start in range(0, 200, 9):
        index.apply([unit(f"{n:03d}", place=at(n)) for n in order[start : start + 9]], [])
    rows = index.rows
    row, names = rows.row_of(hexed("000")), []
    while row is not None and row >= 0:
        names.append(rows.id_of(row))
        assert rows.before[row] == (-1 if len(names) == 1 else rows.row_of(names[-2]))
        row = int(rows.after[row])
    assert names == [hexed(f"{n:03d}") for n in range(200)]
