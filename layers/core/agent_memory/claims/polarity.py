"""What a text affirms and what it denies: its content words (Chinese: characters), each with the parity of denials.

A denial counts for the whole clause ("I eat no meat" is "I don't eat meat"); words such as "without" and "before" only
for what follows. An opposite counts as a denial of its pair ("hate" as "not like"); two cancel.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise

from agent_memory.claims.opposites import (
    HAN_NEUTRAL,
    HAN_OPPOSITES,
    HAN_SILENT,
    LOCAL_NEGATIONS,
    NEGATIONS,
    OPPOSITES,
    PHRASES,
    PREFIXES,
    SYNONYMS,
)
from agent_memory.claims.plain import has_han
from agent_memory.words.english import FUNCTION_STEMS, stem

Polarities = Mapping[str, frozenset[int]]

_NOT = "\u0000"
_DENIAL, _COMMA = "not", ","
_PHRASES = tuple((re.compile(pattern), meaning) for pattern, meaning in PHRASES)
_TOKEN = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*|[.,;!?:\n()|]")
_CLAUSE_WORDS_TEXT = """
but however although though because which who while whereas so if when then yet since unless until
"""
_CLAUSE_WORDS = frozenset(_CLAUSE_WORDS_TEXT.split())
_SUBJECTS_TEXT = """
i we he she they it you my his her our their this that user do does am now also please
"""
_SUBJECTS = frozenset(_SUBJECTS_TEXT.split())
_AUXILIARIES_TEXT = """
am is are was were be been do does did can could will would should shall have has had may might must need to or and
please still really also ought
"""
_AUXILIARIES = frozenset(_AUXILIARIES_TEXT.split())
_PREPOSITIONS_TEXT = """
in on at by for from to of with about after into over than and or , as
"""
_PREPOSITIONS = frozenset(_PREPOSITIONS_TEXT.split())
_SILENT_TEXT = "now really just still even ever alway also anymore longer nor yet user"
_TELLS_NOTHING = FUNCTION_STEMS | frozenset(_SILENT_TEXT.split())
_MARK = re.compile("[.,;!?:\n()|]")

_NEUTRAL = re.compile(HAN_NEUTRAL)
_HAN_OPPOSITES = tuple((re.compile(pattern), meaning) for pattern, meaning in HAN_OPPOSITES)
_ASKED = re.compile("(.{1,2})[不没]\\1")
_HAN_CLAUSE = re.compile(r"[,.;!?:。\n|()]+|但是|但|可是|而是|而(?!且)|却|只是")
_HAN_AGAIN = re.compile("(?<=.)(?=\u0000+(喜欢|吃|喝|想|要|会|能|住|用|买|去|做))")
_HAN_UNIT = re.compile("[a-z0-9]+|[\u3400-\u9fff]")
_HAN_BEFORE = re.compile("([\u3400-\u9fff]{1,2})(?:之|以)?前")


def polarities(text: str) -> Polarities:
    """The parities (0 affirmed, 1 denied) that each content word has in the clauses of a plain, expanded text."""
    found: dict[str, set[int]] = defaultdict(set)
    for word, parity in _of_chinese(text.casefold()) if has_han(text) else _of_english(text.casefold()):
        found[word].add(parity)
    return {word: frozenset(parities) for word, parities in found.items()}


def opposed(one: Polarities, other: Polarities) -> bool:
    """Whether one denies something that the other affirms."""
    if any(not parities & other.get(word, parities) for word, parities in one.items()):
        return True
    return _by_prefix(one, other) or _by_prefix(other, one)


def _by_prefix(one: Polarities, other: Polarities) -> bool:
    """The other has "unsafe" where one has "safe", with the same parity."""
    return any(
        parities & (one.get(rest, frozenset()) | one.get(f"{rest}e", frozenset()))
        for word, parities in other.items()
        for prefix in PREFIXES
        if (rest := word.removeprefix(prefix)) != word and word not in one and rest not in other
    )


def denials_resolved(text: str) -> str:
    """A Chinese text with each denial as one NUL, and opposites as the denial of what they deny."""
    text = _ASKED.sub(r"\1", _NEUTRAL.sub("", text.replace(" ", "")))
    for pattern, meaning in _HAN_OPPOSITES:
        text = pattern.sub(meaning, text)
    return text


def english_resolved(text: str) -> str:
    """A lower-case English text with phrases that deny as "not" or as one word."""
    for pattern, meaning in _PHRASES:
        text = pattern.sub(meaning, text)
    return text


def _of_english(text: str) -> Iterator[tuple[str, int]]:
    tokens = _TOKEN.findall(english_resolved(text))
    clause: list[str] = []
    for position, token in enumerate(tokens):
        if _begins_clause(tokens, position):
            yield from _of_clause(clause)
            clause = []
        clause.append(token)
    yield from _of_clause(clause)


def _begins_clause(tokens: list[str], position: int) -> bool:
    token = tokens[position]
    before = tokens[position - 1] if position else ""
    if token in _CLAUSE_WORDS or (_MARK.fullmatch(token) and token != _COMMA):
        return True
    if token in (",", "and", "or"):
        following = tokens[position + 1 : position + 2]
        return bool(following) and (following[0] in _SUBJECTS or following[0] in NEGATIONS)
    return token == _DENIAL and bool(before) and before not in _AUXILIARIES and not _MARK.fullmatch(before)


def _of_clause(tokens: list[str]) -> Iterator[tuple[str, int]]:
    words: list[tuple[str, int]] = []
    denied = local = 0
    for token in (each.removesuffix("'s") for each in tokens):
        root = stem(token) if token.isascii() and token.isalpha() else token
        base = OPPOSITES.get(token) or OPPOSITES.get(root)
        if token in LOCAL_NEGATIONS:
            local = 1
        elif token in _PREPOSITIONS:
            local = 0
        elif token in NEGATIONS or root in NEGATIONS:
            denied += 1
        elif base or root not in _TELLS_NOTHING:
            denied += base is not None
            words.append((base or SYNONYMS.get(root, root), local))
    for word, inner in words:
        if not _MARK.fullmatch(word):
            yield word, (denied + inner) % 2


def _of_chinese(text: str) -> Iterator[tuple[str, int]]:
    for whole in _HAN_CLAUSE.split(denials_resolved(text)):
        for clause in _repeated_verb_split(whole):
            denied = clause.count(_NOT)
            before = {character for match in _HAN_BEFORE.finditer(clause) for character in match[1]}
            for unit in _HAN_UNIT.findall(clause.replace("前", "后")):
                if unit not in HAN_SILENT:
                    yield unit, (denied + (unit in before)) % 2


def _repeated_verb_split(clause: str) -> list[str]:
    """我喜欢茶不喜欢咖啡 as two clauses: a denied verb that the clause had before begins another."""
    cuts = [match.start() for match in _HAN_AGAIN.finditer(clause) if match[1] in clause[: match.start()]]
    edges = [0, *cuts, len(clause)]
    return [clause[start:end] for start, end in pairwise(edges)]
