"""Token vectors of the packaged model: one a token, Chinese and English in one space."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from agent_memory.adapters.e5_embedder import E5Embedder, read_means
from agent_memory.adapters.e5_model import E5Model
from agent_memory.adapters.e5_tokens import TOKEN_AXES, TOKEN_DIM, TOKEN_MEANS, TOKEN_MODEL, E5TokenEmbedder
from agent_memory.errors import EmbedderFailed
from agent_memory.packed_vectors import TOKEN_BYTES, most_token_bytes
from agent_memory.retrieval.maxsim import maxsim
from agent_memory.settings import default_model_dir

PAIRS = json.loads((Path(__file__).parent / "zh_en_pairs.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def texts_embedder() -> E5Embedder:
    """One for all tests of this file: loading takes a moment."""
    folder = default_model_dir()
    if not (folder / "model.onnx").is_file():
        reason = f"the embedding model is not in {folder}: run `make setup`"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    return E5Embedder(folder)


@pytest.fixture
def network(texts_embedder: E5Embedder) -> E5Model:
    """The network that both embedders share."""
    return texts_embedder.network


@pytest.fixture
def embedder(texts_embedder: E5Embedder) -> E5TokenEmbedder:
    """The token embedder on the shared network."""
    return E5TokenEmbedder(texts_embedder)


def test_the_means_belong_to_this_model() -> None:
    """Means and the stored model name change together; the name is not that of the vectors of texts."""
    document = TOKEN_MEANS.read_text(encoding="utf-8")
    assert json.loads(document)["model"] == TOKEN_MODEL == E5TokenEmbedder(E5Embedder(Path())).model
    assert json.loads(TOKEN_AXES.read_text(encoding="utf-8"))["model"] == TOKEN_MODEL
    assert E5Embedder(Path()).model != TOKEN_MODEL
    assert {name: mean.shape for name, mean in read_means(document).items()} == {
        (language, side): (384,) for language in ("en", "zh", "overall") for side in ("query", "passage")
    }


@pytest.mark.parametrize("side", ["query", "passage"])
def test_there_is_a_vector_for_each_token_of_the_text(side: str, network: E5Model, embedder: E5TokenEmbedder) -> None:
    """None for the prefix and the special tokens, in whatever batch; each uses the whole range of int8."""
    texts = ["我对虾过敏", "", "I met 王小明 at the café on Friday.", "\ud800", "我们在会议上讨论了很多事情。" * 100]
    pieces = network._load().pieces
    expected = [len(pieces.encode(text.encode("utf-8", "replace").decode())) for text in texts]
    found = embedder.embed_tokens(texts, side)
    assert [vectors.shape for vectors in found] == [(count, TOKEN_DIM) for count in expected]
    assert expected[-1] > 512
    for vectors in found:
        assert vectors.dtype == np.int8
        assert (np.abs(vectors.astype(int)).max(axis=1, initial=0) == 127).all()


def test_the_states_are_those_whose_mean_is_the_vector_of_the_text(network: E5Model) -> None:
    """The text's own tokens make up most of it: prefix and special tokens are averaged there too."""
    text = "每周三晚上我在市游泳馆学游泳，教练姓陈，课程到六月底结束。"
    (states,) = network.token_states([text], "passage")
    mean = states.mean(axis=0)
    assert mean @ network.vectors([text], "passage")[0] > 0.98 * np.linalg.norm(mean)


def test_a_batch_does_not_change_a_text(embedder: E5TokenEmbedder) -> None:
    """Padding is not seen; a step of int8 may fall either way."""
    texts = ["我对虾过敏", "The train to 上海 leaves at half past seven, from the far platform."]
    together = embedder.embed_tokens(texts, "passage")
    for text, vectors in zip(texts, together, strict=True):
        (alone,) = embedder.embed_tokens([text], "passage")
        assert np.abs(alone.astype(int) - vectors).max() <= 1


def test_one_run_gives_what_two_give(texts_embedder: E5Embedder, embedder: E5TokenEmbedder) -> None:
    """Vectors of texts and of their tokens, long and empty texts among them."""
    texts = ["我对虾过敏", "", "The train leaves at half past seven.", "我们在会议上讨论了很多事情。" * 100]
    vectors, tokens = embedder.embed_both(texts)
    np.testing.assert_allclose(vectors, texts_embedder.embed(texts, "passage"), atol=1e-5)
    for both, alone in zip(tokens, embedder.embed_tokens(texts, "passage"), strict=True):
        assert both.shape == alone.shape
        assert np.abs(both.astype(int) - alone).max(initial=0) <= 1


def test_the_axes_stand_upright_on_each_other(embedder: E5TokenEmbedder) -> None:
    """To half precision: a projection on them keeps lengths and angles as far as it can."""
    axes = embedder._axes
    np.testing.assert_allclose(axes.T @ axes, np.eye(TOKEN_DIM), atol=2e-3)


@pytest.mark.parametrize("text", ["㌚" * 60, "ﷺ⨌‷", "我对虾过敏", "I met 王小明 at the café.", "", " a", "😀🇩🇪"])
def test_the_bound_on_what_is_stored_holds(text: str, embedder: E5TokenEmbedder) -> None:
    """For characters that stand for several, and for those that are apart already."""
    (found,) = embedder.embed_tokens([text], "passage")
    assert found.nbytes <= most_token_bytes(text)
    assert TOKEN_BYTES == TOKEN_DIM


def test_chinese_questions_find_english_answers(embedder: E5TokenEmbedder) -> None:
    """Among English answers and Chinese distractors."""
    asked = embedder.embed_tokens([question for question, _ in PAIRS["pairs"]], "query")
    known = embedder.embed_tokens([answer for _, answer in PAIRS["pairs"]] + PAIRS["distractors"], "passage")
    firsts = [int(maxsim(query, known).argmax()) for query in asked]
    assert sum(first == place for place, first in enumerate(firsts)) >= 25


def test_no_texts_need_no_model(tmp_path: Path) -> None:
    """And a missing model is a named failure."""
    embedder = E5TokenEmbedder(E5Embedder(tmp_path))
    assert embedder.embed_tokens([], "query") == []
    vectors, tokens = embedder.embed_both([])
    assert (vectors.shape, tokens) == ((0, 384), [])
    with pytest.raises(EmbedderFailed, match="make setup"):
        embedder.embed_tokens(["a"], "query")
