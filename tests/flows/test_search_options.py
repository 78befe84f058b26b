"""SearchMemories beyond the spec: words alone, diversity, scores of the parts, models that fail, a second look."""

from __future__ import annotations

from typing import Any

import pytest

from agent_memory.errors import EmbedderFailed
from tests.conftest import SCOPE, Service, make_service
from tests.stand_ins import ScriptedReranker, WordEmbedder

TENANT = {"appId": "shop", "tenantId": "t1"}
FRUITS = ("apple", "banana", "cherry", "damson", "elder", "fig", "grape", "苹果", "香蕉")


class Lame(WordEmbedder):
    """An embedder that may stop to answer questions."""

    away = False

    def embed(self, texts: Any, side: str) -> Any:
        if self.away and side == "query":
            raise EmbedderFailed("no answer from somewhere.example")
        return super().embed(texts, side)


def fruit_shop(**ports: Any) -> Service:
    """Nine memories that say nearly the same."""
    made = make_service(**ports)
    made.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    for place, fruit in enumerate(FRUITS):
        made.add(f"I like to eat fruit: {fruit}", scope={**SCOPE, "runId": f"r{place % 2}"}, infer=False)
    made.drain()
    return made


def page(service: Service, query: str = "which fruit to eat", **fields: Any) -> dict[str, Any]:
    return service.ok("SearchMemories", {"memoryStoreName": "mem", "scope": TENANT, "query": query, **fields})


def fruits(answer: dict[str, Any]) -> list[str]:
    return [hit["unit"]["text"].rpartition(" ")[2] for hit in answer["results"]]


def all_pages(service: Service, between: Any = int, **fields: Any) -> list[list[str]]:
    """The fruits of each page; `between` is called after each."""
    found, token = [], {}
    for _ in range(30):
        answer = page(service, **fields, **token)
        found.append(fruits(answer))
        if "nextToken" not in answer:
            return found
        token = {"nextToken": answer["nextToken"]}
        between()
    raise AssertionError(found)


def flat(pages: list[list[str]]) -> list[str]:
    return [fruit for each in pages for fruit in each]


def test_words_alone_need_no_embedding() -> None:
    """keywordOnly calls neither embedder nor reranker; results have no similarity and say they come from words."""
    reranker = ScriptedReranker(len)
    shop = fruit_shop(reranker=reranker)
    embedder = shop.services.embedder
    before = embedder.calls
    for query, fruit in (("cherry", "cherry"), ("苹果", "苹果"), ("蘋果", "苹果")):
        answer = page(shop, query, keywordOnly=True)
        assert fruits(answer) == [fruit]
        assert "similarity" not in answer["results"][0]
        assert answer["results"][0]["source"] == "lexical"
    assert page(shop, "something quite different", keywordOnly=True)["results"] == []
    assert (embedder.calls, reranker.asked) == (before, [])
    assert "similarity" in page(shop, "cherry")["results"][0]
    assert embedder.calls > before


def test_words_alone_come_in_pages() -> None:
    """Each once."""
    assert sorted(flat(all_pages(fruit_shop(), keywordOnly=True, topK=2))) == sorted(FRUITS)


def test_without_an_embedder_words_answer() -> None:
    """With a warning instead of an error, in words that name no vendor, on every page."""
    embedder = Lame()
    shop = fruit_shop(embedder=embedder)
    assert "warnings" not in page(shop, "cherry")
    embedder.away = True
    answer = page(shop, "cherry fruit", topK=2)
    assert fruits(answer)[0] == "cherry"
    assert "similarity" not in answer["results"][0]
    (warning,) = answer["warnings"]
    assert (warning["code"], set(warning)) == ("EMBEDDER_FAILED", {"code", "message"})
    assert "example" not in warning["message"]
    assert "code" not in answer
    assert sorted(flat(all_pages(shop, topK=2))) == sorted(FRUITS)
    embedder.away = False
    rest = page(shop, "cherry fruit", topK=50, nextToken=answer["nextToken"])
    assert rest["warnings"] == [warning]
    assert sorted(fruits(rest) + fruits(answer)) == sorted(FRUITS)


def test_a_page_that_cannot_follow_the_first_is_refused() -> None:
    """What was begun with meaning does not go on by words: hits would come twice, or never."""
    embedder = Lame()
    shop = fruit_shop(embedder=embedder)
    token = page(shop, topK=2)["nextToken"]
    embedder.away = True
    body = {"memoryStoreName": "mem", "scope": TENANT, "query": "which fruit to eat", "topK": 2, "nextToken": token}
    status, answer = shop.call("SearchMemories", body)
    assert (status, answer["code"]) == (503, "EMBEDDER_FAILED")
    embedder.away = False
    assert len(page(shop, topK=2, nextToken=token)["results"]) == 2


def test_the_scores_of_the_parts_are_shown_when_asked_for() -> None:
    """`scores` is an object of numbers, and absent otherwise."""
    shop = fruit_shop()
    assert "scores" not in page(shop)["results"][0]
    for hit in page(shop, includeScores=True)["results"]:
        assert all(isinstance(score, float) for score in hit["scores"].values())
    reranked = fruit_shop(reranker=ScriptedReranker(lambda text: 0.25))
    local = {hit["unit"]["id"]: hit["score"] for hit in page(shop, topK=50)["results"]}
    results = page(reranked, includeScores=True)["results"]
    assert len(results) == len(FRUITS)
    for hit in results:
        assert (hit["scores"]["reranker"], hit["score"]) == (0.25, 0.25)
        assert hit["scores"]["local"] == local[hit["unit"]["id"]]


@pytest.mark.parametrize("size", [1, 2, 4, 50])
def test_diverse_results_come_once(size: int) -> None:
    """No two of equal text, pages of the size asked for, all of them in the end."""
    shop = fruit_shop()
    shop.add("I like to eat fruit:  APPLE", scope={**SCOPE, "runId": "r0"}, infer=False)
    shop.drain()
    pages = all_pages(shop, dedup="mmr", topK=size)
    assert sorted(flat(pages)) == sorted(FRUITS)
    assert [len(each) for each in pages[:-1]] == [size] * (len(pages) - 1)


SCORES = {fruit: 0.9 - place / 10 for place, fruit in enumerate(reversed(FRUITS))}


def liking(text: str) -> float:
    return SCORES[text.rpartition(" ")[2]]


def test_a_reranker_decides_on_order_and_score() -> None:
    """Of a window of the best; it reads the question and the texts as they are stored."""
    reranker = ScriptedReranker(liking, window=20)
    shop = fruit_shop(reranker=reranker)
    answer = page(shop, topK=3)
    assert fruits(answer) == ["香蕉", "苹果", "grape"]
    assert [hit["score"] for hit in answer["results"]] == [SCORES[fruit] for fruit in fruits(answer)]
    ((query, texts),) = reranker.asked
    assert query == "which fruit to eat"
    assert sorted(texts) == sorted(f"I like to eat fruit: {fruit}" for fruit in FRUITS)


def test_without_rerank_it_is_not_asked() -> None:
    """enableRerank false, an empty tenant, no results wanted."""
    reranker = ScriptedReranker(liking, window=20)
    shop = fruit_shop(reranker=reranker)
    page(shop, enableRerank=False)
    page(shop, topK=0)
    shop.ok("SearchMemories", {"memoryStoreName": "mem", "scope": {**TENANT, "tenantId": "nobody"}, "query": "fruit"})
    assert reranker.asked == []


@pytest.mark.parametrize("window", [1, 3, 4, 9, 20])
@pytest.mark.parametrize("size", [1, 2, 4, 50])
def test_reranked_pages_neither_repeat_nor_skip(window: int, size: int) -> None:
    """Within a window by the model's score, window after window, however the two sizes fit together."""
    shop = fruit_shop(reranker=ScriptedReranker(liking, window=window))
    pages = all_pages(shop, topK=size)
    assert sorted(flat(pages)) == sorted(FRUITS)
    assert len(flat(pages)) == len(FRUITS)
    assert max(len(each) for each in pages) <= size
    first = flat(pages)[: max(window, size)]
    assert [SCORES[fruit] for fruit in first] == sorted((SCORES[fruit] for fruit in first), reverse=True)


def test_a_reranker_that_fails_leaves_the_local_order() -> None:
    """With a warning; order and scores are those of a service without one, and minScore is a bound on these."""
    reranker = ScriptedReranker(liking, window=20)
    shop = fruit_shop(reranker=reranker)
    local = page(fruit_shop(), topK=50)
    reranker.fails = True
    answer = page(shop, topK=50)
    assert [warning["code"] for warning in answer["warnings"]] == ["RERANKER_FAILED"]
    assert "warnings" not in local
    assert answer["results"] == local["results"]
    assert answer["results"] != page(shop, enableRerank=False, topK=50)["results"]
    bound = local["results"][1]["score"]
    kept = page(shop, topK=50, thresholds={"minScore": bound})["results"]
    assert kept == [hit for hit in local["results"] if hit["score"] >= bound]
    assert len(kept) < len(FRUITS)


@pytest.mark.parametrize("size", [1, 2, 4])
@pytest.mark.parametrize("by_words", [False, True])
def test_pages_are_the_whole_ranking(size: int, *, by_words: bool) -> None:
    """Page by page the same results in the same order as at once; by words alone most scores are equal."""
    shop = fruit_shop()
    whole = page(shop, topK=50, keywordOnly=by_words)["results"]
    scores = {hit["score"] for hit in whole}
    assert len(whole) == len(FRUITS)
    assert len(scores) < 4 if by_words else len(scores) > 4
    assert flat(all_pages(shop, topK=size, keywordOnly=by_words)) == fruits({"results": whole})


def test_a_reranker_that_comes_and_goes_makes_no_page_repeat() -> None:
    """The order of a page may be the other one; what was shown is not shown again, and nothing is left out."""
    for first in (True, False):
        reranker = ScriptedReranker(liking, window=5)
        reranker.fails = first
        shop = fruit_shop(reranker=reranker)

        def change(reranker: ScriptedReranker = reranker) -> None:
            reranker.fails = not reranker.fails

        assert sorted(flat(all_pages(shop, change, topK=2))) == sorted(FRUITS)


def test_the_least_score_is_the_rerankers() -> None:
    """What the model thinks little of is left out, however well the words fit; both bounds hold."""
    shop = fruit_shop(reranker=ScriptedReranker(liking, window=20))
    for bound in ({"minSimilarity": 0.65}, {"thresholds": {"minScore": 0.65}}):
        assert fruits(page(shop, topK=50, **bound)) == ["香蕉", "苹果", "grape"]
    assert page(shop, topK=50, thresholds={"minScore": 0.65, "minSimilarity": 1.0})["results"] == []
    few = fruit_shop(reranker=ScriptedReranker(liking, window=4))
    kept = flat(all_pages(few, topK=3, thresholds={"minScore": 0.65}))
    assert sorted(kept) == sorted(["香蕉", "苹果", "grape"])


def test_the_same_session_lifts_reranked_hits() -> None:
    """The order follows rankingScore; the score stays the model's."""
    shop = fruit_shop(reranker=ScriptedReranker(lambda text: 0.5, window=20))
    results = page(shop, topK=50, contextScope={**SCOPE, "runId": "r1"})["results"]
    assert [hit["score"] for hit in results] == [0.5] * len(FRUITS)
    same = [hit["rankingSignals"]["sameSession"] for hit in results]
    assert same == sorted(same, reverse=True)
    assert all((hit["rankingScore"] > 0.5) == hit["rankingSignals"]["sameSession"] for hit in results)


def test_a_memory_deleted_between_two_pages_is_no_gap() -> None:
    """In a window that is ordered anew, too."""
    shop = fruit_shop(reranker=ScriptedReranker(liking, window=20))
    answer = page(shop, topK=2)
    ids = {hit["unit"]["text"].rpartition(" ")[2]: hit["unit"]["id"] for hit in page(shop, topK=50)["results"]}
    shop.ok("DeleteMemory", {"memoryStoreName": "mem", "memoryId": ids["grape"]})
    shop.ok("DeleteMemory", {"memoryStoreName": "mem", "memoryId": ids["香蕉"]})
    rest = page(shop, topK=50, nextToken=answer["nextToken"])
    assert sorted(fruits(rest)) == sorted(set(FRUITS) - {"香蕉", "苹果", "grape"})


@pytest.mark.parametrize(
    "changed",
    [
        {"keywordOnly": True},
        {"dedup": "mmr"},
        {"enableRerank": False},
        {"includeInvalid": True},
        {"asOf": "2026-11-30T10:00:00Z"},
    ],
)
def test_a_token_is_good_for_the_same_search_only(changed: dict[str, Any]) -> None:
    """All that decides on results and order is bound; what is only shown beside them is not."""
    shop = fruit_shop()
    token = page(shop, topK=2)["nextToken"]
    body = {"memoryStoreName": "mem", "scope": TENANT, "query": "which fruit to eat", "topK": 2, "nextToken": token}
    status, message = shop.refused("SearchMemories", {**body, **changed})
    assert (status, message.startswith("nextToken ")) == (400, True)
    assert len(page(shop, topK=3, includeScores=True, includeEvidence=True, nextToken=token)["results"]) == 3
