"""A text as clauses of phrases in one wording: what may move freely is apart, what order gives meaning stays in order.

"On Wednesdays I really don't like tea" has one clause, denied, with the phrases ("self", "like", "tea") and
("wednesday",). A past form keeps a mark ("~"), for "was" and "is" tell different things.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent_memory.claims.dates import mark_dates
from agent_memory.claims.number_words import SMALL, UNITS
from agent_memory.claims.opposites import NEGATIONS, OPPOSITES, SYNONYMS
from agent_memory.claims.plain import expanded, has_han, plain
from agent_memory.claims.polarity import denials_resolved, english_resolved
from agent_memory.claims.reading import LONGEST_KEPT
from agent_memory.settlement.wording_lists import (
    HAN_DIGITS,
    HAN_SILENT,
    HAN_TIME,
    PREPOSITIONS,
    SELF,
    SILENT,
    SUBORDINATORS,
    TIME_WORDS,
)
from agent_memory.words.english import stem

Phrase = tuple[str, ...]

_KEPT = 2_048
DENIAL = "not"
"""What every English word for a denial becomes."""
_TOKEN = re.compile(r"@[^@\s]+@|[^\W_]+(?:[-_./:@#'+][^\W_]+)*\+{0,2}|[,;:.!?\n()\"]")
_MARK = re.compile(r"[,;:.!?\n()\"]")
_JOINTS = frozenset(("and", "but", "or"))
_PRESENT_TEXT = """
am is are be been being has does goes
"""
_PRESENT = frozenset(_PRESENT_TEXT.split())
_FUTURE = re.compile(r"\b(?:(?:am|is|are) (?:going|planning) to|gonna)\b")
_PERFECT = re.compile(r"\b(?:have|has) (?=(?:\w+ly )?(?:\w+ed|been|gone|done|moved|got|bought|made|lived|become)\b)")
_PROGRESS = re.compile(r"\b(?:am|is|are) (?=\w+ing\b)")
_THIRD_PERSON = re.compile(r"\b(?:the )?user\b")
_HIS = re.compile(r"\buser's\b|\b(?:his|her|their)\b")

_HAN_SILENT = re.compile(HAN_SILENT)
_HAN_TIME = re.compile(rf"@[^@\s]+@|{HAN_TIME}")
_HAN_CLAUSE = re.compile(r"[,;:.!?。\n()\"|]+|但是|但|可是|而且|并且|以及|然后")
_HAN_UNIT = re.compile("@[^@\\s]+@|[a-z0-9]+(?:[-_./:@#'+][a-z0-9]+)*|[^\\W_]|\u0000")


@dataclass(frozen=True, slots=True)
class Clause:
    """`denied` if it has an odd number of denials; the phrases in the order of the text."""

    phrases: tuple[Phrase, ...]
    denied: bool = False

    @property
    def key(self) -> tuple[bool, tuple[Phrase, ...]]:
        """Equal for clauses that differ in the order of their phrases only."""
        return self.denied, tuple(sorted(self.phrases))


def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of a text in either language; none of a text without words."""
    return _clauses_again(text) if len(text) <= LONGEST_KEPT else _clauses(text)


@lru_cache(maxsize=_KEPT)
def _clauses_again(text: str) -> tuple[Clause, ...]:
    return _clauses(text)


def _clauses(text: str) -> tuple[Clause, ...]:
    spelled = mark_dates(expanded(plain(text))).casefold()
    found = _chinese(spelled) if has_han(spelled) else _english(spelled)
    return tuple(clause for clause in found if clause.phrases)


def rearranged(one: Sequence[Clause], other: Sequence[Clause]) -> bool:
    """Whether both are the same clauses of the same phrases, in whatever order."""
    return Counter(clause.key for clause in one) == Counter(clause.key for clause in other)


def words(clauses: Sequence[Clause]) -> list[str]:
    """All words (Chinese: characters) in order."""
    return [word for clause in clauses for phrase in clause.phrases for word in phrase]


def affirmed(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """The clauses without their denials, tenses and "start", for texts that differ in polarity."""
    return tuple(Clause(tuple(filter(None, map(_bare, clause.phrases)))) for clause in clauses)


def _bare(phrase: Phrase) -> Phrase:
    silent = ("alway", "often", "总", "start", "begin", "will", "without", "开", "始", "有")
    return tuple(word.rstrip("~") for word in phrase if word.rstrip("~") not in silent)


def _english(text: str) -> Iterator[Clause]:
    if _THIRD_PERSON.search(text):
        text = _HIS.sub("my", _THIRD_PERSON.sub("user", text))
    for pattern, meaning in ((_FUTURE, "will"), (_PERFECT, ""), (_PROGRESS, "")):
        text = pattern.sub(meaning, text)
    tokens: list[str] = []
    for token in _TOKEN.findall(english_resolved(text).replace("night shift", "nightshift")):
        if _MARK.fullmatch(token) or token in _JOINTS or token in SUBORDINATORS:
            yield _clause(tokens)
            tokens = [token] if token in SUBORDINATORS else []
        else:
            tokens += _worded(token)
    yield _clause(tokens)


def _worded(token: str) -> list[str]:
    """The token in the form that is compared: none if it says nothing, "not" and a word for an opposite."""
    if token in SILENT:
        return []
    if token in SELF or token in SMALL:
        return [SELF.get(token) or str(SMALL[token])]
    if token.startswith("@") or token in UNITS:
        return [UNITS.get(token, token)]
    if not (token.isascii() and token.isalpha()):
        return [token.replace("'s", "~s").replace("-", "")]
    root = stem(token)
    if token in NEGATIONS or root in NEGATIONS:
        return [DENIAL]
    past = "~" if _is_past(token, root) else ""
    base = OPPOSITES.get(token) or OPPOSITES.get(root)
    return [DENIAL, base + past] if base else [SYNONYMS.get(root, root) + past]


def _is_past(token: str, root: str) -> bool:
    if token in ("was", "were"):
        return True
    if token in _PRESENT or token.endswith(("s", "ing")):
        return False
    return root != token and not token.startswith(root[:-1] + "y") and root + "e" != token


def _clause(tokens: Sequence[str]) -> Clause:
    """Words for times are phrases of their own, without "in" or "on", wherever they stand."""
    phrases: list[list[str]] = [[]]
    times: list[Phrase] = []
    for token in tokens:
        if token in TIME_WORDS or token.startswith("@"):
            if phrases[-1] in (["in"], ["on"], ["at"]) and len(phrases) > 1:
                phrases.pop()
            times.append((token,))
        elif token in PREPOSITIONS:
            phrases.append([token])
        elif token != DENIAL:
            phrases[-1].append(token)
    denied = sum(token == DENIAL for token in tokens) % 2 == 1
    return Clause((*(tuple(phrase) for phrase in phrases if phrase), *times), denied)


def _chinese(text: str) -> Iterator[Clause]:
    for part in _HAN_CLAUSE.split(text.replace("用户", "我")):
        resolved = denials_resolved(part)
        times = [(match[0],) for match in _HAN_TIME.finditer(resolved)]
        rest = _HAN_SILENT.sub("", _HAN_TIME.sub("", resolved)).translate(HAN_DIGITS)
        units = tuple(_HAN_UNIT.findall(rest))
        core = tuple(unit for unit in units if unit != "\u0000")
        yield Clause(tuple(filter(None, [core, *times])), units.count("\u0000") % 2 == 1)
