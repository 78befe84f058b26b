"""Rerankers turn every failure of a service into RerankerFailed, soon enough for a search to go on without."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest

from agent_memory.adapters.http_reranker import MAX_ANSWER_BYTES
from agent_memory.adapters.rerankers import reranker_of
from agent_memory.errors import RerankerFailed
from agent_memory.settings import Settings

from .reranking_adapters import adapter, bedrock, http
from .reranking_server import API_KEY, RerankingServer, reranking_server

SERVICES = ["bedrock", "http"]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RerankingServer]:
    """The services, on loopback and never through a proxy."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with reranking_server() as running:
        yield running


def rows(*results: str) -> tuple[int, bytes]:
    """An answer with those results, the scores in the names of both services."""
    named = [each.replace("score", "relevanceScore", 1) + ", " + each.split(", ", 1)[1] for each in results]
    return 200, ('{"results": [{' + "}, {".join(named) + "}]}").encode()


A, B = '"index": 0, "score": 0.5', '"index": 1, "score": 0.25'
BROKEN = {
    "forbidden": (403, {"__type": "AccessDeniedException", "message": f"no access with {API_KEY}"}),
    "broken down": (500, {"__type": "InternalServerException", "message": API_KEY}),
    "redirect": (307, {}),
    "html": (200, b"<html><body>Bad gateway</body></html>"),
    "empty": (200, b""),
    "half": (200, b'{"results": [{"index": 0, "relevance_score": 0.5, "relevanceScore": 0.5}, {"ind'),
    "not utf-8": (200, b"\xff\xfe\xfa"),
    "deep": (200, b"[" * 200_000),
    "long number": rows('"index": 0, "score": 1' + "0" * 5000, B),
    "other shape": (200, {"outcome": []}),
    "a word": (200, b'"results"'),
    "list of lists": (200, [[0, 0.5], [1, 0.25]]),
    "results are none": (200, {"results": None}),
    "results are a text": (200, {"results": "ab"}),
    "no results": (200, {"results": []}),
    "too few": rows(A),
    "too many": rows(A, B, '"index": 2, "score": 0.125'),
    "one twice": rows(A, A),
    "negative index": rows(A, '"index": -1, "score": 0.25'),
    "index of another": rows(A, '"index": 7, "score": 0.25'),
    "no index": rows(A, '"place": 1, "score": 0.25'),
    "index is a word": rows(A, '"index": "second", "score": 0.25'),
    "no score": (200, {"results": [{"index": 0}, {"index": 1}]}),
    "score is a word": rows(A, '"index": 1, "score": "high"'),
    "score is none": rows(A, '"index": 1, "score": null'),
    "not a number": rows(A, '"index": 1, "score": NaN'),
    "infinite": rows(A, '"index": 1, "score": -Infinity'),
    "beyond floats": rows(A, '"index": 1, "score": 1' + "0" * 400),
}


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("case", BROKEN)
def test_an_unusable_answer_is_a_named_failure(name: str, case: str, server: RerankingServer) -> None:
    """Whatever comes back, the caller sees RerankerFailed at once, without the key."""
    server.override = lambda: BROKEN[case]
    with pytest.raises(RerankerFailed) as failure:
        adapter(name, server).score("虾", ["我对虾过敏", "the train"])
    assert API_KEY not in failure.value.message
    assert (failure.value.code, failure.value.retryable, len(server.calls)) == ("RERANKER_FAILED", True, 1)


def test_only_numbers_are_scores(server: RerankingServer) -> None:
    """A truth value or a number in a text is a broken answer too."""
    for score in (True, "0.5", [0.5]):
        server.override = lambda score=score: (200, [{"index": 0, "score": score}])
        with pytest.raises(RerankerFailed, match="not a number"):
            http(server).score("虾", ["a"])
    server.override = lambda: (200, [{"index": False, "score": 0.5}])
    with pytest.raises(RerankerFailed):
        http(server).score("虾", ["a"])


def test_a_refusal_names_code_and_status(server: RerankingServer) -> None:
    """Enough to act on: Bedrock's error code, the HTTP status of both."""
    server.override = lambda: BROKEN["forbidden"]
    with pytest.raises(RerankerFailed, match=r"AccessDeniedException \(HTTP 403\)"):
        bedrock(server).score("虾", ["a"])
    with pytest.raises(RerankerFailed, match="HTTP 403"):
        http(server).score("虾", ["a"])


@pytest.mark.parametrize("name", SERVICES)
def test_a_silent_service_is_a_named_failure(name: str, server: RerankingServer) -> None:
    """The time-out ends the call, and there is no second one."""
    over = threading.Event()
    server.override = lambda: (over.wait(), (200, {}))[1]
    reranker = replace(http(server), timeout_seconds=0.2) if name == "http" else bedrock(server)
    try:
        with pytest.raises(RerankerFailed, match="did not answer"):
            reranker.score("虾", ["a"])
    finally:
        over.set()
    assert len(server.calls) == 1


def test_a_slow_answer_is_not_read_to_its_end(server: RerankingServer) -> None:
    """A server that sends a little from time to time would keep a search for ever."""
    server.override = lambda: (200, b" " * 300_000)
    seconds = count(step=3)
    with pytest.raises(RerankerFailed, match="in time"):
        replace(http(server), clock=lambda: next(seconds)).score("虾", ["a"])


def test_a_huge_answer_is_not_read_to_its_end(server: RerankingServer) -> None:
    """Memory is the search's."""
    server.override = lambda: (200, b" " * (MAX_ANSWER_BYTES + 1))
    with pytest.raises(RerankerFailed, match="more than"):
        replace(http(server), clock=lambda: 0.0).score("虾", ["a"])


@pytest.mark.parametrize("name", SERVICES)
def test_a_closed_port_is_a_named_failure(name: str) -> None:
    """As is every other failure to connect."""
    with reranking_server() as gone:
        reranker = adapter(name, gone)
    with pytest.raises(RerankerFailed, match="did not answer"):
        reranker.score("虾", ["a"])


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("busy", [(429, {"__type": "ThrottlingException"}), (503, {"__type": "ServiceUnavailable"})])
def test_a_busy_service_is_asked_once_more(name: str, busy: tuple[int, object], server: RerankingServer) -> None:
    """After half a second; then its answer counts."""
    server.override = lambda: busy
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        server.override = None

    assert adapter(name, server, pause).score("虾", ["我对虾过敏", "the train"]) == [1.0, 0.0]
    assert pauses == [0.5]


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_that_stays_busy_is_a_named_failure(name: str, server: RerankingServer) -> None:
    """After the second try."""
    server.override = lambda: (429, {"__type": "ThrottlingException"})
    pauses: list[float] = []
    with pytest.raises(RerankerFailed, match="HTTP 429"):
        adapter(name, server, pauses.append).score("虾", ["a"])
    assert (len(server.calls), pauses) == (2, [0.5])


@pytest.mark.parametrize(("asked", "pauses"), [("1", [1.0]), ("0", [0.0]), ("Wed, 21 Oct 2026", [0.5]), ("60", [])])
def test_a_service_may_ask_for_a_pause(asked: str, pauses: list[float], server: RerankingServer) -> None:
    """A long one no search can wait for: it goes on without."""
    server.override = lambda: (429, {"retryAfter": asked})
    waited: list[float] = []
    with pytest.raises(RerankerFailed, match="HTTP 429"):
        http(server, waited.append).score("虾", ["a"])
    assert waited == pauses


def test_bedrock_without_a_last_page_is_a_named_failure(server: RerankingServer) -> None:
    """The pages end somewhere."""
    server.override = lambda: (200, {"results": [], "nextToken": "again"})
    with pytest.raises(RerankerFailed, match="no last page"):
        bedrock(server).score("虾", ["a"])
    server.override = lambda: (200, {"results": [], "nextToken": "x" * 3000})
    with pytest.raises(RerankerFailed):
        bedrock(server).score("虾", ["a"])


def test_settings_that_cannot_work_are_refused_at_once() -> None:
    """An unknown name, an address that is not HTTP, no model for Bedrock; the key stays out of repr."""
    wrong = [
        {"reranker": "cohere"},
        {"reranker": "http", "reranker_base_url": "file:///etc/passwd"},
        {"reranker": "http"},
    ]
    for given in (*wrong, {"reranker": "bedrock"}):
        with pytest.raises(ValueError, match=r"RERANKER|address"):
            reranker_of(Settings(**given))
    options = {"reranker_base_url": "http://127.0.0.1/v1", "reranker_model": "bge", "reranker_api_key": "geheim"}
    reranker = reranker_of(Settings(reranker="http", **options))
    assert (reranker.name, "geheim" in repr(reranker)) == ("bge", False)
    assert reranker_of(Settings()).window == 0


def test_bedrock_is_called_in_the_region_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the model of that region; building it calls nobody."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-northeast-1")
    reranker = reranker_of(Settings(reranker="bedrock", reranker_model="amazon.rerank-v1:0"))
    assert reranker.name == "amazon.rerank-v1:0"
    assert reranker._arn == "arn:aws:bedrock:ap-northeast-1::foundation-model/amazon.rerank-v1:0"
