"""Tastes: what somebody likes, dislikes, prefers or names as a favourite."""

from __future__ import annotations

import re

from agent_memory.extraction.facts import Fact
from agent_memory.extraction.rules_en.clauses import Clause
from agent_memory.extraction.rules_en.phrases import cut, plain, points, singular
from agent_memory.extraction.rules_en.tastes import DEFINITE, POSSESSED, attribute

_LIKES = re.compile(
    r"(?:(?:love|like|enjoy|adore|cherish|relish)(?P<third>s|es)? |(?:have|has|'ve) (?:loved|liked|enjoyed|adored) "
    r"|(?:am|is|are) (?:an? )?(?:(?:big|huge|massive|great|real|avid|lifelong|keen) )?(?:fans? of"
    r"|lovers? of|into|fond of|keen on"
    r"|crazy about|mad about|passionate about|obsessed with|addicted to|hooked on|partial to) |(?P<cares>cares?) for "
    r"|(?:have|has) (?:a )?(?:soft spot|passion|love|weakness|thing) for )(?P<object>.+)",
    re.IGNORECASE,
)
_HATES = re.compile(
    r"(?:(?:hate|dislike|detest|loathe|despise)(?P<third>s)? |(?:have|has) hated |can not (?:stand|bear"
    r"|stomach) (?!to |up\b|by\b|here)"
    r"|(?:am|is|are) (?:sick|tired) of (?=\w+ing\b))(?P<object>.+)",
    re.IGNORECASE,
)
_FAN = re.compile(
    r"(?:am|is) an? (?:(?:big|huge|massive|real|total|both|such a|super|true) )?"
    r"(?P<object>[\w' -]{2,30}?) (?:fan|lover|person|enthusiast)[ .!]*$",
    re.IGNORECASE,
)
_PREFERS = re.compile(r"prefers? (?P<object>.+)", re.IGNORECASE)
_RATHER = re.compile(
    r"prefers? (?!to )(?P<one>[\w' -]{2,30}?) "
    r"(?:over|to(?! (?:the|an?|my|our|work|school|bed)\b)|rather than|instead of) "
    r"(?P<other>[\w' -]{2,30})$",
    re.IGNORECASE,
)
_CONTRASTS = tuple(
    pair.split()
    for pair in ("dark light", "window aisle", "morning evening", "metric imperial", "short long", "brief detailed")
)
_FAVOURITE = re.compile(
    r"(?:my|our) (?:all[- ]time )?(?:favou?rite|fave) (?P<what>[\w' -]{2,30}?)(?:'s| is| are)(?: "
    r"(?:definitely|still|always|probably|now|by far))* "
    r"(?P<value>.+)",
    re.IGNORECASE,
)
_REVERSED = re.compile(
    r"(?P<value>[\w'-]+(?: [\w'-]+){0,3}) (?:is|are) (?:definitely |still |by far )?(?:my|our) "
    r"(?:all[- ]time )?(?:favou?rite|fave) (?P<what>[\w' -]{2,30})$",
    re.IGNORECASE,
)
_DEICTIC_FAVOURITE = re.compile(
    r"\b(?:part|thing|moment|memory|memories|one|ones|bit|way|of|so far|from|about|aspect|lately)\b", re.IGNORECASE
)
_FINITE = frozenset({"am", "is", "are", "have", "has", "'ve", "can", "care", "cares", "cared"})
_USED_TO = re.compile(r"\bused to\b", re.IGNORECASE)
_NARROWED = re.compile(
    r"^[\w' -]+? (?:that|which|who|where)\b", re.IGNORECASE
)  # stories that end well: not all stories
_COMPARED = re.compile(r"\b(?:more|better|rather|other) than\b", re.IGNORECASE)


def find(clause: Clause) -> Fact | None:
    """The taste that a clause tells."""
    return _favourite(clause) or _taste(clause)


def _taste(clause: Clause) -> Fact | None:
    told = clause.predicate
    if told is None or (told.ended and _USED_TO.search(clause.bare)):
        return None
    if _PREFERS.match(told.words):
        return None if told.negated else _preferred(clause, told.words)
    if (fan := _FAN.match(told.words)) and not _DEICTIC_FAVOURITE.search(fan["object"]):
        return _liking(clause, fan["object"], dislikes=told.negated)
    if (hates := _HATES.match(told.words)) and _agrees(clause, hates):
        return None if told.negated else _liking(clause, hates["object"], dislikes=True)
    likes = _LIKES.match(told.words)
    if likes is None or not _agrees(clause, likes) or (likes["cares"] and not told.negated):
        return None
    return _liking(clause, likes["object"], dislikes=told.negated)


def _agrees(clause: Clause, found: re.Match[str]) -> bool:
    """Whether the verb has the form that goes with the subject: "Music love" and "I likes" are no such verbs."""
    verb = found.group().split()[0].casefold()
    is_singular_other = clause.subject is not None and clause.subject.is_third_singular
    return verb in _FINITE or _is_denied(clause) or bool(found["third"]) == is_singular_other


def _is_denied(clause: Clause) -> bool:
    return clause.predicate is not None and clause.predicate.negated


def _liking(clause: Clause, phrase: str, *, dislikes: bool) -> Fact | None:
    if _COMPARED.search(phrase):
        return None if points(phrase) or dislikes else clause.fact("preference", 7)
    named = attribute(phrase)
    if named is None:
        return None
    is_narrowed = _NARROWED.search(phrase) is not None
    return clause.fact("preference", 7, None if is_narrowed else named, negated=dislikes)


def _preferred(clause: Clause, words: str) -> Fact | None:
    found = _PREFERS.match(words)
    thing = cut(found["object"]) if found else ""
    if points(thing) or not thing or POSSESSED.match(thing) or DEFINITE.match(thing):
        return None
    chosen, other = _choice(thing)
    attribute = f"prefers {' or '.join(sorted((chosen, other)))}" if chosen else None
    return clause.fact("preference", 7, attribute, chosen or None)


def _choice(thing: str) -> tuple[str, str]:
    """What is preferred to what, where the words name both or the one is the contrary of the other; else nothing."""
    if found := _RATHER.match(f"prefer {thing}"):
        return plain(found["one"]), plain(found["other"])
    first, _, rest = plain(thing).partition(" ")
    for pair in _CONTRASTS:
        if first in pair and rest and " " not in rest:
            other = pair[1 - pair.index(first)]
            return f"{first} {singular(rest)}", f"{other} {singular(rest)}"
    return "", ""


def _favourite(clause: Clause) -> Fact | None:
    found = _FAVOURITE.match(clause.bare) or _REVERSED.match(clause.bare.rstrip(" .!"))
    if found is None or _DEICTIC_FAVOURITE.search(found["what"]):
        return None
    value = cut(found["value"])
    if not value or points(value) or value.casefold().startswith(("to ", "when ", "not ", "definitely", "a ", "an ")):
        return None
    what = plain(found["what"]).replace("colour", "color")
    return clause.fact("preference", 7, f"favourite {singular(what)}", plain(value), owner=clause.speaker)
