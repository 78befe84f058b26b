"""The vocabulary as a SentencePiece model whose ids are those of the network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from e5_weights import Vocabulary

NORMAL, UNKNOWN, CONTROL = 1, 2, 3  # piece types of sentencepiece_model.proto


def tokenizer_bytes(vocabulary: Vocabulary) -> bytes:
    """A serialised SentencePiece unigram model with the normaliser that the network was trained with (nmt_nfkc)."""
    from sentencepiece import SentencePieceNormalizer, sentencepiece_model_pb2

    schema: Any = sentencepiece_model_pb2  # generated code without types

    model = schema.ModelProto()
    model.ParseFromString(SentencePieceNormalizer(rule_name="nmt_nfkc").serialized_model_proto())
    _add_pieces(model, vocabulary)
    spec = model.trainer_spec
    spec.unk_id, spec.bos_id, spec.eos_id, spec.pad_id = vocabulary.unk, vocabulary.bos, vocabulary.eos, vocabulary.pad
    spec.vocab_size = len(vocabulary.pieces)
    return bytes(model.SerializeToString())


def _add_pieces(model: Any, vocabulary: Vocabulary) -> None:
    controls = {vocabulary.bos, vocabulary.eos, vocabulary.pad}
    del model.pieces[:]
    for number, (piece, score) in enumerate(zip(vocabulary.pieces, vocabulary.scores, strict=True)):
        kind = UNKNOWN if number == vocabulary.unk else CONTROL if number in controls else NORMAL
        # SentencePiece refuses empty pieces; the stand-in can't occur in a text, for it holds no normalised space
        model.pieces.add(piece=piece or f"<empty {number}>", score=float(score), type=kind)
