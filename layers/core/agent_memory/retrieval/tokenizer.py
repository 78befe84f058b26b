"""Text to index terms, the same for memories and queries; no dictionary, and no language has to be known.

Words are folded and stemmed, identifiers stand whole and in parts, and scripts written without spaces become single
characters and pairs. A change of the terms needs a new TOKENIZER_VERSION: an index of another version is rebuilt.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from agent_memory.words.english import FUNCTION_STEMS, stem
from agent_memory.words.han_variants import simplified

TOKENIZER_VERSION = 2
_SHORTEST_IDENTIFIER = 4  # characters; `7pm` and `10` are said of many things

# Han, kana, hangul (also as jamo), and the scripts of South-East Asia, which have no spaces either.
_UNSPACED = (
    "\u3005\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
)
# The scripts of India with their vowel signs, which Python's \w leaves out.
_SIGNS = "\u0900-\u0963\u0966-\u0dff"
_LETTER = f"(?:[^\\W{_UNSPACED}]|[{_SIGNS}])"
_PIECE = f"{_LETTER}+(?:'{_LETTER}+)*"
_CHUNK = re.compile(rf"(?P<run>[{_UNSPACED}]+)|(?P<chunk>{_PIECE}(?:(?:://|:\\|[-_./:@+&=\\]){_PIECE})*(?:\+\+|#)?)")
_PAIR = re.compile(f"[{_UNSPACED}]{{2}}")
_PIECES = re.compile(_PIECE)
_PARTS = re.compile(rf"[0-9]+|(?:[^\W\d_]|[{_SIGNS}])+")
_YEAR = re.compile("(?:19[0-9]|20[0-4])[0-9]")
_CODE = re.compile(r"(?=[^\d]*\d)(?=.*[a-z])(?=.*[-_])[a-z0-9_-]{4,32}")
_SEPARATORS = re.compile("[-_]")
_ENGLISH = re.compile("[a-z]+")
_CONTRACTED = re.compile("(?:n't|'(?:s|ll|ve|re|m|d))$")

_ACCENTS = re.compile(
    "[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff]")
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_THOUSANDS = re.compile("(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_SAME_SIGN = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-") | dict.fromkeys("\u2018\u2019\u02bc", "'")
)

_CHINESE_FUNCTION_WORDS = (
    "的 了 吗 呢 吧 啊 呀 是 在 和 与 也 都 就 很 我 你 他 她 它 们 这 那 哪 谁 什 么 怎 被 把 给 对 从 为 "
    "我们 你们 他们 她们 什么 怎么 么样 为什 哪里 哪个 哪些 这个 那个 时候 候的 么时 是否 请问 有没 没有"
)
_FUNCTION_TERMS = FUNCTION_STEMS | frozenset(_CHINESE_FUNCTION_WORDS.split())


def tokens(text: str) -> list[str]:
    """The terms of the text in order, repeats kept. Equivalent Unicode forms give equal terms."""
    terms: list[str] = []
    for match in _CHUNK.finditer(folded(text)):
        run = match["run"]
        terms += _run_terms(run) if run else _chunk_terms(match["chunk"])
    return terms


def query_terms(text: str) -> list[str]:
    """The distinct terms of a question, without function words unless there is nothing else."""
    terms = list(dict.fromkeys(tokens(text)))
    telling = [term for term in terms if term not in _FUNCTION_TERMS]
    return telling or terms


def names_one_thing(term: str) -> bool:
    """Whether the term looks like an identifier, long number, address or version: only the exact form will do.

    A year is said of many things.
    """
    if len(term) < _SHORTEST_IDENTIFIER or _YEAR.fullmatch(term):
        return False
    return "@" in term or any(character.isdigit() for character in term)


def is_pair(term: str) -> bool:
    """Whether the term is two characters of a script without spaces, which may well belong to two words."""
    return _PAIR.fullmatch(term) is not None


def folded(text: str) -> str:
    """Compatibility forms, case, accents, digits and common traditional characters folded.

    Accents are those of Latin, Greek and Cyrillic letters and the points of Hebrew and Arabic; the sound marks of kana
    and the vowel signs of Indic scripts stay.
    """
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", _ACCENTS.sub("", text)))
    text = _OTHER_DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text.translate(_SAME_SIGN))
    return simplified(_THOUSANDS.sub("", text))


def _run_terms(run: str) -> list[str]:
    return [*run, *map("".join, pairwise(run))]


def _chunk_terms(chunk: str) -> list[str]:
    if _ENGLISH.fullmatch(chunk):
        return [stem(chunk)]
    whole = _CONTRACTED.sub("", chunk)
    if _ENGLISH.fullmatch(whole):
        return [stem(whole)]
    terms = [whole.strip("_")]
    for piece in _PIECES.findall(whole):
        parts = _PARTS.findall(piece)
        terms += [piece, *parts] if len(parts) > 1 else parts
    if _CODE.fullmatch(whole):
        terms.append(_SEPARATORS.sub("", whole))  # AB-2093, AB_2093 and AB2093 are one
    stems = (stem(term) if _ENGLISH.fullmatch(term) else term for term in terms if term)
    return list(dict.fromkeys(stems))
