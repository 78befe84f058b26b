"""Whether two texts are one by their letters, where what differs changes nothing: an order, a small word, a typo."""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher

from agent_memory.claims.opposites import PREFIXES
from agent_memory.claims.plain import has_han
from agent_memory.settlement.clauses import clauses_of, rearranged, words
from agent_memory.settlement.wording_lists import HAN_TELLING, TELLING
from agent_memory.text import normalised

LEAST_JACCARD = 0.7
LEAST_LEVENSHTEIN = 0.8
SHORT = 120
"""Characters of a text short enough for the edit distance."""

LONGEST = 1_000
"""Characters of a text that is compared word by word."""

# Of a text in which one more word may be nothing new; the keys are "is Chinese", the values characters or words.
_LEAST_WORDS = {True: 10, False: 7}
_MOST_ADDED = {True: 2, False: 1}
_SHORTEST_TYPO = 5


def similar_letters(text: str, other: str) -> bool | None:
    """Most characters are shared, and only the order of phrases differs or one small word is added.

    True if the text has the word, False if not, None if they are not alike.
    """
    if _jaccard(text, other) < LEAST_JACCARD:
        return None
    mine, its = clauses_of(text), clauses_of(other)
    if rearranged(mine, its):
        return False
    if max(len(text), len(other)) > LONGEST:
        return None
    added, lost = _edits(words(mine), words(its))
    is_chinese = has_han(text)
    spare = added or lost
    is_short = min(len(words(mine)), len(words(its))) < _LEAST_WORDS[is_chinese]
    if (added and lost) or is_short or len(spare) > _MOST_ADDED[is_chinese] or not spare:
        return None
    if any(word.rstrip("~s") in TELLING or word in TELLING or word in HAN_TELLING or "~" in word for word in spare):
        return None
    return bool(added) if [each.denied for each in mine] == [each.denied for each in its] else None


def few_edits(text: str, other: str) -> bool | None:
    """Short texts in which only a typo or a space differs: False if they are, else None."""
    from rapidfuzz.distance import Levenshtein

    one, two = normalised(text), normalised(other)
    if max(len(one), len(two)) > SHORT or Levenshtein.normalized_similarity(one, two) < LEAST_LEVENSHTEIN:
        return None
    mine, its = clauses_of(text), clauses_of(other)
    if [clause.denied for clause in mine] != [clause.denied for clause in its]:
        return None
    left, right = words(mine), words(its)
    if "".join(left) == "".join(right) and len(left) != len(right):
        return False
    if len(left) != len(right):
        return None
    pairs = [(a, b) for a, b in zip(left, right, strict=True) if a != b]
    is_typo = all(_is_typo(a, b, Levenshtein.normalized_similarity) for a, b in pairs)
    return False if pairs and is_typo and len(pairs) <= max(1, len(left) // 4) else None


def _is_typo(one: str, other: str, similarity: Callable[[str, str], float]) -> bool:
    if min(len(one), len(other)) < _SHORTEST_TYPO or one[0] != other[0] or not (one + other).isalpha():
        return False
    longer, shorter = sorted((one, other), key=len, reverse=True)
    is_denied = any(longer.removeprefix(prefix) == shorter for prefix in PREFIXES)
    return not is_denied and similarity(one, other) >= LEAST_LEVENSHTEIN


def _edits(mine: list[str], its: list[str]) -> tuple[list[str], list[str]]:
    """Words that only the one has, and that only the other has, at their places."""
    added: list[str] = []
    lost: list[str] = []
    for _, start, end, from_, to in SequenceMatcher(None, its, mine, autojunk=False).get_opcodes():
        if its[start:end] != mine[from_:to]:
            added, lost = added + mine[from_:to], lost + its[start:end]
    return added, lost


def _jaccard(one: str, other: str) -> float:
    mine, its = set(normalised(one)) - {" "}, set(normalised(other)) - {" "}
    return len(mine & its) / len(mine | its) if mine | its else 0.0
