"""Every embedder keeps the same contract, and those that call a service turn its failures into EmbedderFailed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import boto3
import numpy as np
import pytest
from agent_memory.adapters.bedrock_embedder import BedrockEmbedder, Titan
from agent_memory.adapters.e5_embedder import E5Embedder
from agent_memory.adapters.openai_embedder import OpenAIEmbedder
from agent_memory.adapters.query_cache import CachedEmbedder
from agent_memory.errors import EmbedderFailed
from agent_memory.ports import Embedder
from agent_memory.settings import default_model_dir
from botocore.config import Config

from .conftest import absent
from .embedding_server import API_KEY, COHERE, OPENAI_DIM, TITAN, EmbeddingServer, embedding_server

TEXTS = ["我对虾过敏", "I am allergic to shrimp.", "", "  \n", "🎉👩‍👩‍👧 café", "订单号 AB-2093 已发货", "\ud800 lone", "word " * 900]
ADAPTERS = ["e5", "titan", "cohere", "openai", "cached"]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """The services, on loopback and never through a proxy."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with embedding_server() as running:
        yield running


@pytest.fixture(scope="module")
def packaged() -> E5Embedder:
    """The packaged model, loaded once."""
    if not (default_model_dir() / "model.onnx").is_file():
        absent(f"the embedding model in {default_model_dir()}: run `make setup`")
    return E5Embedder(default_model_dir())


@pytest.fixture(params=ADAPTERS)
def embedder(request: pytest.FixtureRequest, server: EmbeddingServer) -> Embedder:
    """Each adapter in turn."""
    if request.param == "e5":
        return request.getfixturevalue("packaged")
    return adapter(request.param, server)


def adapter(name: str, server: EmbeddingServer) -> Embedder:
    """An adapter that calls the loopback server."""
    if name == "openai":
        return openai(server)
    if name == "cached":
        return CachedEmbedder(openai(server), size=3)
    return bedrock(server, TITAN if name == "titan" else COHERE)


def openai(server: EmbeddingServer) -> OpenAIEmbedder:
    """For the loopback endpoint; waiting is an error unless a test asks for it."""
    return OpenAIEmbedder(f"{server.url}/v1/", API_KEY, "text-embedding-3-small", OPENAI_DIM, pause=refuse_to_wait)


def bedrock(server: EmbeddingServer, model_id: str) -> BedrockEmbedder:
    """With a real boto3 client."""
    client = boto3.client(
        "bedrock-runtime",
        region_name="eu-central-1",
        endpoint_url=server.url,
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(retries={"total_max_attempts": 1}, read_timeout=0.5),
    )
    return BedrockEmbedder(client, model_id)


def refuse_to_wait(seconds: float) -> None:
    raise AssertionError(f"waited {seconds} s")


@pytest.mark.parametrize("side", ["query", "passage"])
def test_every_text_gets_one_unit_vector(embedder: Embedder, side: str) -> None:
    """Chinese, emoji, blank, ill-formed and long texts included."""
    vectors = embedder.embed(TEXTS, side)
    assert (vectors.shape, vectors.dtype) == ((len(TEXTS), embedder.dim), np.float32)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_no_text_gives_no_row(embedder: Embedder) -> None:
    """An empty list is no error and still has the width of a vector."""
    assert embedder.embed([], "query").shape == embedder.embed([], "passage").shape == (0, embedder.dim)


def test_a_vector_does_not_depend_on_its_neighbours(embedder: Embedder) -> None:
    """Alone, in any order and between other texts a text gets the same vector, in its own place."""
    together = embedder.embed(TEXTS, "passage")
    np.testing.assert_allclose(embedder.embed(TEXTS[::-1], "passage")[::-1], together, atol=1e-3)
    alone = np.concatenate([embedder.embed([text], "passage") for text in TEXTS])
    np.testing.assert_allclose(alone, together, atol=1e-3)


def test_many_texts_in_one_call(embedder: Embedder) -> None:
    """More than any service takes at once; equal texts get equal vectors, others do not."""
    texts = [f"第{number % 100}句话" for number in range(200)]
    vectors = embedder.embed(texts, "passage")
    np.testing.assert_allclose(vectors[:100], vectors[100:], atol=1e-3)
    assert len(np.unique(vectors.round(3), axis=0)) == 100


def test_the_model_has_a_name(embedder: Embedder) -> None:
    """It is stored beside each vector."""
    assert embedder.model
    assert embedder.dim > 0


def test_nothing_of_a_long_text_is_cut(embedder: Embedder) -> None:
    """The end of a long text changes its vector."""
    start = "我们在会议上讨论了很多事情。" * 700
    same, other = embedder.embed([start, start + "The fire alarm rang at noon. " * 40], "passage")
    assert np.abs(same - other).max() > 1e-3


@pytest.mark.parametrize(("name", "most"), [("titan", 1), ("cohere", 96), ("openai", 64)])
def test_calls_are_as_full_as_the_service_allows(name: str, most: int, server: EmbeddingServer) -> None:
    """The texts of 100 passages arrive in batches of the service's size, none twice."""
    texts = [f"句子 {number}" for number in range(100)]
    adapter(name, server).embed(texts, "passage")
    sizes = [len(body.get("texts", body.get("input", ["one"]))) for _, body in server.calls]
    assert (sum(sizes), max(sizes), len(sizes)) == (100, most, -(-100 // most))


def test_cohere_is_told_the_side(server: EmbeddingServer) -> None:
    """Queries and documents have different input types."""
    embedder = bedrock(server, COHERE)
    embedder.embed(["a"], "query")
    embedder.embed(["a"], "passage")
    assert [body["input_type"] for _, body in server.calls] == ["search_query", "search_document"]


def test_titan_gives_the_dimensions_it_is_asked_for(server: EmbeddingServer) -> None:
    """512 unless the family says another number."""
    client = bedrock(server, TITAN)._client
    assert BedrockEmbedder(client, TITAN).embed(["a"], "query").shape == (1, 512)
    assert BedrockEmbedder(client, TITAN, Titan(dim=256)).embed(["a"], "query").shape == (1, 256)


def test_an_openai_model_can_be_prefixed_and_shortened(server: EmbeddingServer) -> None:
    """What the endpoint receives follows from the options."""
    embedder = replace(openai(server), prefixes=("query: ", "passage: "), shorten=True, dim=16)
    assert embedder.embed(["虾"], "passage").shape == (1, 16)
    assert server.calls[0][1] == {"model": "text-embedding-3-small", "input": ["passage: 虾"], "dimensions": 16}


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
