"""How much of a text's content is in other texts: English stems, pairs of characters in scripts without spaces.

What only frames a claim ("user", "said", 用户) is no content, nor are numbers and dates, which are compared by
themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent_memory.claims.number_words import HAN_DIGITS, HAN_MYRIADS, HAN_SCALES, ORDINALS, SCALES, SMALL, TENS, TIMES
from agent_memory.claims.opposites import HAN_SILENT, NEGATIONS, OPPOSITES, SYNONYMS
from agent_memory.claims.reading import read
from agent_memory.words.english import FUNCTION_STEMS, stem

_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff"
_WORD = re.compile(rf"[^\W\d_{_UNSPACED}]+")
_RUN = re.compile(f"[{_UNSPACED}]+")
_FRAMING = """
user person name call said say mention tell told state express report indicate note like prefer want plan think feel own
use really just still even now always anymore longer yet currently start begin also very one year old assistant speaker
"""
_FRAMING_STEMS = FUNCTION_STEMS | frozenset(map(stem, _FRAMING.split())) | {stem(word) for word in NEGATIONS}
_COUNTED = frozenset([*SMALL, *TENS, *SCALES, *ORDINALS, *TIMES, "half"])
_HAN_FRAMING = re.compile(
    "用户|说话人|提到|表示|说道|告诉|喜欢|讨厌|希望|名字|名叫|自己|目前|现在|开始|一[个只位家]|没有"
)
_HAN_COUNTED = frozenset([*HAN_DIGITS, *HAN_SCALES, *HAN_MYRIADS])
_HAN_FRAMING_CHARACTERS = HAN_SILENT | _HAN_COUNTED | frozenset("不没别无未非说想叫姓个只会能岁")


@dataclass(frozen=True, slots=True)
class Content:
    """`words` as stems, `runs` of unspaced characters without those that only frame."""

    words: frozenset[str]
    runs: tuple[str, ...]

    @property
    def weight(self) -> float:
        """Two characters weigh as much as a word."""
        return len(self.words) + sum(map(len, self.runs)) / 2


def content(text: str, ignored: Iterable[str] = ()) -> Content:
    """The content of a text; names in `ignored` are none."""
    undated = read(text).undated
    for name in ignored:
        undated = re.sub(re.escape(name), " ", undated, flags=re.IGNORECASE) if name.strip() else undated
    words = (match[0] for match in _WORD.finditer(undated.casefold()))
    stems = {stem(word) if word.isascii() else word for word in words if word not in _COUNTED}
    stems = {SYNONYMS.get(each, OPPOSITES.get(each, each)) for each in stems}
    runs = _RUN.findall(_HAN_FRAMING.sub(" ", undated))
    split = "".join(" " if each in _HAN_FRAMING_CHARACTERS else each for each in " ".join(runs))
    return Content(frozenset(stems - _FRAMING_STEMS - {""}), tuple(split.split()))


def share(of: str, within: Sequence[str], ignored: Iterable[str] = ()) -> float | None:
    """The share of its content that the other texts hold together, 0 to 1; None if it has no content."""
    looked_for = content(of, ignored)
    if not looked_for.weight:
        return None
    held = [content(text) for text in within]
    words = {word for each in held for word in each.words}
    runs = [run for each in held for run in each.runs]
    pairs = {pair for run in runs for pair in pairwise(run)}
    singles = {character for run in runs for character in run}
    found = float(len(looked_for.words & words))
    return (found + sum(_covered(run, pairs, singles) for run in looked_for.runs) / 2) / looked_for.weight


def _covered(run: str, pairs: set[tuple[str, str]], singles: set[str]) -> int:
    """Characters of the run that stand in a pair of the others; one alone has no pair."""
    if len(run) == 1:
        return int(run in singles)
    known = [pair in pairs for pair in pairwise(run)]
    return sum(before or behind for before, behind in zip([False, *known], [*known, False], strict=True))
