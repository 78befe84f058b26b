"""Windows of a ranking that is ordered anew: whatever pages are cut from them, every hit comes once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.requests.fields import MAX_TOKEN
from agent_memory.retrieval.fusion import Ranking
from agent_memory.retrieval.rerank_window import Window, rescored
from agent_memory.retrieval.tenant_index import Hit


def hit(number: int, score: float, *, same_session: bool | None = None) -> Hit:
    ranking = None if same_session is None else Ranking(score, same_session)
    return Hit(f"{number:032x}", score, None, score, created_ms=number % 3, ranking=ranking)


def ranked(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda each: (-each.place.score, -each.place.created_ms, each.id))


def behind(hits: Sequence[Hit], window: Window) -> list[Hit]:
    """What an index gives for the window: its hits, and one more."""
    places = [(each.place.score, each.place.created_ms, each.id) for each in hits]
    after = window.after
    start = 0 if after is None else places.index((after.score, after.created_ms, after.id)) + 1
    return list(hits[start : start + window.size + 1])


def passed_on(window: Window, size: int) -> Window:
    return Window.of_token(window.to_token(), size)


@given(st.data(), st.lists(st.integers(0, 4), max_size=30), st.integers(1, 12))
def test_every_hit_comes_once(data: st.DataObject, scores: list[int], size: int) -> None:
    """However each page is ordered, and however large it is; order and size may differ from page to page."""
    hits = ranked([hit(number, score / 4) for number, score in enumerate(scores)])
    window: Window | None = Window(size)
    shown: list[str] = []
    while window is not None:
        given = behind(hits, window)
        order = data.draw(st.permutations(window.rest(data.draw(st.permutations(given)))))
        count = data.draw(st.integers(min(1, len(order)), len(order)))
        shown += [each.id for each in order[:count]]
        following = window.following(given, order, count)
        window = None if following is None else passed_on(following, data.draw(st.integers(1, 12)))
    assert sorted(shown) == sorted(each.id for each in hits)
    assert len(shown) == len(hits)


def test_a_page_stays_within_its_window() -> None:
    """A hit from further behind comes after all of the window, however the model likes it."""
    hits = ranked([hit(number, 1 - number / 10) for number in range(5)])
    window = Window(2)
    assert window.rest(behind(hits, window)) == hits[:2]
    assert Window(2, hits[1].place).rest(behind(hits, Window(2, hits[1].place))) == hits[2:4]


def test_a_window_that_was_begun_keeps_its_size() -> None:
    """Else what was shown of the larger one would come again behind the smaller one."""
    hits = ranked([hit(number, 1 - number / 10) for number in range(9)])
    begun = Window(8).following(behind(hits, Window(8)), hits[:8][::-1], 3)
    assert begun is not None
    assert passed_on(begun, 2) == begun
    assert begun.goes_on
    assert [each.id for each in begun.rest(behind(hits, begun))] == [each.id for each in hits[:5]]
    fresh = Window(8).following(behind(hits, Window(8)), hits[:8], 8)
    assert fresh is not None
    assert passed_on(fresh, 2).size == 2


def test_a_first_window_has_no_page_before() -> None:
    """And nothing in its token."""
    assert Window(5).to_token() == {}
    assert Window.of_token({}, 5) == Window(5)
    assert not Window(5).goes_on


def test_a_search_by_words_goes_on_by_words() -> None:
    """Through tokens and from window to window."""
    hits = ranked([hit(number, 1 - number / 10) for number in range(3)])
    window = Window(1, by_words=True)
    following = window.following(behind(hits, window), hits[:1], 1)
    assert following is not None
    assert passed_on(following, 1).by_words


def test_the_token_of_a_large_window_is_not_too_long() -> None:
    """A window of two hundred, all but one shown; sealing adds a third and a little."""
    hits = ranked([hit(number, 1 - number / 1_000) for number in range(200)])
    begun = Window(200, hits[0].place).following(hits, hits, 199)
    assert begun is not None
    assert len(str(begun.to_token())) * 4 / 3 + 40 < MAX_TOKEN


def test_new_scores_make_the_order() -> None:
    """Ties as they were; the parts tell what the score was before."""
    hits = [hit(0, 0.9), hit(1, 0.8), hit(2, 0.7)]
    order = rescored(hits, [0.25, 0.75, 0.25])
    assert [(each.id[-1], each.score, each.parts) for each in order] == [
        ("1", 0.75, {"local": 0.8, "reranker": 0.75}),
        ("0", 0.25, {"local": 0.9, "reranker": 0.25}),
        ("2", 0.25, {"local": 0.7, "reranker": 0.25}),
    ]
    assert rescored([], []) == []
    with pytest.raises(ValueError, match="shorter"):
        rescored(hits, [0.5])


def test_the_same_session_lifts_the_new_score() -> None:
    """As it lifted the old one: the order follows that, the score is the model's."""
    hits = [hit(0, 0.9, same_session=False), hit(1, 0.2, same_session=True)]
    order = rescored(hits, [0.5, 0.49])
    assert [each.id[-1] for each in order] == ["1", "0"]
    assert [each.score for each in order] == [0.49, 0.5]
    lifted = order[0].ranking
    assert lifted is not None
    assert 0.49 < lifted.score <= 1
