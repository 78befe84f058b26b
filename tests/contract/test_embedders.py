"""Every embedder keeps the same contract, and those that call a service make their calls as it wants them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from agent_memory.adapters.bedrock_embedder import BedrockEmbedder, Titan
from agent_memory.adapters.e5_embedder import E5Embedder
from agent_memory.ports import Embedder
from agent_memory.settings import default_model_dir

from .conftest import absent
from .embedding_adapters import adapter, bedrock, openai
from .embedding_server import COHERE, TITAN, EmbeddingServer, embedding_server

TEXTS = [
    "我对虾过敏",
    "I am allergic to shrimp.",
    "",
    "  \n",
    "🎉👩‍👩‍👧 café",
    "订单号 AB-2093 已发货",
    "\ud800 lone",
    "word " * 900,
]
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
