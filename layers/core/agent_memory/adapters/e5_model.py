"""The packaged multilingual-e5-small itself: texts to raw vectors, of each text or of its tokens, before any centring.

Model: intfloat/multilingual-e5-small (MIT; Wang et al. 2024, arXiv 2402.05672), which reads up to 512 tokens and wants
"query: " or "passage: " before each text.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, Literal

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
MAX_TOKENS = 512
# One run of the network at a time holds at most this many token positions: it bounds memory (about 90 MB), and larger
# batches are no faster on a CPU.
BATCH_TOKENS = 2048
# Texts shorter than this share of the longest in their batch go to the next one, so that little is computed on padding.
BATCH_EVENNESS = 0.75


@dataclass(frozen=True, slots=True)
class Window:
    """Token ids of one text or of a part of it; `owner` is the position of the text.

    The first `before` ids are the start token and the prefix of the side, the last one is the end token.
    """

    owner: int
    ids: tuple[int, ...]
    before: int


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
        import numpy as np

        if not texts:
            return np.zeros((0, DIM), np.float32)
        loaded = self._load()
        found = windows_of([*map(_encodable, texts)], side, loaded.pieces)
        rows = np.zeros((len(found), DIM), np.float32)
        for batch in batches([len(window.ids) for window in found]):
            rows[batch] = _run(loaded, [found[position].ids for position in batch], "sentence_embedding")
        owners = [window.owner for window in found]
        return pooled(rows, owners, [len(window.ids) for window in found], len(texts))

    def token_states(self, texts: Sequence[str], side: Literal["query", "passage"]) -> list[Vectors]:
        """The last hidden states (tokens, 384) of each text's own tokens, not normed; none of prefix and special ones.

        The windows of a long text stand one after the other. Raises EmbedderFailed like `vectors`.
        """
        import numpy as np

        if not texts:
            return []
        loaded = self._load()
        found = windows_of([*map(_encodable, texts)], side, loaded.pieces)
        parts: list[Vectors] = [np.zeros((0, DIM), np.float32)] * len(found)
        for batch in batches([len(window.ids) for window in found]):
            states = _run(loaded, [found[position].ids for position in batch], "last_hidden_state")
            for position, state in zip(batch, states, strict=True):
                window = found[position]
                parts[position] = state[window.before : len(window.ids) - 1].copy()  # a view would keep the whole batch
        of_text: list[list[Vectors]] = [[] for _ in texts]
        for window, part in zip(found, parts, strict=True):
            of_text[window.owner].append(part)
        return [np.concatenate(owned) for owned in of_text]

    def _load(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._folder, self._threads)
            return self._loaded


def windows_of(texts: Sequence[str], side: Literal["query", "passage"], pieces: SentencePieceProcessor) -> list[Window]:
    """Each text as one window, or as several of nearly equal size where it has more tokens than the model reads."""
    # encoded apart from the text: no piece spans a space, so the ids are those of prefix and text together
    before = [pieces.bos_id(), *pieces.encode(f"{side}:")]
    room = MAX_TOKENS - len(before) - 1
    found = []
    for owner, ids in enumerate(pieces.encode(list(texts))):
        count = max(1, -(-len(ids) // room))
        cuts = [len(ids) * number // count for number in range(count + 1)]
        parts = [ids[start:end] for start, end in pairwise(cuts)]
        found += [Window(owner, (*before, *part, pieces.eos_id()), len(before)) for part in parts]
    return found


def batches(lengths: Sequence[int]) -> list[list[int]]:
    """Positions in groups of similar length, each within BATCH_TOKENS after padding to its longest."""
    groups: list[list[int]] = []
    for position in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        longest = lengths[groups[-1][0]] if groups else 0
        full = not groups or longest * (len(groups[-1]) + 1) > BATCH_TOKENS
        if full or lengths[position] < BATCH_EVENNESS * longest:
            groups.append([])
        groups[-1].append(position)
    return groups


def _encodable(text: str) -> str:
    """Without lone surrogates, which the tokeniser refuses."""
    return text.encode("utf-8", "replace").decode()


def _run(loaded: _Loaded, rows: Sequence[Sequence[int]], output: str) -> NDArray[np.float32]:
    import numpy as np

    longest = max(map(len, rows))
    ids = np.full((len(rows), longest), loaded.pieces.pad_id(), np.int64)
    mask = np.zeros_like(ids)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
        mask[number, : len(row)] = 1
    found: NDArray[np.float32]
    try:
        (found,) = loaded.session.run([output], {"input_ids": ids, "attention_mask": mask})
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
