"""How texts go through the packaged model: as windows of token ids, the windows in batches of similar length."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sentencepiece import SentencePieceProcessor

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


def windows_of(texts: Sequence[str], side: Literal["query", "passage"], pieces: SentencePieceProcessor) -> list[Window]:
    """Each text as one window, or as several of nearly equal size where it has more tokens than the model reads."""
    # encoded apart from the text: no piece spans a space, so the ids are those of prefix and text together
    before = [pieces.bos_id(), *pieces.encode(f"{side}:")]
    room = MAX_TOKENS - len(before) - 1
    found = []
    for owner, ids in enumerate(pieces.encode([*map(_encodable, texts)])):
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
