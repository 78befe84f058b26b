"""Every reranker keeps the same contract, and those that call a service make their calls as it wants them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from agent_memory.adapters.bedrock_reranker import MAX_CHARACTERS, model_arn
from agent_memory.ports import Reranker

from .reranking_adapters import adapter, bedrock, http
from .reranking_server import ARN, RerankingServer, reranking_server

QUERY = "我对什么过敏？"
TEXTS = [
    "The train leaves at half past seven.",
    "我对虾过敏",
    "",
    "  \n",
    "🎉👩‍👩‍👧 café",
    "\ud800 lone",
    "word " * 9000,
]
SERVICES = ["bedrock", "http"]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RerankingServer]:
    """The services, on loopback and never through a proxy."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with reranking_server() as running:
        yield running


@pytest.fixture(params=["local", *SERVICES])
def reranker(request: pytest.FixtureRequest, server: RerankingServer) -> Reranker:
    """Each adapter in turn."""
    return adapter(request.param, server)


def test_every_text_gets_one_score(reranker: Reranker) -> None:
    """From 0 to 1: Chinese, emoji, blank, ill-formed and long texts included."""
    scores = reranker.score(QUERY, TEXTS)
    assert len(scores) == len(TEXTS)
    assert all(type(score) is float and 0 <= score <= 1 for score in scores)


@pytest.mark.parametrize("query", ["", " ", "\ud800", "虾" * 50_000])
def test_any_query_is_asked(query: str, reranker: Reranker) -> None:
    """A blank one, an ill-formed one, one longer than any service takes."""
    assert len(reranker.score(query, ["我对虾过敏", "the train"])) == 2


def test_no_text_gives_no_score(reranker: Reranker, server: RerankingServer) -> None:
    """And nobody is called for it."""
    assert reranker.score(QUERY, []) == []
    assert server.calls == []


def test_a_reranker_has_a_name_and_a_window(reranker: Reranker) -> None:
    """No window where the order of the search stands."""
    assert reranker.name
    assert (reranker.window > 0) == (reranker.name != "local")


def test_the_local_order_is_the_order_of_the_texts(server: RerankingServer) -> None:
    """Whatever they say."""
    scores = adapter("local", server).score(QUERY, TEXTS)
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(TEXTS)


@pytest.mark.parametrize("name", SERVICES)
def test_scores_stand_where_their_texts_stand(name: str, server: RerankingServer) -> None:
    """The services answer with the best first."""
    scores = adapter(name, server).score("虾过敏", ["火车七点半开", "我对虾过敏", "虾很好吃"])
    assert scores == pytest.approx([0, 1, 1 / 3])


@pytest.mark.parametrize(("name", "most"), [("bedrock", 1000), ("http", 100)])
def test_many_texts_are_several_calls(name: str, most: int, server: RerankingServer) -> None:
    """Each as full as the service takes it, and none twice."""
    texts = [f"第{number}句话" for number in range(1001)]
    scores = adapter(name, server).score("第7句", texts)
    sizes = [len(body.get("sources", body.get("documents"))) for _, body in server.calls]
    assert (sum(sizes), max(sizes), len(sizes)) == (1001, most, -(-1001 // most))
    assert scores[7] == 1.0


@pytest.mark.parametrize("name", SERVICES)
def test_long_texts_are_sent_from_their_beginning(name: str, server: RerankingServer) -> None:
    """As many characters as the service takes."""
    adapter(name, server).score("虾" * 40_000, ["过" * 40_000])
    (_, body) = server.calls[0]
    if name == "bedrock":
        assert body["queries"][0]["textQuery"]["text"] == "虾" * MAX_CHARACTERS
        assert body["sources"][0]["inlineDocumentSource"]["textDocument"]["text"] == "过" * MAX_CHARACTERS
    else:
        assert (body["query"], body["documents"]) == ("虾" * 4000, ["过" * 4000])


def test_a_model_of_bedrock_is_one_of_the_region() -> None:
    """In the partition of the region; an ARN stays as it is."""
    found = model_arn("amazon.rerank-v1:0", "us-west-2")
    assert found == "arn:aws:bedrock:us-west-2::foundation-model/amazon.rerank-v1:0"
    assert model_arn("m", "cn-north-1", "aws-cn") == "arn:aws-cn:bedrock:cn-north-1::foundation-model/m"
    assert model_arn(ARN, "us-west-2") == ARN


def test_bedrock_is_asked_for_every_page(server: RerankingServer) -> None:
    """The token of a page goes into the next call."""
    pages = iter([{"results": [{"index": 1, "relevanceScore": 0.75}], "nextToken": "t"}])
    rest = {"results": [{"index": 0, "relevanceScore": 0.5}]}
    server.override = lambda: (200, next(pages, rest))
    assert bedrock(server).score(QUERY, ["a", "b"]) == [0.5, 0.75]
    assert [body.get("nextToken") for _, body in server.calls] == [None, "t"]


LISTS = {
    "results": lambda rows: {"results": rows},
    "data": lambda rows: {"object": "list", "data": rows},
    "output": lambda rows: {"output": {"results": rows}, "usage": {}, "request_id": "1"},
    "alone": lambda rows: rows,
}


@pytest.mark.parametrize("field", ["relevance_score", "score"])
@pytest.mark.parametrize("shape", LISTS)
def test_servers_may_name_things_in_their_way(shape: str, field: str, server: RerankingServer) -> None:
    """With further fields, such as the documents, and in any order."""
    rows = [{"index": 1, field: 1, "document": {"text": "b"}}, {"index": 0, field: 0.25, "document": None}]
    server.override = lambda: (200, LISTS[shape](rows))
    assert http(server).score(QUERY, ["a", "b"]) == [0.25, 1.0]


def test_logits_become_scores(server: RerankingServer) -> None:
    """By the logistic function, for all texts together: also for one that looks like a score by itself."""
    logits = [7.75, -2.0, 0.5, -11.0, 1e308, -1e308]
    server.override = lambda: (200, {"results": [{"index": i, "relevance_score": s} for i, s in enumerate(logits)]})
    scores = http(server).score(QUERY, ["a"] * len(logits))
    assert scores == pytest.approx([0.99957, 0.1192, 0.62246, 1.67e-5, 1, 0], abs=1e-4)


def test_a_rounding_error_is_no_logit(server: RerankingServer) -> None:
    """Services compute in half precision."""
    rows = [{"index": 0, "relevance_score": 1.0000002}, {"index": 1, "relevance_score": -0.0001}]
    server.override = lambda: (200, {"results": rows})
    assert http(server).score(QUERY, ["a", "b"]) == [1.0, 0.0]


@pytest.mark.parametrize("path", ["/v2", "/v2/", "/v2/rerank", "/compatible-api/v1/reranks", "/v2/rerank/"])
def test_an_address_is_a_base_or_the_whole(path: str, server: RerankingServer) -> None:
    """One service has another last word in it."""
    replace(http(server), base_url=server.url + path).score(QUERY, ["a"])
    assert server.calls[0][0] == (path.rstrip("/") if "rerank" in path else "/v2/rerank")


def test_a_server_without_key_and_model_gets_neither(server: RerankingServer) -> None:
    """Such as one for a single model in a closed network."""
    seen: list[str] = []
    given = server.answer
    server.answer = lambda path, headers, body: (
        seen.append(headers.get("authorization", "")),
        given(path, headers, body),
    )[1]
    server.override = lambda: (200, [{"index": 0, "score": 0.5}])
    open_server = replace(http(server), api_key="", model="")
    assert open_server.score(QUERY, ["a"]) == [0.5]
    assert (seen, set(server.calls[0][1]), open_server.name) == ([""], {"query", "documents", "top_n"}, "http")
