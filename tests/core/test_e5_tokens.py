"""Token vectors of the packaged model: one a token, Chinese and English in one space."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from agent_memory.adapters.e5_embedder import E5Embedder, read_means
from agent_memory.adapters.e5_model import E5Model
from agent_memory.adapters.e5_tokens import TOKEN_MEANS, TOKEN_MODEL, E5TokenEmbedder
from agent_memory.errors import EmbedderFailed
from agent_memory.retrieval.maxsim import maxsim
from agent_memory.settings import default_model_dir

PAIRS = json.loads((Path(__file__).parent / "zh_en_pairs.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def network() -> E5Model:
    """One for all tests of this file: loading takes a moment."""
    folder = default_model_dir()
    if not (folder / "model.onnx").is_file():
        reason = f"the embedding model is not in {folder}: run `make setup`"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    return E5Model(folder, threads=1)


@pytest.fixture
def embedder(network: E5Model) -> E5TokenEmbedder:
    """The token embedder on the shared network."""
    return E5TokenEmbedder(network)


def test_the_means_belong_to_this_model() -> None:
    """Means and the stored model name change together; the name is not that of the vectors of texts."""
    document = TOKEN_MEANS.read_text(encoding="utf-8")
    assert json.loads(document)["model"] == TOKEN_MODEL == E5TokenEmbedder(E5Model(Path(), threads=1)).model
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
    assert [vectors.shape for vectors in found] == [(count, 384) for count in expected]
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


def test_chinese_questions_find_english_answers(embedder: E5TokenEmbedder) -> None:
    """Among English answers and Chinese distractors."""
    asked = embedder.embed_tokens([question for question, _ in PAIRS["pairs"]], "query")
    known = embedder.embed_tokens([answer for _, answer in PAIRS["pairs"]] + PAIRS["distractors"], "passage")
    firsts = [int(maxsim(query, known).argmax()) for query in asked]
    assert sum(first == place for place, first in enumerate(firsts)) >= 25


def test_no_texts_need_no_model(tmp_path: Path) -> None:
    """And a missing model is a named failure."""
    embedder = E5TokenEmbedder(E5Model(tmp_path, threads=1))
    assert embedder.embed_tokens([], "query") == []
    with pytest.raises(EmbedderFailed, match="make setup"):
        embedder.embed_tokens(["a"], "query")
