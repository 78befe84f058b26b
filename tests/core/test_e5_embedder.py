"""The packaged embedder: the same vectors everywhere, Chinese and English in one space, no text cut."""

from __future__ import annotations

import json
import os
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from agent_memory.adapters.e5_embedder import MEANS, MODEL, E5Embedder, centred, read_means
from agent_memory.adapters.e5_model import E5Model
from agent_memory.adapters.e5_windows import BATCH_TOKENS, MAX_TOKENS, batches, windows_of
from agent_memory.errors import EmbedderFailed
from agent_memory.languages import language_of
from agent_memory.settings import default_model_dir

HERE = Path(__file__).parent
GOLDEN = json.loads((HERE / "test_e5_golden.json").read_text(encoding="utf-8"))
PAIRS = json.loads((HERE / "zh_en_pairs.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def model_dir() -> Path:
    """Where the built model lies."""
    folder = default_model_dir()
    if not (folder / "model.onnx").is_file():
        reason = f"the embedding model is not in {folder}: run `make setup`"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    return folder


@pytest.fixture(scope="module")
def embedder(model_dir: Path) -> E5Embedder:
    """One for all tests of this file: loading takes a moment."""
    return E5Embedder(model_dir)


@pytest.mark.parametrize("case", GOLDEN["vectors"], ids=lambda case: case["text"][:12])
def test_vectors_are_the_stored_ones(case: dict[str, str], embedder: E5Embedder) -> None:
    """Another machine, library or build may round differently, but gives the same vectors."""
    stored = np.frombuffer(b64decode(case["vector"]), "<f2").astype(np.float32)
    found = embedder.embed([case["text"] * case["times"]], case["side"])[0]
    assert float(found @ stored) >= 0.995
    assert GOLDEN["model"] == embedder.model


def test_the_means_belong_to_this_model() -> None:
    """Means, golden vectors and the stored model name change together."""
    assert json.loads(MEANS.read_text(encoding="utf-8"))["model"] == MODEL
    assert MEANS.stat().st_size < 40_000
    means = read_means(MEANS.read_text(encoding="utf-8"))
    assert {name: mean.shape for name, mean in means.items()} == {
        (language, side): (384,) for language in ("en", "zh", "overall") for side in ("query", "passage")
    }


def test_centring_lets_chinese_questions_find_english_answers(model_dir: Path) -> None:
    """Among English answers and Chinese distractors; uncentred vectors prefer the distractors."""
    model, means = E5Model(model_dir, threads=1), read_means(MEANS.read_text(encoding="utf-8"))
    questions = [question for question, _ in PAIRS["pairs"]]
    answers = [answer for _, answer in PAIRS["pairs"]] + PAIRS["distractors"]
    asked, known = model.vectors(questions, "query"), model.vectors(answers, "passage")
    raw = first_hits(asked, known)
    moved = first_hits(
        centred(asked, [language_of(text) for text in questions], "query", means),
        centred(known, [language_of(text) for text in answers], "passage", means),
    )
    assert moved >= max(raw, 20)


def first_hits(asked: np.ndarray, known: np.ndarray) -> int:
    """How many questions have their own answer in the first place."""
    return int(((asked @ known.T).argmax(axis=1) == np.arange(len(asked))).sum())


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("我对虾过敏", "I have a seafood allergy", "The train leaves at half past seven"),
        ("我对虾过敏", "我吃虾会起疹子", "我每周三晚上学游泳"),
        ("我周几去游泳？", "每周三晚上学游泳", "我对虾过敏"),
        ("what can I not eat?", "我对虾过敏", "每周三晚上学游泳"),
        ("订单号是多少", "订单号 AB-2093", "每周三晚上学游泳"),
    ],
)
def test_a_paraphrase_is_nearer_than_another_subject(query: str, near: str, far: str, embedder: E5Embedder) -> None:
    """Within Chinese and across languages."""
    asked = embedder.embed([query], "query")[0]
    same, other = embedder.embed([near, far], "passage") @ asked
    assert same > other + 0.1


def test_a_row_that_is_the_mean_keeps_its_direction() -> None:
    """There is nothing left of it after centring, and no division by zero."""
    row = np.eye(1, 4, dtype=np.float32)
    means = {("overall", "query"): row[0]}
    np.testing.assert_array_equal(centred(row, ["fr"], "query", means), row)


def test_long_texts_are_read_to_their_end(model_dir: Path) -> None:
    """Windows of nearly equal size hold every token once, and none is longer than the model reads."""
    pieces = E5Model(model_dir, threads=1)._load().pieces
    texts = ["短", "", "我们在会议上讨论了很多事情。" * 400]
    windows = windows_of(texts, "passage", pieces)
    assert [window.owner for window in windows[:3]] == [0, 1, 2]
    sizes = [len(window.ids) for window in windows if window.owner == 2]
    assert max(sizes) <= MAX_TOKENS
    assert max(sizes) - min(sizes) <= 1
    before = len(pieces.encode("passage:")) + 1
    inner = [token for window in windows if window.owner == 2 for token in window.ids[before:-1]]
    assert inner == pieces.encode(texts[2])


def test_prefix_and_text_are_encoded_as_one(model_dir: Path) -> None:
    """The ids are those that the model was trained on: of "query: text" in one piece."""
    pieces = E5Model(model_dir, threads=1)._load().pieces
    for text in ("I met 王小明 at the café", "我对虾过敏", "...", "　全角 ＡＢＣ"):
        (window,) = windows_of([text], "query", pieces)
        assert list(window.ids) == [pieces.bos_id(), *pieces.encode(f"query: {text}"), pieces.eos_id()]


def test_batches_are_even_and_bounded() -> None:
    """Each position once, no more token positions than allowed, at most a third of them padding."""
    lengths = [4, 512, 30, 31, 29, 500, 8, 8, 7, 60] * 20
    groups = batches(lengths)
    assert sorted(position for group in groups for position in group) == list(range(len(lengths)))
    for group in groups:
        longest = max(lengths[position] for position in group)
        assert longest * len(group) <= BATCH_TOKENS
        assert sum(lengths[position] for position in group) >= 0.66 * longest * len(group)


def test_several_threads_share_one_model(model_dir: Path) -> None:
    """The first use may come from all of them at once."""
    shared = E5Embedder(model_dir)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: shared.embed(["我对虾过敏"], "query"), range(4)))
    assert np.ptp(np.concatenate(found), axis=0).max() < 1e-6


def test_a_missing_model_is_a_named_failure(tmp_path: Path) -> None:
    """It says how to build the model, and only when a vector is wanted."""
    embedder = E5Embedder(tmp_path / "nowhere")
    assert embedder.embed([], "query").shape == (0, 384)
    with pytest.raises(EmbedderFailed, match="make setup"):
        embedder.embed(["a"], "query")


def test_a_damaged_model_is_a_named_failure(tmp_path: Path) -> None:
    """Not a vendor's exception."""
    for name in ("model.onnx", "tokenizer.spm"):
        (tmp_path / name).write_bytes(b"not a model")
    with pytest.raises(EmbedderFailed, match="make setup"):
        E5Embedder(tmp_path).embed(["a"], "query")
