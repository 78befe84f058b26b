"""The index of a tenant in memory: what is found, in which order, while it changes."""

from __future__ import annotations

import threading
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.keyset import Place
from agent_memory.retrieval.metadata_filter import parse_metadata_filter
from agent_memory.retrieval.scope_filter import parse
from agent_memory.retrieval.tenant_index import Hit, IndexedUnit, Listed, SearchQuery, TenantIndex

MODEL = "toy"
SCOPE = ("shop", "u42", "bot", "s1")


def vector(*numbers: float):
    return np.array(numbers, np.float32)


def hexed(name: str) -> str:
    """A short name as an id, in the same order."""
    return name.encode().hex().ljust(32, "0")


def named(unit_id: str) -> str:
    return bytes.fromhex(unit_id).rstrip(b"\0").decode()


def unit(name: str, text: str, direction=None, **rest) -> IndexedUnit:
    rest = {"scope": SCOPE, "embedding_model": MODEL, **rest}
    return IndexedUnit(id=hexed(name), search_text=text, vector=direction, **rest)


def index_of(*units: IndexedUnit, dim: int = 3) -> TenantIndex:
    index = TenantIndex(MODEL, dim)
    index.apply(units, [])
    return index


def ids(hits: list[Hit] | list[Listed]) -> list[str]:
    return [named(hit.id) for hit in hits]


@pytest.fixture
def chinese() -> TenantIndex:
    """Three memories, each with its own direction: food, sport, order."""
    return index_of(
        unit("allergy", "user: 我对虾过敏", vector(1, 0, 0)),
        unit("swim", "user: 我每周三晚上学游泳", vector(0, 1, 0)),
        unit("order", "user: 订单号 AB-2093 还没到", vector(0, 0, 1)),
    )


def test_chinese_paraphrase_by_vector(chinese: TenantIndex):
    """A question that shares no word is answered by its direction."""
    hits = chinese.search(SearchQuery("哪些海鲜不能吃", vector(0.9, 0.1, 0)))
    assert ids(hits)[0] == "allergy"
    assert hits[0].similarity == pytest.approx(0.9939, abs=1e-3)


def test_chinese_by_words_alone(chinese: TenantIndex):
    """Without a vector characters and pairs find it, in traditional writing too."""
    assert ids(chinese.search(SearchQuery("游泳课是周几")))[0] == "swim"
    assert ids(chinese.search(SearchQuery("對蝦過敏")))[0] == "allergy"


@pytest.mark.parametrize("query", ["AB-2093", "ab2093", "ＡＢ－２０９３", "订单号 AB-2093", "AB-2093 在哪里"])
def test_exact_id_beats_the_vector(chinese: TenantIndex, query: str):
    """The unit that holds the identifier comes first even when the embedding points elsewhere."""
    assert ids(chinese.search(SearchQuery(query, vector(1, 0, 0))))[0] == "order"


def test_an_unknown_id_is_no_match(chinese: TenantIndex):
    """Sharing the letters of an identifier is little evidence."""
    hits = chinese.search(SearchQuery("AB-9999"))
    assert all(hit.score < 0.3 for hit in hits)


def test_one_common_character_is_little_evidence(chinese: TenantIndex):
    """Words of the question that no memory knows count as missing, not as unasked."""
    hits = chinese.search(SearchQuery("晚饭能吃海鲜吗"))
    assert ids(hits) == ["swim"]
    assert hits[0].score < 0.3


def test_scores_say_how_much_was_found(chinese: TenantIndex):
    """All that was asked: near 1; half of it: about half; each arm's part is given."""
    full, half = (chinese.search(SearchQuery(query))[0] for query in ("过敏", "过敏 游泳"))
    assert full.score > 0.9
    assert 0.3 < half.score < 0.7
    assert full.lexical == full.score
    assert full.similarity is None


def test_units_that_say_nothing_are_not_found(chinese: TenantIndex):
    """Neither words nor direction in common: no hit."""
    assert chinese.search(SearchQuery("weather", vector(0, 0, -1))) == []
    assert chinese.search(SearchQuery("")) == []
    assert chinese.search(SearchQuery("过敏", top_k=0)) == []


def test_another_models_vector_takes_no_part():
    """A unit of another model, of another length or without direction is found by words and has no similarity."""
    index = index_of(
        unit("old", "shrimp allergy", vector(1, 0, 0), embedding_model="older"),
        unit("short", "shrimp soup", vector(1, 0)),
        unit("zero", "shrimp salad", vector(0, 0, 0)),
        unit("nan", "shrimp curry", vector(np.nan, 0, 0)),
        unit("none", "shrimp stew"),
        unit("good", "prawns", vector(1, 0, 0)),
    )
    hits = {named(hit.id): hit for hit in index.search(SearchQuery("shrimp", vector(1, 0, 0)))}
    assert hits["good"].similarity == 1
    assert {hits[name].similarity for name in ("old", "short", "zero", "nan", "none")} == {None}


@pytest.mark.parametrize("direction", [vector(1, 0), vector(0, 0, 0), vector(np.nan, 1, 0), None])
def test_unusable_query_vector_leaves_the_words(chinese: TenantIndex, direction):
    """A query of another length or without direction is answered by its words."""
    hits = chinese.search(SearchQuery("过敏", direction))
    assert ids(hits) == ["allergy"]
    assert hits[0].similarity is None


def test_vectors_need_not_have_norm_one():
    """Similarity is the cosine, whatever the lengths, and never below 0."""
    index = index_of(unit("a", "x", vector(10, 0, 0)), unit("b", "shrimp", vector(-10, 0, 0)))
    hits = {named(hit.id): hit for hit in index.search(SearchQuery("shrimp", vector(0.5, 0, 0)))}
    assert hits["a"].similarity == 1
    assert hits["b"].similarity == 0


def scoped() -> TenantIndex:
    return index_of(
        unit("1", "likes tea", metadata={"channel": "web", "lang": "en"}, created_ms=1),
        unit("2", "likes green tea", scope=("shop", "u42", "bot", "s2"), metadata={"channel": "web"}, created_ms=2),
        unit("3", "likes black tea", scope=("shop", "u42", "客服", "s1"), metadata={"channel": "app"}, created_ms=3),
    )


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ({}, "123"),
        ({"agent": "bot"}, "12"),
        ({"agent": "客服", "run": "*"}, "3"),
        ({"agent": "bot", "run": "s2"}, "2"),
        ({"agent": "nobody"}, ""),
        ({"metadata": {"channel": "web"}}, "12"),
        ({"metadata": {"channel": "web", "lang": "en"}}, "1"),
        ({"metadata": {"channel": "WEB"}}, ""),
        ({"metadata": {"absent": "x"}}, ""),
        ({"scope_filter": parse({"op": "prefix", "field": "scopeKey", "value": "shop/u42/bot/"})}, "12"),
        ({"scope_filter": parse({"op": "eq", "field": "runId", "value": "s1"}), "agent": "bot"}, "1"),
        ({"metadata_filter": parse_metadata_filter({"op": "ne", "field": "lang", "value": "zh"})}, "1"),
        ({"created_from": 2}, "23"),
        ({"created_from": 2, "created_to": 2}, "2"),
        ({"created_to": 0}, ""),
    ],
)
def test_filters_come_before_ranking(rest: dict, expected: str):
    """Levels, scope filter and metadata are ANDed; only what passes is ranked."""
    query = SearchQuery("tea", selection=Selection(**rest))
    assert "".join(sorted(ids(scoped().search(query)))) == expected


def test_filtered_search_fills_top_k():
    """A filter that lets one of many pass finds it, however low it ranks among all."""
    index = index_of(
        *(unit(f"a{n}", f"tea tea {n}") for n in range(100)),
        unit("last", "some tea after a long walk through the old town", metadata={"k": "v"}),
    )
    assert ids(index.search(SearchQuery("tea", selection=Selection(metadata={"k": "v"}), top_k=1))) == ["last"]


def test_thresholds(chinese: TenantIndex):
    """`min_score` bounds the score, `min_similarity` the cosine; a unit without similarity fails the latter."""
    query = SearchQuery("过敏", vector(0.8, 0.6, 0))
    first, second = chinese.search(query)
    assert ids(chinese.search(replace(query, min_score=first.score))) == ["allergy"]
    assert ids(chinese.search(replace(query, min_similarity=0.7))) == ["allergy"]
    assert ids(chinese.search(replace(query, min_score=second.score, min_similarity=0.5))) == ["allergy", "swim"]
    assert chinese.search(replace(query, vector=None, min_similarity=0.1)) == []
    assert chinese.search(replace(query, min_score=1.0)) == []


def test_the_same_text_counts_once():
    """Copies collapse on the normalised text, in whichever scopes: the best stays, of equally good ones the newest.

    A search of one scope finds the copy that is there.
    """
    index = index_of(
        unit("old", "Likes  Tea", created_ms=1),
        unit("new", "likes tea", created_ms=2),
        unit("elsewhere", "LIKES tea", scope=("shop", "u42", "bot", "s2")),
    )
    assert ids(index.search(SearchQuery("tea"))) == ["new"]
    assert ids(index.search(SearchQuery("tea", selection=Selection(run="s2")))) == ["elsewhere"]
    assert len(index.listing(Selection(), None, 10)) == 3


def test_ties_go_to_the_newer_then_to_the_id():
    """Equal scores have one order, whatever the order of arrival."""
    units = [
        unit(name, f"{word} tea", created_ms=at)
        for name, word, at in [("b", "one", 1), ("a", "two", 1), ("c", "six", 2)]
    ]
    assert ids(index_of(*units).search(SearchQuery("tea"))) == ["c", "a", "b"]
    assert ids(index_of(*reversed(units)).search(SearchQuery("tea"))) == ["c", "a", "b"]


def test_context_lifts_its_session_a_little():
    """The same session wins a near tie and loses a clear one; scores themselves stay, the ranking is told apart."""
    index = index_of(
        unit("there", "tea with honey", scope=("shop", "u42", "bot", "s2"), created_ms=9),
        unit("here", "tea with lemon", scope=SCOPE),
        unit("best", "tea lemon honey", scope=("shop", "u42", "bot", "s3")),
    )
    plain = index.search(SearchQuery("honey lemon"))
    assert ids(plain) == ["best", "there", "here"]
    assert plain[0].ranking is None
    hits = index.search(SearchQuery("honey lemon", context=("bot", "s1")))
    assert ids(hits) == ["best", "here", "there"]
    assert [hit.ranking.same_session for hit in hits] == [False, True, False]
    assert hits[1].ranking.score > hits[1].score == hits[2].score == hits[2].ranking.score


def test_retired_and_deleted_units_are_gone():
    """A unit leaves by deletion or by being retired; an unknown id is no error; putting it again brings it back."""
    index = index_of(unit("a", "tea"), unit("b", "tea pot"), unit("c", "old tea", retired=True))
    assert ids(index.search(SearchQuery("tea"))) == ["a", "b"]
    index.apply([unit("a", "tea", retired=True)], [hexed("b"), hexed("unknown"), "no id"])
    assert index.search(SearchQuery("tea")) == []
    assert len(index) == 0
    index.apply([unit("b", "tea pot")], [hexed("b")])
    assert ids(index.search(SearchQuery("tea"))) == ["b"]


def test_replaced_text_is_no_longer_found():
    """A put of a known id takes the place of the old text, also within one call."""
    index = index_of(unit("a", "tea"), unit("a", "coffee"))
    assert index.search(SearchQuery("tea")) == []
    index.apply([unit("a", "juice")], [])
    assert index.search(SearchQuery("coffee")) == []
    assert ids(index.search(SearchQuery("juice"))) == ["a"]


def test_dead_rows_are_given_up():
    """After most units went the memory held shrinks to about what is left."""
    index = index_of(*(unit(f"u{n}", f"tea number {n}") for n in range(200)))
    full = index.size_bytes
    index.apply([], [hexed(f"u{n}") for n in range(150)])
    assert len(index) == 50
    assert index.size_bytes < full / 2


def test_size_grows_with_units():
    """An empty index weighs its objects; vectors and texts are counted."""
    empty = TenantIndex(MODEL, 384).size_bytes
    assert 0 < empty < 10_000
    assert index_of(*(unit(f"u{n}", "tea") for n in range(100)), dim=384).size_bytes > empty + 100 * 384


@pytest.mark.parametrize("memories", [1, 10, 100])
def test_the_estimate_is_what_the_interpreter_counts(memories: int):
    """For small indexes too, of which a cache holds many: a little more rather than less."""
    said = ["我对虾过敏，每周三晚上学游泳", "user: my order AB-2093 has not arrived yet", "green tea with honey"]
    units = [
        unit(f"u{n}", f"{said[n % 3]} {n}", vector(*range(1, 385)), speaker=f"Ann {n % 2}", metadata={"k": f"v{n % 4}"})
        for n in range(memories)
    ]
    index_of(*units, dim=384)
    tracemalloc.start()
    try:
        held = [index_of(*units, dim=384) for _ in range(20)]
        counted = tracemalloc.get_traced_memory()[0] / len(held)
    finally:
        tracemalloc.stop()
    assert counted < held[0].size_bytes < 1.3 * counted


TEXTS = st.sampled_from(["tea", "green tea", "coffee AB-2093", "我对虾过敏", "虾", "swimming on wednesday", ""])
UNITS = st.builds(
    unit,
    st.sampled_from("abcdefgh"),
    TEXTS,
    st.none() | st.sampled_from([vector(1, 0, 0), vector(0, 1, 0), vector(3, 4, 0)]),
    scope=st.sampled_from([SCOPE, ("shop", "u42", "bot", "s2")]),
    metadata=st.sampled_from([{}, {"k": "v"}]),
    created_ms=st.integers(0, 3),
    retired=st.booleans(),
)
CHANGES = st.lists(
    st.tuples(st.lists(UNITS, max_size=6), st.lists(st.sampled_from("abcdefgh").map(hexed), max_size=3)), max_size=8
)
QUERIES = [
    SearchQuery("tea AB-2093 虾", vector(1, 1, 0)),
    SearchQuery("tea", selection=Selection(metadata={"k": "v"})),
    SearchQuery("swim", vector(0, 1, 0), Selection(run="s2"), context=("bot", "s2")),
]


@settings(max_examples=60, deadline=None)
@given(CHANGES)
def test_incremental_equals_rebuild(changes):
    """After any changes the index answers as one that was built at once from what is left."""
    index, left = TenantIndex(MODEL, 3), {}
    for puts, deletes in changes:
        index.apply(puts, deletes)
        left = {key: value for key, value in left.items() if key not in deletes} | {put.id: put for put in puts}
    rebuilt = index_of(*left.values())
    for query in QUERIES:
        assert index.search(query) == rebuilt.search(query)
        assert index.listing(query.selection, None, 100) == rebuilt.listing(query.selection, None, 100)
    assert len(index) == sum(not put.retired for put in left.values())


@settings(max_examples=60, deadline=None)
@given(st.lists(UNITS, max_size=12), st.text(max_size=30), st.integers(0, 5))
def test_any_search_keeps_its_promises(units, text, top_k):
    """Scores in 0 to 1 and falling, ids distinct and known, never more than asked for."""
    hits = index_of(*units).search(SearchQuery(text, vector(1, 2, 0), top_k=top_k))
    assert len(hits) <= top_k
    assert len(set(ids(hits))) == len(hits)
    assert set(ids(hits)) <= {named(one.id) for one in units}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(0 <= score <= 1 for hit in hits for score in (hit.score, hit.similarity or 0, hit.lexical or 0))


def test_a_listing_is_newest_first_then_by_id():
    """Every unit is there, equal texts too; a page goes on behind the last one."""
    index = index_of(
        *(unit(name, "same text", created_ms=at) for name, at in [("b", 1), ("a", 1), ("d", 9), ("c", 5)]),
    )
    everything = [Listed(at, hexed(name)) for at, name in [(9, "d"), (5, "c"), (1, "a"), (1, "b")]]
    assert index.listing(Selection(), None, 10) == everything
    assert index.listing(Selection(), everything[1], 1) == everything[2:3]
    assert index.listing(Selection(), everything[2], 10) == everything[3:]
    assert index.listing(Selection(), Listed(7, "gone since"), 1) == everything[1:2]
    assert index.listing(Selection(created_from=5), None, 10) == everything[:2]
    assert index.listing(Selection(), None, 0) == TenantIndex(MODEL, 3).listing(Selection(), None, 5) == []


def test_expired_units_are_not_meant():
    """From their last millisecond on."""
    index = index_of(unit("a", "tea", expires_ms=100), unit("b", "tea leaves"))
    assert ids(index.listing(Selection(now_ms=99), None, 10)) == ["a", "b"]
    assert ids(index.listing(Selection(now_ms=100), None, 10)) == ["b"]
    assert ids(index.search(SearchQuery("tea", selection=Selection(now_ms=100)))) == ["b"]


def test_retired_units_stay_for_questions_about_the_past():
    """They are meant only when asked for: all that is not valid any more, or what held at an instant."""
    index = index_of(
        unit("old", "tea in hangzhou", created_ms=10, valid_to_ms=20, retired=True),
        unit("new", "tea in beijing", created_ms=20),
        unit("plan", "tea in paris", created_ms=15, valid_from_ms=30),
        unit("gone", "tea in rome", created_ms=1, expires_ms=40),
    )

    def meant(**rest) -> str:
        selection = Selection(now_ms=50, **rest)
        found = ids(index.search(SearchQuery("tea", selection=selection)))
        assert sorted(found) == sorted(ids(index.listing(selection, None, 10)))
        return " ".join(sorted(found))

    assert len(index) == 3
    assert meant() == "new plan"
    assert meant(include_invalid=True) == "new old plan"
    assert meant(as_of_ms=9) == ""
    assert meant(as_of_ms=10) == meant(as_of_ms=19) == "old"
    assert meant(as_of_ms=20) == "new"
    assert meant(as_of_ms=30) == "new plan"


def test_the_words_of_retired_units_do_not_count():
    """How rare a word is follows from what is current."""
    current = [unit("a", "green tea"), unit("b", "coffee")]
    plain = index_of(*current).search(SearchQuery("green tea"))
    assert index_of(*current, unit("c", "green", retired=True)).search(SearchQuery("green tea")) == plain


def test_a_copy_of_what_was_shown_comes_on_no_later_page():
    """The second page holds no unit that says the same as one of the first, in whichever order they stand."""
    index = index_of(
        unit("new", "likes tea", created_ms=3),
        unit("other", "likes tea too", created_ms=2),
        unit("old", "Likes  Tea", created_ms=1),
    )
    (first,) = index.search(SearchQuery("likes tea", top_k=1))
    assert named(first.id) == "new"
    assert ids(index.search(SearchQuery("likes tea", after=first.place))) == ["other"]
    assert index.search(SearchQuery("likes tea", after=Place(0, 0, "z"))) == []


@settings(max_examples=60, deadline=None)
@given(st.lists(UNITS, max_size=20), st.integers(1, 4), st.sampled_from(QUERIES))
def test_pages_are_the_whole(units, size, query):
    """Whatever the size of the pages, together they hold what one large page holds, in its order."""
    index = index_of(*units)
    hits: list[Hit] = []
    while page := index.search(replace(query, top_k=size, after=hits[-1].place if hits else None)):
        hits += page
    assert hits == index.search(replace(query, top_k=50))
    listed: list[Listed] = []
    while more := index.listing(query.selection, listed[-1] if listed else None, size):
        listed += more
    assert listed == index.listing(query.selection, None, 50)


def test_searches_see_whole_changes():
    """While another thread replaces all units of a generation by the next, every search sees exactly one generation."""

    def generation(number: int) -> list[IndexedUnit]:
        return [unit(f"u{n}", f"tea {n}", vector(1, 0, 0), created_ms=number) for n in range(20)]

    index = index_of(*generation(0))
    wrong: list[object] = []
    done = threading.Event()

    def search() -> None:
        while not done.is_set():
            hits = index.search(SearchQuery("tea", vector(1, 0, 0), top_k=50))
            if len(hits) != 20 or len(set(ids(hits))) != 20:
                wrong.append(ids(hits))

    searchers = [threading.Thread(target=search) for _ in range(2)]
    for thread in searchers:
        thread.start()
    for number in range(1, 100):
        index.apply(generation(number), [hexed(f"u{n}") for n in range(0, 20, 3)])
    done.set()
    for thread in searchers:
        thread.join()
    assert wrong == []
