"""The vocabulary as a SentencePiece model whose ids are those of the network.

The model is a ModelProto (sentencepiece_model.proto), written here field by field: the generated classes that
sentencepiece ships refuse every protobuf older than their own, which another package may need.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from e5_weights import Vocabulary

# Field numbers of ModelProto, SentencePiece and TrainerSpec
PIECES, TRAINER_SPEC = 1, 2
PIECE, SCORE, TYPE = 1, 2, 3
VOCAB_SIZE, UNK_ID, BOS_ID, EOS_ID, PAD_ID = 4, 40, 41, 42, 43
NORMAL, UNKNOWN, CONTROL = 1, 2, 3
# Wire types (protobuf.dev/programming-guides/encoding)
VARINT, LENGTH, FIXED32 = 0, 2, 5


def tokenizer_bytes(vocabulary: Vocabulary) -> bytes:
    """A serialised SentencePiece unigram model with the normaliser that the network was trained with (nmt_nfkc)."""
    from sentencepiece import SentencePieceNormalizer

    # a model of only that normaliser: protobuf merges messages that are written one after the other
    normaliser = SentencePieceNormalizer(rule_name="nmt_nfkc").serialized_model_proto()
    return bytes(normaliser) + _pieces(vocabulary) + _block(TRAINER_SPEC, _trainer_spec(vocabulary))


def _pieces(vocabulary: Vocabulary) -> bytes:
    controls = {vocabulary.bos, vocabulary.eos, vocabulary.pad}
    written = bytearray()
    for number, (piece, score) in enumerate(zip(vocabulary.pieces, vocabulary.scores.tolist(), strict=True)):
        kind = UNKNOWN if number == vocabulary.unk else CONTROL if number in controls else NORMAL
        # SentencePiece refuses empty pieces; the stand-in can't occur in a text, for it holds no normalised space
        text = (piece or f"<empty {number}>").encode()
        written += _block(PIECES, _block(PIECE, text) + _float(SCORE, score) + _number(TYPE, kind))
    return bytes(written)


def _trainer_spec(vocabulary: Vocabulary) -> bytes:
    numbers = {
        VOCAB_SIZE: len(vocabulary.pieces),
        UNK_ID: vocabulary.unk,
        BOS_ID: vocabulary.bos,
        EOS_ID: vocabulary.eos,
        PAD_ID: vocabulary.pad,
    }
    return b"".join(_number(field, value) for field, value in numbers.items())


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first, the upper bit set on all but the last."""
    written = bytearray()
    while value >> 7:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*written, value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3 | VARINT) + _varint(value)


def _float(field: int, value: float) -> bytes:
    return _varint(field << 3 | FIXED32) + struct.pack("<f", value)


def _block(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | LENGTH) + _varint(len(content)) + content
