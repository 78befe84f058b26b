"""Whether somebody made up a value or a generator did: measures, not proofs, for values behind a word for secrets."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

ENOUGH_BITS = 2.8  # Shannon entropy per character: English words of ten letters have about as much, "xxxx-xxxx" has not
FEW = 8
MANY, MANY_RUNS = 30, 4
ENOUGH = 256  # characters that are looked at
_STAND_IN = re.compile(
    (
        r"your|example\.|placeholder|change[_-]?me|redacted|process\.env|environ|getenv|\$\{|\{\{|<|\bnull\b"
        r"|undefined|x{6}|\*{3}|\.{3}"
    ),
    re.IGNORECASE,
)
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)


def bits_per_character(text: str) -> float:
    """Shannon entropy of the characters; 0 for no text."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)


def looks_random(value: str) -> bool:
    """Whether letters and digits are mixed as no word, number, date, path or stand-in mixes them."""
    value = value[:ENOUGH]
    if len(value) < FEW or _STAND_IN.search(value) or bits_per_character(value) < ENOUGH_BITS:
        return False
    if _UUID.fullmatch(value):
        return True
    if len(value) >= MANY and re.fullmatch(r"[A-Za-z0-9+/_=-]+", value) and _shuffled(value):
        return True
    runs = re.findall(r"[A-Za-z]+|\d+", value)
    mixed = sum(run.isdigit() for run in runs)
    letters = sum(character.isalpha() for character in value)
    return (
        mixed >= 1 and letters > 1 and (len(runs) >= MANY_RUNS or (len(runs) > 1 and not re.search(r"[-_/.: ]", value)))
    )


def looks_unspoken(token: str) -> bool:
    """Whether what follows a known prefix is more than words with hyphens: a digit, capitals within, or a long run."""
    longest_word = 15
    parts = re.split(r"[-_.]", token)
    rest = token[3:]
    return (
        any(character.isdigit() for character in rest)
        or any(len(part) > longest_word for part in parts)
        or bool(re.search(r"[a-z][A-Z]|[A-Z]{5}", rest))
    )


def _shuffled(value: str) -> bool:
    """Whether capitals and small letters change more often than in words that are put together."""
    changes = sum(a.islower() and b.isupper() for a, b in pairwise(value))
    return changes >= len(value) / 8 and not re.fullmatch(r"(?:[A-Z]?[a-z]{2,}[_/-]?)+", value)
