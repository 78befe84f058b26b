"""Searches of an index from question to hits: what comes first, and what no change of the index may change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.retrieval.block import IndexedUnit
from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.fusion import lexical_weight
from agent_memory.retrieval.hits import Hit, SearchQuery
from agent_memory.retrieval.pack import pack_block, unpack_block
from agent_memory.retrieval.question import question_of
from agent_memory.retrieval.ranking import first_look_at, is_foreign, rank_rows
from agent_memory.retrieval.tenant_index import TenantIndex
from tests.core.little_index import (
    AWAY,
    DAY,
    DIM,
    HOME,
    MODEL,
    NOW,
    at,
    hexed,
    index_of,
    named,
    names,
    numbers,
    rows_of,
    talk,
    unit,
    vector,
)

X, Y, Z = vector(1, 0, 0), vector(0, 1, 0), vector(0, 0, 1)


def walked(index: TenantIndex, query: SearchQuery, size: int) -> list[Hit]:
    """All pages of that size, one behind the other; behind one that is not full there is none."""
    hits: list[Hit] = []
    page = index.search(replace(query, top_k=size))
    while len(page) == size:
        hits += page
        page = index.search(replace(query, top_k=size, after=page[-1].place))
    return hits + page


def alike(one: list[Hit], other: list[Hit]) -> bool:
    """The same hits in the same order, scores to six digits."""
    return names(one) == names(other) and [each.score for each in one] == pytest.approx(
        [each.score for each in other], abs=1e-6
    )


TEXTS = [
    "tea",
    "green tea",
    "coffee AB-2093",
    "我对虾过敏",
    "虾",
    "Do you swim on wednesday?",
    "I swim at 7",
    "",
    "早上喝茶",
]
UNITS = st.builds(
    lambda name, text, direction, moment, **rest: unit(
        name, text, direction, place=at(NOW + moment), created_ms=NOW + moment * DAY, **rest
    ),
    st.sampled_from("abcdefghijkl"),
    st.sampled_from(TEXTS),
    st.none() | st.tuples(*[st.integers(-3, 3)] * 3).map(lambda numbers: vector(*numbers)),
    st.integers(-40, 0),
    scope=st.sampled_from([HOME, AWAY, ("shop", "u42", "客服", "s1")]),
    speaker=st.sampled_from(["Anna", "小明", "user", ""]),
    turn=st.booleans(),
    retired=st.sampled_from([False, False, True]),
    expires_ms=st.sampled_from([None, None, NOW]),
    importance=st.integers(0, 10),
)
CHANGES = st.lists(
    st.tuples(st.lists(UNITS, max_size=8), st.lists(st.sampled_from("abcdefghijkl").map(hexed), max_size=3)), max_size=6
)
QUERIES = [
    SearchQuery("when did Anna swim", vector(1, 1, 0), Selection(now_ms=NOW)),
    SearchQuery("小明对什么过敏", vector(0, 1, 1), Selection(now_ms=NOW), diverse=True),
    SearchQuery("tea AB-2093 in april", vector(1, 0, -1), Selection(now_ms=NOW), context=("bot", "s2"), explain=True),
    SearchQuery("green tea", vector(1, 2, 3), Selection(now_ms=NOW, include_invalid=True), rerank=False),
    SearchQuery("tea 虾", vector(1, 2, 3), Selection(now_ms=NOW), keyword_only=True),
]


@settings(max_examples=60, deadline=None)
@given(CHANGES)
def test_the_history_of_an_index_changes_no_search(changes: list[tuple[list[IndexedUnit], list[str]]]) -> None:
    """Built bit by bit, all at once, from packed blocks, or compacted: the same hits with the same scores."""
    index, left = TenantIndex(MODEL, DIM), dict[str, IndexedUnit]()
    for puts, deletes in changes:
        index.apply(puts, deletes)
        left = {key: put for key, put in left.items() if key not in deletes} | {put.id: put for put in puts}
    blocks = [unpack_block(pack_block(index.block_from(0)))]
    others = [index_of(left.values()), TenantIndex.from_blocks(MODEL, DIM, blocks)]
    for query in QUERIES:
        hits = index.search(query)
        assert all(alike(other.search(query), hits) for other in others)
        assert len(hits) < 10 or query.top_k == 10


def crowd(count: int) -> list[IndexedUnit]:
    """Turns of many conversations, with random directions."""
    random = np.random.default_rng(7)
    return [
        unit(
            f"{number:05}",
            f"{TEXTS[number % len(TEXTS)]} number{number % 97}",
            random.standard_normal(DIM).astype(np.float32),
            scope=("shop", "u42", "bot", f"s{number // 40:03}"),
            created_ms=NOW - number * 60_000,
            speaker=("Anna", "小明")[number % 2],
        )
        for number in range(count)
    ]


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.text)
def test_a_compaction_changes_no_search(query: SearchQuery) -> None:
    """Also where only some of the memories are looked at closely, and many are equal at first look."""
    units = crowd(1_300)
    dying = [unit(f"x{number:04}", "tea with Bob", X, speaker="Bob") for number in range(1_200)]
    index = index_of([*dying[:400], *units[650:], *dying[400:]])
    index.apply(units[:650], [])
    wide = replace(query, top_k=200)
    index.apply([], [dead.id for dead in dying[:900]])
    gone = {dead.id for dead in dying[:900]}
    whole = index_of([*units, *(dead for dead in dying if dead.id not in gone)])
    assert alike(index.search(wide), whole.search(wide))
    assert index.compactions == 0
    index.apply(units[:500], [dead.id for dead in dying[900:]])
    assert index.compactions == 1
    assert alike(index.search(wide), index_of(units).search(wide))


@pytest.mark.parametrize("size", [1, 3, 7])
def test_pages_walk_over_equal_scores(size: int) -> None:
    """Thirty memories that nothing tells apart: each comes once, by id."""
    units = [
        unit(f"{number:02}", f"tea w{number:02}", X, scope=("shop", "u42", "bot", f"s{number:02}"), turn=False)
        for number in range(30)
    ]
    index = index_of(reversed(units))
    query = SearchQuery("tea", X, Selection(now_ms=NOW))
    hits = walked(index, query, size)
    assert len({hit.score for hit in hits}) == 1
    assert names(hits) == [f"{number:02}" for number in range(30)]


@settings(max_examples=40, deadline=None)
@given(st.lists(UNITS, max_size=25), st.integers(1, 5), st.sampled_from(QUERIES))
def test_pages_are_the_whole(units: list[IndexedUnit], size: int, query: SearchQuery) -> None:
    """Whatever their size; in the very order unless each page is mixed by itself."""
    index = index_of(units)
    whole = index.search(replace(query, top_k=50))
    pages = walked(index, query, size)
    assert sorted(names(pages)) == sorted(names(whole))
    if not query.diverse:
        assert pages == whole


def test_pages_of_a_large_memory_end() -> None:
    """Each of those that were looked at closely comes once."""
    index = index_of(crowd(1_200))
    query = replace(QUERIES[0], top_k=1_200)
    pages = walked(index, query, 60)
    assert pages == index.search(query)
    assert len(set(names(pages))) == len(pages) > 300


def test_without_rerank_the_score_is_the_weighted_mean() -> None:
    """Of words and cosine; with the words alone for a memory without a vector."""
    index = index_of([unit("a", "green tea", X), unit("b", "black tea", Y), unit("c", "green soup")])
    hits = {
        named(hit.id): hit
        for hit in index.search(SearchQuery("green tea", vector(3, 4, 0), rerank=False, explain=True))
    }
    weight = lexical_weight(0)
    for name in ("a", "b"):
        hit = hits[name]
        assert hit.lexical is not None
        assert hit.similarity is not None
        assert hit.score == pytest.approx(weight * hit.lexical + (1 - weight) * hit.similarity, abs=2e-6)
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=2e-6)
    assert hits["a"].similarity == pytest.approx(0.6, abs=0.01)
    assert (hits["c"].score, hits["c"].similarity, dict(hits["c"].parts)) == (
        hits["c"].lexical,
        None,
        {"words": hits["c"].lexical},
    )


def test_words_alone_do_not_look_at_vectors() -> None:
    """With and without a vector of the question, and of the memories: the same."""
    texts = ["green tea", "tea", "早上喝茶", "soup"]
    with_vectors, without = index_of(talk(*texts, direction=X)), index_of(talk(*texts))
    for text in ("green tea", "喝茶", "unheard"):
        query = SearchQuery(text, X, keyword_only=True)
        hits = with_vectors.search(query)
        assert hits == with_vectors.search(replace(query, vector=None)) == without.search(query)
        assert all(hit.similarity is None and hit.score == hit.lexical for hit in hits)
    assert with_vectors.search(SearchQuery("unheard", X, keyword_only=True)) == []
    assert names(with_vectors.search(SearchQuery("green tea", -X, keyword_only=True))) == ["a", "b"]


def test_the_local_ranker_needs_a_question_with_a_vector() -> None:
    """Without one, or where no memory has one, the order is that of the words."""
    index = index_of(talk("green tea", "tea", direction=X))
    plain = index.search(SearchQuery("green tea", rerank=False))
    assert index.search(SearchQuery("green tea")) == plain
    assert index_of(talk("green tea", "tea")).search(SearchQuery("green tea", X)) == plain
    assert index.search(SearchQuery("green tea", X)) != plain


LETTERS = st.text("BCDFGHKLMNPQRTVWX", min_size=2, max_size=3)
DIGITS = st.integers(1_000, 999_999).filter(lambda number: not 1_900 <= number < 2_050).map(str)
FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
SAME_TERMS = [str, str.lower, lambda code: code.replace("-", "\u2011"), lambda code: code.translate(FULL_WIDTH)]
OTHER_TERMS = [
    lambda code: code.replace("-", ""),
    lambda code: code.replace("-", "").lower(),
    lambda code: code.replace("-", "_"),
    lambda code: code.replace("-", " "),
]


def orders(letters: str, code: str) -> TenantIndex:
    """One memory that holds the identifier, others that hold what stands around it, and one that the vector means."""
    others = ["订单号 还没到", "where is my order", f"{letters} is fine", "order 77-1"]
    return index_of(
        [
            *talk(*others, direction=Y),
            unit("x", "我对虾过敏", X, scope=AWAY),
            unit("z", f"订单号 {code} 还没到", Z, turn=False),
        ]
    )


@settings(max_examples=50, deadline=None)
@given(LETTERS, DIGITS, st.sampled_from([*SAME_TERMS, *OTHER_TERMS]))
def test_an_identifier_in_any_spelling_comes_first(letters: str, digits: str, spelling: Any) -> None:
    """Even where the vector of the question points elsewhere."""
    code = f"{letters}-{digits}"
    hits = orders(letters, code).search(SearchQuery(spelling(code), X, Selection(now_ms=NOW)))
    assert named(hits[0].id) == "z"


@settings(max_examples=50, deadline=None)
@given(LETTERS, DIGITS, st.sampled_from(SAME_TERMS), st.sampled_from(["订单号 {}", "{}在哪里", "where is order {}"]))
def test_an_identifier_in_a_sentence_comes_first(letters: str, digits: str, spelling: Any, asked: str) -> None:
    """Also beside words that other memories hold, in either language."""
    code = f"{letters}-{digits}"
    hits = orders(letters, code).search(SearchQuery(asked.format(spelling(code)), X, Selection(now_ms=NOW)))
    assert named(hits[0].id) == "z"


@pytest.mark.parametrize("text", ["qwrtz plogh", "囧囧囧", "??? !!!", "zzz 12345 zzz"])
def test_nonsense_scores_low(text: str) -> None:
    """Nothing in common by words, little by vectors: far from what an answer gets."""
    index = index_of(
        [*talk("I like green tea", "Do you swim?", "I swim on Monday", direction=X), unit("虾", "我对虾过敏", Y)]
    )
    aside = vector(0.1, 0.1, 1)
    assert max(hit.score for hit in index.search(SearchQuery(text, aside))) < 0.1
    (best, *_) = index.search(SearchQuery("who likes green tea", vector(0.9, 0, 0.4)))
    assert (named(best.id), best.score > 0.7) == ("a", True)


def test_a_neighbour_alone_can_bring_a_memory_up() -> None:
    """An answer that shares nothing with the question stands behind the question it answers."""
    rows = talk("Which animals do you keep?", "Two of them, they sleep all day", "fine weather")
    index = index_of(replace(row, vector=direction) for row, direction in zip(rows, (X, Z, Z), strict=True))
    hits = index.search(SearchQuery("which animals are kept", X))
    assert names(hits)[:2] == ["a", "b"]
    assert hits[1].similarity == 0


def test_two_searches_moments_apart_are_the_same() -> None:
    """Age counts against the newest memory, and a question about the past against that instant."""
    index = index_of(
        unit(name, f"tea {name}", X, created_ms=NOW - place * 40 * DAY, valid_to_ms=NOW + DAY)
        for place, name in enumerate("abc")
    )
    for past in ({}, {"as_of_ms": NOW - DAY}):
        first, second = (
            index.search(SearchQuery("which tea", X, Selection(now_ms=NOW + later, **past)))  # type: ignore[arg-type]
            for later in (0, 90_000)
        )
        assert first == second
        assert len(first) == (2 if past else 3)
        assert [hit.score for hit in first] == sorted((hit.score for hit in first), reverse=True)


def test_a_question_about_the_past_counts_its_phrases_from_then() -> None:
    """Last week is the week before the instant that is asked for."""
    index = index_of(
        [
            unit("a", "tea a", X, created_ms=NOW - 7 * DAY, turn=False),
            unit("b", "tea b", X, created_ms=NOW - 45 * DAY, turn=False, scope=AWAY),
        ]
    )
    then = NOW - 42 * DAY

    def scores(**rest: int) -> dict[str, float]:
        hits = index.search(SearchQuery("tea last week", X, Selection(now_ms=NOW, **rest)))  # type: ignore[arg-type]
        return {named(hit.id): hit.score for hit in hits}

    assert scores()["a"] > scores()["b"]
    assert set(scores(as_of_ms=then)) == {"b"}
    look = first_look_at(index.rows, SearchQuery("tea last week", X, Selection(now_ms=NOW, as_of_ms=then)))
    assert look is not None
    assert look.now_ms == then
    (time,) = look.question.times
    assert time.first is not None
    assert str(time.first) == "2023-03-20"


def test_parts_explain_the_score_where_asked_for() -> None:
    """In logits; otherwise there are none."""
    index = index_of(talk("green tea", "tea", direction=X))
    query = SearchQuery("green tea", vector(1, 1, 0))
    for hit in index.search(replace(query, explain=True)):
        assert 1 / (1 + np.exp(-sum(hit.parts.values()))) == pytest.approx(hit.score, abs=1e-3)
    assert all(hit.parts == {} for hit in index.search(query))


def test_which_memories_are_of_another_language() -> None:
    """Chinese for a question that is not, and the other way round."""
    rows = rows_of([unit("a", "I like tea"), unit("b", "我喜欢喝茶"), unit("c", "Caroline 喜欢喝茶")])
    chosen = numbers(rows, "abc")
    assert is_foreign(rows, chosen, question_of("who likes tea", NOW)).tolist() == [False, True, True]
    assert is_foreign(rows, chosen, question_of("谁喜欢喝茶", NOW)).tolist() == [True, False, False]


def test_a_memory_in_another_language_is_found_beside_its_own() -> None:
    """Equally near: the words it cannot have in common do not push it behind."""
    index = index_of(
        [
            unit("a", "我每天早上喝绿茶", X, turn=False),
            unit("b", "I went out with a dog and its tea", Y, turn=False, scope=AWAY),
        ]
    )
    hits = index.search(SearchQuery("what tea is drunk every morning", vector(1, 0.3, 0)))
    assert names(hits)[0] == "a"


def test_nothing_is_asked_of_nothing() -> None:
    """No words and no vector; nothing selected; filters that leave none."""
    rows = rows_of(talk("tea", "cake", direction=X))
    assert rank_rows(rows, SearchQuery("")) == []
    assert rank_rows(rows, SearchQuery("tea", X, Selection(agent="nobody"))) == []
    assert rank_rows(rows, SearchQuery("tea", X, Selection(now_ms=NOW), min_score=1.0)) == []


@pytest.mark.parametrize("text", ["我" * 8_192, "tea " * 2_048, "ab-1 " * 1_638])
def test_questions_of_the_greatest_length(text: str) -> None:
    """Answered like others."""
    index = index_of(talk("我喜欢喝茶", "tea AB-1", direction=X))
    assert len(index.search(SearchQuery(text, X))) == 2


def test_thousands_of_terms_take_little_memory() -> None:
    """A pasted text as a question: what is counted at once does not grow with it."""
    import tracemalloc

    words = [f"k{number:04}" for number in range(1_500)]
    index = index_of(
        [unit(f"{place:04}", " ".join(words[place : place + 8]), X, created_ms=NOW + place) for place in range(990)]
    )
    tracemalloc.start()
    hits = index.search(SearchQuery(" ".join(words), X))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(hits) == 10
    assert peak < 60_000_000
