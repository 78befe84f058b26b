"""What the speaker wants the assistant to do from now on, and procedures to keep to."""

from __future__ import annotations

import re

from agent_memory.extraction.facts import Fact
from agent_memory.extraction.rules_en.clauses import Clause
from agent_memory.extraction.rules_en.lexicon import LANGUAGE
from agent_memory.extraction.rules_en.phrases import cut, plain, points

_VERB = (
    r"(?:answer|reply|respond|use|write|call|format|run|test|check|ask|tell|send|show|include|add|give"
    r"|speak|translate|cite"
    r"|confirm|push|commit|deploy|delete|mention|address|explain|summari[sz]e|avoid|make sure"
    r"|double[- ]check|wait|put|start your|end your"
    r"|begin|list|return|round|quote|suggest|recommend|book|schedule|back up|review|merge|update|verify"
    r"|rebase|sync|install|lint|restart|create|open|close|log|notify|round|print|prefix|sign|refer|convert"
    r"|state|skip|leave out|keep (?:your|answers|replies|it short|responses))"
)
_STANDING = re.compile(
    r"(?:from now on|from here on|in (?:the )?future|going forward|henceforth|starting (?:today"
    r"|now))[\s,:]+(?:please )?(?P<order>.+)"
    r"|(?:please )?(?:always|never|only|make sure to always|make sure you always|remember to always|you "
    rf"(?:must|should) (?:always|never)) (?:please )?(?P<always>{_VERB}\b.+)"
    rf"|(?:please )?(?:do not|don't) (?:ever )?(?P<never>{_VERB}\b.+)"
    rf"|(?:please )?(?P<later>{_VERB} .+?),? from now on[.!]?$",
    re.IGNORECASE,
)
_PROCEDURE = re.compile(
    r"(?:(?:before|after|when|while) (?:you(?:'re| are)?|we|every|each|any|[a-z]+ing"
    r"|(?:a|the) (?:release|deployment|deploy|merge|commit|push))"
    r"|when (?:i|i'm|we) (?:ask|say|send|write|want|give|mention|need|share|paste)\w*"
    r"|whenever|every time|each time)(?: [\w'-]+){0,8}, (?:please )?(?:always |first |never |don't |do not )?"
    rf"(?P<order>{_VERB}\b.+)",
    re.IGNORECASE,
)
_TAKEOVER = re.compile(
    r"\b(?:ignore|forget|disregard|override|bypass|pretend|jailbreak|system prompt|instructions?|you are|act as)\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"(?:please |just |you can |you may |everyone |everybody |people |my friends |friends )?"
    r"(?:always )?calls? me (?P<name>(?-i:[A-Z])[\w'.-]{0,20}(?: (?-i:[A-Z])[\w'.-]{0,20})?)(?:,? "
    r"(?:from now on|please|instead))?[.!]?$"
    r"|i(?:'d| would)? (?:prefer|like) to be called (?P<liked>(?-i:[A-Z])[\w'.-]{0,20})[.!]?$|i go by "
    r"(?P<by>(?-i:[A-Z])[\w'.-]{0,20})[.!]?$",
    re.IGNORECASE,
)
_REPLY_LANGUAGE = re.compile(
    r"(?:answer|reply|respond|speak|write|talk|communicate|use)\b(?: (?:to me|me|back|only|always|all "
    rf"(?:my )?questions|everything|your (?:answers|replies)))*(?: in)? (?P<language>{LANGUAGE})"
    r"(?: only)?[.!]?(?:$| from now on| with me| please)",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"(?:don't|do not|never|please don't|please do not) (?:ask|tell me|mention it|give up|use that|start"
    r"|call(?! me)|wait)\b|\bthis time\b|\bthat said\b|\b(?:today|tonight|tomorrow|yesterday)\b"
    r"|\byourself\b|\bas always\b",
    re.IGNORECASE,
)
_BAN = re.compile(r"(?:please )?(?:from now on,? )?(?:never|do not|don't|stop)\b", re.IGNORECASE)
_EMPHASIS = re.compile(
    r"^(?:please |always |only |just |i want you to |you (?:must|should) (?:always )?)+", re.IGNORECASE
)
_TO_ASSISTANT = re.compile(r"\b(?:yours?|you)\b", re.IGNORECASE)
_ADDRESS_SLOT = "form of address"


def find(clause: Clause) -> Fact | None:
    """The standing order that the clause gives; to be looked for in the whole sentence."""
    if found := _ADDRESS.match(clause.bare):
        name = found["name"] or found["liked"] or found["by"]
        return clause.fact("agreement", 9, _ADDRESS_SLOT, plain(name.rstrip(".")), owner=clause.speaker)
    found = _STANDING.match(clause.bare) or _PROCEDURE.match(clause.bare)
    if found is None or _ONCE.search(clause.bare) or _TAKEOVER.search(clause.bare):
        return None
    order = _EMPHASIS.sub("", next(text for text in found.groups() if text))
    if re.match(r"(?:i|we|he|she|they|it|my|our|this|that|there)\b", order, re.IGNORECASE):
        return None
    return _order(clause, order)


def _order(clause: Clause, order: str) -> Fact | None:
    is_ban = _BAN.match(clause.bare) is not None
    name = _ADDRESS.match(order)
    if name and not is_ban:
        return clause.fact("agreement", 9, _ADDRESS_SLOT, plain(name["name"].rstrip(".")), owner=clause.speaker)
    language = _REPLY_LANGUAGE.match(order)
    if language and not is_ban:
        return clause.fact("agreement", 8, "reply language", plain(language["language"]), owner=clause.speaker)
    what = _TO_ASSISTANT.sub("", cut(order))
    return None if points(what) else clause.fact("agreement", 7, owner=clause.speaker)
