"""One spelling for all that is read from a text: full-width, traditional, curly and contracted forms folded, case kept.

A punctuation mark of full width becomes its ASCII form, so a Chinese comma reads ",".
"""

from __future__ import annotations

import re
import unicodedata

from agent_memory.words.han_variants import simplified

_SIGNS = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "厭": "厌", "準": "准"}
)
_SILENT = re.compile("[\u00ad\u200b-\u200f\u2060\ue000-\uf8ff\ufe00-\ufe0f\ufeff]")
_THOUSANDS = re.compile(r"(?<=\d)[,](?=\d{3}(?!\d))")
_HAN = re.compile("[\u3400-\u9fff]")
_CONTRACTIONS = tuple(
    (re.compile(pattern, re.IGNORECASE), full)
    for pattern, full in (
        (r"\bcan(?:'?t|not)\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"\bshan't\b", "shall not"),
        (r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should|need|must)n'?t\b", r"\1 not"),
        (r"\bain't\b", "am not"),
        (r"\bI'?m\b", "I am"),
        (r"\b(he|she|it|that|there|here|who|what)'s\b", r"\1 is"),
        (r"'re\b", " are"),
        (r"'ve\b", " have"),
        (r"'ll\b", " will"),
        (r"'d\b", " would"),
    )
)


def plain(text: str) -> str:
    """The text in that spelling; identifiers and their case stay."""
    folded = _SILENT.sub("", unicodedata.normalize("NFKC", text)).translate(_SIGNS)
    return simplified(_THOUSANDS.sub("", folded))


def expanded(text: str) -> str:
    """A plain text with English contractions written out: "I can't" as "I can not"."""
    for pattern, full in _CONTRACTIONS:
        text = pattern.sub(full, text)
    return text


def has_han(text: str) -> bool:
    """Whether the text is read as Chinese: any ideograph will do, since Chinese sentences hold Latin names."""
    return _HAN.search(text) is not None
