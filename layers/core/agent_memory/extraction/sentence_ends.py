"""Where sentences end, in scripts with and without spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Latin marks end a sentence before white space or at the end of the text, so decimals, URLs and addresses stay whole;
# between two letters of a script without spaces they do as well. The marks of such scripts need nothing after them.
# Each run of marks is tried once, from its first character: the time stays linear in hostile texts.
_CANDIDATE = re.compile(
    r"(?P<newline>\n\s*+)"
    r"|(?P<wide>[。！？；｡।॥؟۔][。！？；｡।!?…~～]*+"
    r"|(?<![!?])[!?]++(?=[\u3040-\u30ff\u3400-\u9fff])|(?<!…)…{2,}+(?![\s.]))"
    r"|(?P<latin>(?<![.!?…])[.!?…]++(?=[\"'”’»)\]」』）]*+(?:\s|$)))"
    r"|(?P<narrow>(?<=[\u3040-\u30ff\u3400-\u9fff])\.(?=[\u3040-\u30ff\u3400-\u9fff]))"
)
_CLOSING = "”’»)]」』）】》〉"
_JAPANESE_QUOTATIVE = ("と", "って")
_LAST_WORD = re.compile(r"(\S+)\Z")
_NEVER_LAST = frozenset(
    {"mr", "mrs", "ms", "dr", "prof", "st", "rev", "gen", "sen", "rep", "capt", "lt", "sgt"}
    | {"col", "hon", "mt", "messrs", "e.g", "i.e", "vs", "cf", "viz"}
)
_NEEDS_NUMBER = frozenset({"no", "nos", "vol", "p", "pp", "fig", "ch", "sec", "art", "op", "nr", "approx", "ca"})
_MAYBE_LAST = frozenset(
    {"etc", "a.m", "p.m", "inc", "ltd", "co", "corp", "jr", "sr", "u.s", "u.k", "ph.d", "al", "dept"}
    | {"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"}
    | {"mon", "tue", "tues", "wed", "thu", "thurs", "fri", "sat", "sun", "min", "max", "est", "ave", "rd"}
)
_LOOK_BACK = 24  # characters; no abbreviation is longer


def sentence_ends(text: str) -> Iterator[int]:
    """The offsets behind each sentence and its white space, in order; the end of the text may be among them."""
    start = 0
    for match in _CANDIDATE.finditer(text):
        end = _end(text, start, match)
        if end is not None and end > start:
            start = end
            yield end


def _end(text: str, start: int, match: re.Match[str]) -> int | None:
    if match.start() < start:
        return None
    if match.lastgroup == "newline":
        return None if _is_wrapped(text, match) else match.end()
    if match.lastgroup == "latin" and not _ends_latin(text, start, match):
        return None
    end = _behind_closing_quotes(text, start, match.end())
    if end > match.end() and text.startswith(_JAPANESE_QUOTATIVE, end):
        return None
    return _behind_spaces(text, end)


def _is_wrapped(text: str, match: re.Match[str]) -> bool:
    """A line broken by its width: one newline, and the next line goes on with a small letter."""
    return match.group().count("\n") == 1 and text[match.end() : match.end() + 1].islower()


def _ends_latin(text: str, start: int, match: re.Match[str]) -> bool:
    if match.group() != ".":
        return not (set(match.group()) <= {".", "…"} and _next_character(text, match.end()).islower())
    last = _LAST_WORD.search(text, max(start, match.start() - _LOOK_BACK), match.start())
    if last is None:
        return True
    word = last.group().lstrip("(\"'“‘[")
    following = _next_character(text, match.end())
    return not (
        word.casefold() in _NEVER_LAST
        or (word.casefold() in _NEEDS_NUMBER and following.isdigit())
        or (word.casefold() in _MAYBE_LAST and not following.isupper())
        or (len(word) == 1 and word.isupper() and word != "I" and word.isascii())
        or (word.isdigit() and last.start() == start)
    )


def _next_character(text: str, offset: int) -> str:
    following = _behind_spaces(text, offset)
    return text[following : following + 1]


def _behind_closing_quotes(text: str, start: int, offset: int) -> int:
    end = offset
    while end < len(text) and (text[end] in _CLOSING or (text[end] == '"' and text.count('"', start, end) % 2 == 1)):
        end += 1
    return end


def _behind_spaces(text: str, offset: int) -> int:
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset
