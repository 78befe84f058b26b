"""What a clause says of its subject, in one form: contractions spelled out, adverbs dropped, negation lifted off."""

from __future__ import annotations

import re

from agent_memory.values import Value

_HEAD = 70
"""Characters in front of which the verb group ends."""

_BE = {"m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would", "s": "is"}
_CONTRACTION = re.compile(r"\s*'(m|re|ve|ll|d|s)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(ca|wo|do|does|did|is|are|was|were|have|has|had|would|could|should|ai)n'?t\b", re.IGNORECASE)
_STEMS = {"ca": "can", "wo": "will", "ai": "am"}
_CANNOT = re.compile(r"\b(?:cannot|cant)\b", re.IGNORECASE)
_IS_HAS = re.compile(
    r"^is (?=(?:been|got|had|adopted|joined|started|finished|bought|lost|won|quit|lived|worked|always "
    r"(?:loved|liked|hated))\b)"
)
_ADVERB = re.compile(
    r"\b(?:really|just|also|still|absolutely|truly|totally|definitely|actually|honestly|genuinely|simply|always|often"
    r"|usually|generally|especially|particularly|recently|finally|already|now|currently|so|very|quite|super|secretly"
    r"|deeply|strongly|originally|originaly|officially|both|lately|basically|obviously|literally|personally|even|too"
    r"|completely|thoroughly|recently|certainly|sure do|do(?= (?:love|like|enjoy|hate|prefer)))\s+",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(
    r"\b(?:no longer|not\b(?! (?:stand|bear|stomach)\b)(?=.{2,80}\bany ?(?:more|longer)\b))\s*", re.IGNORECASE
)
_USED_TO = re.compile(r"^used to (be\b)?", re.IGNORECASE)
_PERFECT = re.compile(r"^(?:have|has|'ve) been (?=(?!to\b)\w)", re.IGNORECASE)
_NEGATED = re.compile(
    r"^(?:(am|is|are) not(?: that| much of)?|do(?:es)? not|can not(?= (?:eat|drink)\b)|never(?= (?:liked?"
    r"|enjoy|eat|cared?)\b))\s+",
    re.IGNORECASE,
)
_NOT_PERFECT = re.compile(r"^(?:have|has) never (?=liked|enjoyed|cared)", re.IGNORECASE)
_DENIED = re.compile(r"^(?:\w+ )?(?:not|never|hardly|barely|rarely|seldom|n't)\b", re.IGNORECASE)
_ANY_MORE = re.compile(r"\s*\bany ?(?:more|longer)\b", re.IGNORECASE)
_DO = re.compile(r"^do(?:es)? ", re.IGNORECASE)


class Predicate(Value):
    """`words` in the affirmative; `negated` if the sentence denies them, `ended` if they were true once."""

    words: str
    negated: bool = False
    ended: bool = False


def predicate(rest: str) -> Predicate | None:
    """The predicate of a clause without its subject; None where a denial is of a form that no rule understands."""
    words = _spelled_out(rest)
    ended = False
    if found := _USED_TO.match(words):
        words, ended = f"{'am ' if found[1] else ''}{words[found.end() :].lstrip()}", True
    elif _NO_LONGER.search(words):
        words = _ANY_MORE.sub("", _DO.sub("", _NO_LONGER.sub("", words, count=1)))
        ended = True
    if found := _NEGATED.match(words):
        words = f"{found[1] + ' ' if found[1] else ''}{words[found.end() :]}"
        return Predicate(words=_adverbs_dropped(words), negated=True, ended=ended)
    if found := _NOT_PERFECT.match(words):
        return Predicate(words=f"have {words[found.end() :]}", negated=True)
    if _DENIED.match(words) and not words.startswith("can not"):
        return None
    return Predicate(words=words.strip(), negated=ended, ended=ended)


def _spelled_out(rest: str) -> str:
    contraction = _CONTRACTION.match(rest)
    words = f"{_BE[contraction[1].casefold()]}{rest[contraction.end() :]}" if contraction else rest.lstrip()
    head = _NOT.sub(lambda found: f"{_STEMS.get(found[1].casefold(), found[1])} not", words[:_HEAD])
    words = f"{_CANNOT.sub('can not', head)}{words[_HEAD:]}".strip()
    return _PERFECT.sub("am ", _IS_HAS.sub("has ", _adverbs_dropped(words)))


def _adverbs_dropped(words: str) -> str:
    head = _ADVERB.sub("", words[:_HEAD])
    return f"{head}{words[_HEAD:]}"
