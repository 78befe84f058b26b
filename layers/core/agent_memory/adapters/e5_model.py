"""The packaged multilingual-e5-small itself: texts to raw vectors, of each text or of its tokens, before any centring.

Model: intfloat/multilingual-e5-small (MIT; Wang et al. 2024, arXiv 2402.05672), which reads up to 512 tokens and wants
"query: " or "passage: " before each text.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Literal

from agent_memory.adapters.e5_windows import Window, batches, windows_of
from agent_memory.adapters.embedding_parts import pooled
from agent_memory.errors import EmbedderFailed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from sentencepiece import SentencePieceProcessor

    from agent_memory.ports import Vectors

DIM = 384
_OF_TEXT, _OF_TOKENS = "sentence_embedding", "last_hidden_state"


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: InferenceSession
    pieces: SentencePieceProcessor


class E5Model:
    """Loads model.onnx and tokenizer.spm from `folder` when the first text comes; safe to use from several threads."""

    def __init__(self, folder: Path, threads: int) -> None:
        self._folder = folder
        self._threads = threads
        self._lock = Lock()
        self._loaded: _Loaded | None = None

    def vectors(self, texts: Sequence[str], side: Literal["query", "passage"]) -> Vectors:
        """Unit vectors (len(texts), 384); raises EmbedderFailed when the model is missing or broken."""
        found, (rows,) = self._outputs(texts, side, (_OF_TEXT,))
        return _pooled(found, rows, len(texts))

    def token_states(self, texts: Sequence[str], side: Literal["query", "passage"]) -> list[Vectors]:
        """The last hidden states (tokens, 384) of each text's own tokens, not normed; none of prefix and special ones.

        The windows of a long text stand one after the other. Raises EmbedderFailed like `vectors`.
        """
        found, (states,) = self._outputs(texts, side, (_OF_TOKENS,))
        return _by_text(found, states, len(texts))

    def vectors_and_states(
        self, texts: Sequence[str], side: Literal["query", "passage"]
    ) -> tuple[Vectors, list[Vectors]]:
        """Those of `vectors` and `token_states` from one run of the network."""
        found, (rows, states) = self._outputs(texts, side, (_OF_TEXT, _OF_TOKENS))
        return _pooled(found, rows, len(texts)), _by_text(found, states, len(texts))

    def _outputs(
        self, texts: Sequence[str], side: Literal["query", "passage"], names: Sequence[str]
    ) -> tuple[list[Window], list[list[Vectors]]]:
        """The windows of the texts, and for each output of the network what it is for each of them."""
        if not texts:
            return [], [[] for _ in names]
        loaded = self._load()
        found = windows_of(texts, side, loaded.pieces)
        gathered: list[dict[int, Vectors]] = [{} for _ in names]
        for batch in batches([len(window.ids) for window in found]):
            outputs = _run(loaded, [found[position].ids for position in batch], names)
            for name, output, parts in zip(names, outputs, gathered, strict=True):
                for position, part in zip(batch, output, strict=True):
                    # copied: a view would keep the whole batch
                    parts[position] = (_own(found[position], part) if name == _OF_TOKENS else part).copy()
        return found, [[parts[position] for position in range(len(found))] for parts in gathered]

    def _load(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._folder, self._threads)
            return self._loaded


def _pooled(found: Sequence[Window], rows: Sequence[Vectors], count: int) -> Vectors:
    import numpy as np

    lengths = [len(window.ids) for window in found]
    return pooled(np.stack(rows) if rows else np.zeros((0, DIM), np.float32), [w.owner for w in found], lengths, count)


def _by_text(found: Sequence[Window], states: Sequence[Vectors], count: int) -> list[Vectors]:
    """The windows of a text one after the other."""
    import numpy as np

    of_text: list[list[Vectors]] = [[] for _ in range(count)]
    for window, state in zip(found, states, strict=True):
        of_text[window.owner].append(state)
    return [np.concatenate(owned) for owned in of_text]


def _own(window: Window, states: Vectors) -> Vectors:
    """Those of the text's own tokens."""
    return states[window.before : len(window.ids) - 1]


def _run(loaded: _Loaded, rows: Sequence[Sequence[int]], outputs: Sequence[str]) -> list[NDArray[np.float32]]:
    import numpy as np

    longest = max(map(len, rows))
    ids = np.full((len(rows), longest), loaded.pieces.pad_id(), np.int64)
    mask = np.zeros_like(ids)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
        mask[number, : len(row)] = 1
    try:
        found: list[NDArray[np.float32]] = loaded.session.run(list(outputs), {"input_ids": ids, "attention_mask": mask})
    except _vendor_errors() as error:  # most likely too little memory
        raise EmbedderFailed(f"the embedding model could not run ({type(error).__name__})") from error
    return found


def _load(folder: Path, threads: int) -> _Loaded:
    import onnxruntime
    from sentencepiece import SentencePieceProcessor

    _require_files(folder)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # a waiting thread gives up its core
    try:
        session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
        pieces = SentencePieceProcessor(model_file=str(folder / "tokenizer.spm"))
    except _load_errors() as error:
        raise EmbedderFailed(
            f"the embedding model in {folder} cannot be read ({type(error).__name__}); `make setup` rebuilds it"
        ) from error
    return _Loaded(session, pieces)


def _vendor_errors() -> tuple[type[Exception], ...]:
    """Those of onnxruntime, which share no base below Exception."""
    from onnxruntime.capi import onnxruntime_pybind11_state as vendor

    return vendor.Fail, vendor.InvalidArgument, vendor.InvalidGraph, vendor.InvalidProtobuf, vendor.RuntimeException


def _load_errors() -> tuple[type[Exception], ...]:
    """With those that sentencepiece raises."""
    return (*_vendor_errors(), RuntimeError, OSError)


def _require_files(folder: Path) -> None:
    missing = [name for name in ("model.onnx", "tokenizer.spm") if not (folder / name).is_file()]
    if missing:
        raise EmbedderFailed(
            f"the embedding model is not in {folder} (no {' and no '.join(missing)}); `make setup` builds it"
        )
