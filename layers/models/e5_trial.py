"""A first use of the finished files, so that a broken build is seen where it was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from onnxruntime import InferenceSession
from sentencepiece import SentencePieceProcessor

from e5_wheel import BuildFailed

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

TEXTS = ("I am allergic to shrimp.", "Shrimp gives me an allergic reaction.", "The train leaves at half past seven.")


def try_model(model: Path, tokenizer: Path) -> None:
    """Raises BuildFailed unless a paraphrase comes out nearer than an unrelated sentence."""
    session = InferenceSession(str(model), providers=["CPUExecutionProvider"])
    pieces = SentencePieceProcessor(model_file=str(tokenizer))
    first, same, other = (_vector(session, pieces, text) for text in TEXTS)
    if not first @ same > first @ other:
        raise BuildFailed("the model that came out of the build does not tell sentences apart")


def _vector(session: InferenceSession, pieces: SentencePieceProcessor, text: str) -> NDArray[np.float32]:
    ids = np.array([[pieces.bos_id(), *pieces.encode(f"query: {text}"), pieces.eos_id()]])
    found: NDArray[np.float32] = session.run(
        ["sentence_embedding"], {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    )[0]
    first: NDArray[np.float32] = found[0]
    return first
