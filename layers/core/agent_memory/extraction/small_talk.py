"""Which messages say something, and which only greet, thank, agree or laugh (English and Chinese).

A message is small talk only if every word of it belongs to a known formula. A word that is not known, a number or a
name makes it worth keeping: losing something said is worse than keeping a courtesy.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from agent_memory.extraction.formulas import ADDRESSES, ALONE, FORMULAS, GREETINGS, LONGEST, TAKES_ADDRESS

_MOST_TOKENS = 40
_SHORTEST_NAME = 3
_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:'[^\W_\u3400-\u9fff]+)*")
_EMOTICON = re.compile(r"(?<!\S)(?:<3+|[:;=xX]-?[dDpPoO3]+)(?!\S)")
_REPEATED = re.compile(r"(.)\1{2,}")
_LAUGHTER = re.compile(
    r"(?:a?(?:ha|he|hi|ho|ah){2,}h?a?|lo+l+|lmf?ao|rofl|xd|h+m+|m+h?m+|a+h+|o+h+|u+h+|a+w+|w+o+a?h*|e+h+|u+m+)"
)
_CHINESE_SOUND = re.compile("[嗯哈呵嘿嘻哦噢喔啊呀哎唉诶欸哇嗷唔额呃吼]")
_CALENDAR_NAMES = frozenset(
    {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "today", "tomorrow", "tonight"}
    | {"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november"}
    | {"december"}
)


def says_something(text: str, names: Iterable[str] = ()) -> bool:
    """Whether the text holds more than courtesies, punctuation and emoji.

    `names` are those of the people in the conversation: to call somebody by name is a courtesy too.
    """
    if not any(character.isalnum() for character in text):
        return False
    folded = _EMOTICON.sub(" ", unicodedata.normalize("NFKC", text).replace("’", "'"))
    tokens = _TOKEN.findall(folded)
    if len(tokens) > _MOST_TOKENS:
        return True
    known = {word.casefold() for name in names for word in _TOKEN.findall(unicodedata.normalize("NFKC", name))}
    return not _is_made_of_formulas(tokens, known)


def _is_made_of_formulas(tokens: list[str], names: set[str]) -> bool:
    """Whether formulas, sounds and forms of address cover the tokens without a gap."""
    if " ".join(tokens).casefold() in ALONE:
        return True
    reached = {0}
    for start in range(len(tokens)):
        if start in reached:
            reached.update(_ends(tokens, start, names))
    return len(tokens) in reached


def _ends(tokens: list[str], start: int, names: set[str]) -> Iterator[int]:
    for end in range(start + 1, min(len(tokens), start + LONGEST) + 1):
        if _is_formula(tokens[start:end]) or _is_address(tokens, start, end):
            yield end
    if _is_sound(tokens[start]) or _is_name(tokens, start, names):
        yield start + 1


def _is_formula(tokens: list[str]) -> bool:
    words = " ".join(tokens).casefold()
    return any(form in FORMULAS for form in (words, _REPEATED.sub(r"\1", words), _REPEATED.sub(r"\1\1", words)))


def _is_sound(token: str) -> bool:
    return bool(_LAUGHTER.fullmatch(token.casefold()) or _CHINESE_SOUND.fullmatch(token))


def _is_address(tokens: list[str], start: int, end: int) -> bool:
    """Friend, everyone, 老师: after a greeting or thanks, not as an answer."""
    words = " ".join(tokens[start:end]).casefold()
    return start > 0 and tokens[start - 1].casefold() in TAKES_ADDRESS and words in ADDRESSES


def _is_name(tokens: list[str], start: int, names: set[str]) -> bool:
    """A participant's name beside other words, its short form (Mel) or any capitalised word behind a greeting."""
    token, is_capitalised = tokens[start].casefold(), tokens[start].istitle()
    if token in names:
        return len(tokens) > 1
    if start == 0 or not is_capitalised:
        return False
    is_short_form = len(token) >= _SHORTEST_NAME and any(name.startswith(token) for name in names)
    return is_short_form or (tokens[start - 1].casefold() in GREETINGS and token not in _CALENDAR_NAMES)
