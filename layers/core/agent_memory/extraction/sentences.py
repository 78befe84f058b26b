"""Long texts in pieces that an embedder reads whole: at sentence ends, else at commas, else at spaces, else anywhere.

Nothing is lost: the pieces in a row are the text but for white space at the cuts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

from agent_memory.extraction.graphemes import break_offsets, extends
from agent_memory.extraction.sentence_ends import sentence_ends

_LATIN_COST, _OTHER_COST, _WIDE_COST = 3, 5, 8
PIECE_BUDGET = 800 * _LATIN_COST
"""800 Latin letters or 300 wide ones: below 512 tokens of a multilingual SentencePiece model."""

_CLAUSE_END = re.compile(r"[,;:]\s+|[，、；：،؛]\s*|(?<!\s)\s++[-–—]++\s++|——")
_SPACE = re.compile(r"\s+")


def split_sentences(text: str) -> list[str]:
    """The sentences of a text in English, Chinese, Japanese and the like, without the white space around them."""
    return [sentence for part in sentence_slices(text) if (sentence := part.strip())]


def sentence_slices(text: str) -> list[str]:
    """The sentences with the white space behind them: joined they are the text."""
    return list(_slices(text, sentence_ends(text)))


def chunk(text: str, budget: int = PIECE_BUDGET) -> list[str]:
    """Pieces of at most `budget` (see `cost`), whole sentences packed in order; a blank text has none.

    Only a single grapheme that costs more than the budget makes a piece that is over it.
    """
    return [piece for part in _fit(text, budget, _CUTS) if (piece := part.strip())]


def cost(text: str) -> int:
    """What a text takes of a budget: 3 for a Latin character, 8 for a wide one (CJK, emoji), 5 for any other."""
    return sum(_character_cost(character) for character in text)


def _character_cost(character: str) -> int:
    if character < "\u0250":
        return _LATIN_COST
    return _WIDE_COST if unicodedata.east_asian_width(character) in ("W", "F") else _OTHER_COST


Cut = Callable[[str], Iterable[int]]


def _clause_ends(text: str) -> Iterator[int]:
    return (match.end() for match in _CLAUSE_END.finditer(text))


def _spaces(text: str) -> Iterator[int]:
    return (match.end() for match in _SPACE.finditer(text))


_CUTS: tuple[Cut, ...] = (sentence_ends, _clause_ends, _spaces, break_offsets)


def _fit(text: str, budget: int, cuts: Sequence[Cut]) -> Iterator[str]:
    if cost(text.strip()) <= budget or not cuts:
        yield text
        return
    packed, used = "", 0
    for part in _slices(text, cuts[0](text)):
        size = cost(part)
        if packed and used + size > budget:
            yield packed
            packed, used = "", 0
        if size > budget:
            yield from _fit(part, budget, cuts[1:])
        else:
            packed, used = packed + part, used + size
    if packed:
        yield packed


def _slices(text: str, offsets: Iterable[int]) -> Iterator[str]:
    """The text cut at the offsets, except before a character that belongs to the one in front of it."""
    start = 0
    for offset in offsets:
        if start < offset < len(text) and not extends(text[offset]):
            yield text[start:offset]
            start = offset
    if start < len(text):
        yield text[start:]
