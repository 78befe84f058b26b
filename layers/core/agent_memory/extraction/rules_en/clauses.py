"""A sentence in clauses, each with whom it is about and a predicate in one canonical form."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_memory.extraction.facts import Fact, Kind, State
from agent_memory.extraction.rules_en.predicates import Predicate, predicate
from agent_memory.extraction.rules_en.subjects import Subject, subject
from agent_memory.values import Value

LONGEST_CLAUSE = 300
"""Characters; what is longer is a list or no sentence, and no rule looks at it."""

_BREAK = re.compile(
    r"\s{0,2};\s|\s{1,3}[-–—]{1,3}\s{1,3}|\s?—\s?"
    r"|(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bProf)[.!:…]{1,4}\s"
    r"|(?:,\s{0,3}|\s{1,3})(?:and|but|so|yet|because|although|though|while|whereas|plus)\s{1,3}(?:(?:now"
    r"|then|also)\s{1,3})?"
    r"(?=(?:i|i'm|i've|i'll|i'd|we|we're|we've|my|our|he|she|it|it's|they|that|this|you|his|her)\b)"
    r"|(?:,\s{0,3}(?:(?:and|but|so)\s{1,3})?|\s{1,3}(?:and|but|so)\s{1,3})"
    r"(?=(?:please|just) (?:always|never|call me)\b|call me\b|from now on,)"
    r"|,\s{1,3}(?=(?:i|i'm|i've|i'll|i'd|we|we're|we've|my)\s)|(?<=\w{3}),\s{1,3}(?:(?:and|but"
    r"|so)\s{1,3})?(?=no longer\b|not\b)",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"(?:(?:and|but|also|plus|or|then|because|anyway|though|(?:so|well)(?=,|\s+(?:i|we|my|our|yeah|yes"
    r"|the)\b))\b[\s,]*)+",
    re.IGNORECASE,
)
_PREFACE = re.compile(
    r"(?:(?:and|but|so|well|also|plus|then|because|oh|ah|yeah|yep|yes|no|nope|hey|hi|hello|ok|okay|wow"
    r"|anyway|actually|honestly"
    r"|frankly|seriously|to be (?:honest|fair)|tbh|by the way|btw|fyi|lately|recently|these days|nowadays|currently"
    r"|right now|at the moment|now|today|yesterday|tonight|tomorrow|personally|for me|as for me|sorry"
    r"|thanks|thank you|sure|wait|oops|my bad|my mistake|correction|(?:small|quick) (?:correction|update)|update"
    r"|scratch that|i mean|i meant(?: to say)?|what i meant is|to (?:be clear|clarify)|(?:once )?again(?=,)"
    r"|(?:as|like) i(?:'ve)? (?:(?:already|just) )?(?:said|told you|mentioned)(?: (?:before|earlier|already))?"
    r"|i(?:'ve)? already (?:told you|said|mentioned)(?: that)?"
    r"|(?:please )?(?:remember|note)(?: that)?|for (?:future )?reference|(?:please )?(?:remember"
    r"|keep in mind) that|keep in mind|you know"
    r"|you know what|guess what|good news|bad news|great news|unfortunately|sadly|luckily|fortunately"
    r"|thankfully|finally"
    r"|apart from that|besides|in fact|of course|as you know|just so you know|for the record|in case|true|right"
    r"|last (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter|\w{3,6}day)|this (?:morning"
    r"|afternoon|week"
    r"|weekend|month|year|evening)|next (?:week|weekend|month|year|\w{3,6}day)|on \w{3,6}day|in \d{4}|in \w{3,9}"
    r"|(?:a few|a couple of|two|three|\d{1,2}) (?:days|weeks|months|years) ago|a (?:week|month|year) ago"
    r"|(?:since|the other day)|one day)\b[\s,!.:-]*)+",
    re.IGNORECASE,
)
_NEAR = 40
_COMPANION = re.compile(
    r"(?:^|[,.!;–—-] )(?:(?:last|this|next) \w+,? |yesterday,? |today,? )?(?:my [\w'-]+(?: [\w'-]+)?|"
    r"(?!I\b)[A-Z][\w'-]+)$",
    re.IGNORECASE,
)
_VOCATIVE = re.compile(r"[A-Z][\w'-]{1,20}[,!]\s+(?=[A-Z])")


class Clause(Value):
    """One clause: verbatim, what of it stands behind the preface, and its subject and predicate if it has both."""

    text: str
    bare: str
    speaker: str
    subject: Subject | None
    predicate: Predicate | None

    def fact(  # noqa: PLR0913 - the fields of a fact
        self,
        kind: Kind,
        importance: int,
        attribute: str | None = None,
        value: str | None = None,
        *,
        negated: bool = False,
        state: State | None = None,
        owner: str | None = None,
    ) -> Fact:
        """A fact told by this clause, of its subject unless another owner is named."""
        whose = owner or (self.subject.owner if self.subject else self.speaker)
        return Fact(
            text=self.text, kind=kind, owner=whose, attribute=attribute or None, value=value or None,
            negated=negated, state=state, importance=importance,
        )  # fmt: skip


def clauses(sentence: str, straight: str, speaker: str) -> Iterator[Clause]:
    """The clauses of a sentence; `straight` is the sentence with ASCII apostrophes, character by character."""
    start = 0
    bounds = [(found.start(), found.end()) for found in _BREAK.finditer(straight) if not _joins_people(straight, found)]
    for end, next_start in [*bounds, (len(straight), len(straight))]:
        if 0 < end - start <= LONGEST_CLAUSE:
            yield _clause(sentence[start:end], straight[start:end], speaker)
        start = next_start


def _joins_people(straight: str, found: re.Match[str]) -> bool:
    """My wife and I: one subject."""
    before = straight[max(0, found.start() - _NEAR) : found.start()]
    return found.group().strip().casefold() == "and" and _COMPANION.search(before) is not None


def without_joint(text: str) -> str:
    """The text without the conjunctions at its start, which lean on the sentence before."""
    joint = _JOINT.match(text)
    rest = text[joint.end() :].strip() if joint else text.strip()
    return rest or text.strip()


def _clause(text: str, straight: str, speaker: str) -> Clause:
    bare = straight.strip()
    preface = _PREFACE.match(bare)
    bare = bare[preface.end() :] if preface else bare
    vocative = _VOCATIVE.match(bare)
    bare = bare[vocative.end() :] if vocative else bare
    whom = subject(bare, speaker)
    told = predicate(whom.rest) if whom else None
    return Clause(text=without_joint(text), bare=bare, speaker=speaker, subject=whom, predicate=told)
