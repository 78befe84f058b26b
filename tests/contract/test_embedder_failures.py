"""Embedders that call a service turn every failure of it into EmbedderFailed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from agent_memory.adapters.bedrock_embedder import BedrockEmbedder
from agent_memory.adapters.openai_embedder import OpenAIEmbedder
from agent_memory.errors import EmbedderFailed

from .embedding_adapters import adapter, bedrock, openai
from .embedding_server import API_KEY, COHERE, OPENAI_DIM, TITAN, EmbeddingServer, embedding_server


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """The services, on loopback and never through a proxy."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with embedding_server() as running:
        yield running


BROKEN = {
    "refused": (403, {"__type": "AccessDeniedException", "message": f"no access with {API_KEY}"}),
    "redirect": (307, {}),
    "garbage": (200, b"<html>"),
    "not utf-8": (200, b"\xff\xfe\xfa"),
    "other shape": (200, {"result": []}),
    "list": (200, []),
    "no vector": (200, {"embeddings": [], "data": [], "embedding": []}),
    "wrong length": (200, {"embeddings": [[1.0]], "data": [{"index": 0, "embedding": [1.0]}], "embedding": [1.0]}),
    "wrong index": (200, {"data": [{"index": 5, "embedding": [1.0] * OPENAI_DIM}]}),
    "words": (200, {"embeddings": [["a"]], "data": [{"index": 0, "embedding": ["a"]}], "embedding": ["a"]}),
    "zero": (200, {"embeddings": [[0] * 1024], "data": [{"embedding": [0] * OPENAI_DIM}], "embedding": [0] * 512}),
    "not a number": (200, b'{"embedding": [NaN], "embeddings": [[NaN]], "data": [{"embedding": [NaN]}]}'),
}


@pytest.mark.parametrize("name", ["titan", "cohere", "openai"])
@pytest.mark.parametrize("case", BROKEN)
def test_an_unusable_answer_is_a_named_failure(name: str, case: str, server: EmbeddingServer) -> None:
    """Whatever comes back, the caller sees EmbedderFailed, without the key."""
    server.override = lambda: BROKEN[case]
    with pytest.raises(EmbedderFailed) as failure:
        adapter(name, server).embed(["a"], "query")
    assert API_KEY not in failure.value.message


def test_a_refusal_names_code_and_status(server: EmbeddingServer) -> None:
    """Enough to act on: Bedrock's error code, the HTTP status of both."""
    server.override = lambda: BROKEN["refused"]
    with pytest.raises(EmbedderFailed, match=r"AccessDeniedException \(HTTP 403\)"):
        bedrock(server, COHERE).embed(["a"], "query")
    with pytest.raises(EmbedderFailed, match="HTTP 403"):
        openai(server).embed(["a"], "query")


@pytest.mark.parametrize("name", ["titan", "openai"])
def test_a_silent_service_is_a_named_failure(name: str, server: EmbeddingServer) -> None:
    """The time-out ends the call."""
    over = threading.Event()
    server.override = lambda: (over.wait(), (200, {}))[1]
    embedder = replace(openai(server), timeout_seconds=0.2) if name == "openai" else bedrock(server, TITAN)
    try:
        with pytest.raises(EmbedderFailed, match="did not answer"):
            embedder.embed(["a"], "query")
    finally:
        over.set()


def test_a_closed_port_is_a_named_failure() -> None:
    """As is every other failure to connect."""
    with embedding_server() as gone:
        embedder = openai(gone)
    with pytest.raises(EmbedderFailed, match="did not answer: ConnectionRefusedError"):
        embedder.embed(["a"], "query")


def test_a_busy_openai_endpoint_is_asked_again(server: EmbeddingServer) -> None:
    """With doubling pauses or the one it asks for, a limited number of times."""
    busy = iter([(429, {}), (503, {"retryAfter": "3"}), (429, {"retryAfter": "999"})])
    server.override = lambda: next(busy)
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            server.override = None

    assert replace(openai(server), pause=pause).embed(["a"], "query").shape == (1, OPENAI_DIM)
    assert pauses == [0.5, 3.0, 20.0]


def test_a_service_that_stays_busy_is_a_named_failure(server: EmbeddingServer) -> None:
    """After four attempts."""
    server.override = lambda: (500, {})
    pauses: list[float] = []
    with pytest.raises(EmbedderFailed, match="HTTP 500"):
        replace(openai(server), pause=pauses.append).embed(["a"], "query")
    assert (len(server.calls), pauses) == (4, [0.5, 1.0, 2.0])


def test_settings_that_cannot_work_are_refused_at_once() -> None:
    """An address that is not HTTP, no dimension, a Bedrock model of unknown shape; the key stays out of repr."""
    for url, dim in (("file:///etc/passwd", 8), ("http://127.0.0.1", 0)):
        with pytest.raises(EmbedderFailed):
            OpenAIEmbedder(url, API_KEY, "m", dim)
    with pytest.raises(EmbedderFailed, match="meta"):
        BedrockEmbedder(None, "meta.llama3")
    assert API_KEY not in repr(OpenAIEmbedder("http://127.0.0.1", API_KEY, "m", 8))
