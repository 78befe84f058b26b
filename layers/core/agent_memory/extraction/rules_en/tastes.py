"""What is liked, under the name by which two mentions of one taste meet."""

from __future__ import annotations

import re

from agent_memory.extraction.rules_en.phrases import cut, ends_open, plain, points, singular

_SAID_ALOUD = re.compile(
    r"(?:to (?:see|hear|know|think|say|imagine|help|believe|add|point|go|be(?: able)?|catch|have|get|give"
    r"|share|thank|join|chat|talk|learn)\b|seeing|hearing|knowing|thinking|being|having|getting|giving"
    r"|learning about|talking|chatting)",
    re.IGNORECASE,
)
_TO = re.compile(r"to (?P<verb>[a-z]+)(?P<rest>(?: .*)?)$", re.IGNORECASE)
_AND_VERB = re.compile(r" and ([a-z]+)", re.IGNORECASE)
_CONSUMED = re.compile(r"^(?:eating|drinking|having)\s+(?=\w)", re.IGNORECASE)
DEFINITE = re.compile(
    r"(?:all )?the (?!(?:outdoors|sea|seaside|ocean|beach|beaches|mountains?|snow|rain|cold|heat|sun"
    r"|summer|winter|autumn|fall|spring|theatre|theater|opera|ballet|gym|countryside|forest|woods|piano"
    r"|guitar|violin|cinema|movies|city|night|dark|beatles|smell of|taste of|sound of|colou?r \w+$|wind"
    r"|arts?)(?=$|,| and | or | in ))(?-i:[a-z])",
    re.IGNORECASE,
)
POSSESSED = re.compile(
    r"(?:my|our|his|her|their|[A-Z]\w+'s|some of|all of|most of|one of|how|when|having|both of|every "
    r"(?:minute|second|moment|bit))\b",
    re.IGNORECASE,
)
_VAGUE = {"", "people person", "hard work"} | frozenset(
    """
    to huge big massive real fan total life love lot bit god jesus work him people new home morning me us details
    detail look vibe
    colour color photo picture pic view quote outfit place hate change talking chatting fact first last
    """.split()  # noqa: SIM905 - fifty quoted words read worse
)
_MOST_WORDS = 10
_EXAMPLES = re.compile(r"\bboth\b|\w like \w", re.IGNORECASE)


def attribute(phrase: str) -> str | None:
    """The attribute of liking what the phrase names; None if it names nothing that stands by itself."""
    found = cut(phrase)
    if DEFINITE.match(found) or POSSESSED.match(found) or _SAID_ALOUD.match(found) or points(found):
        return None
    if ends_open(found) or _EXAMPLES.search(found):
        return None
    thing = _singular_unless_name(plain(_CONSUMED.sub("", _gerund(found))), found)
    if thing in _VAGUE or len(thing) == 1 or len(thing.split()) > _MOST_WORDS:
        return None
    return f"likes {thing}"


def _singular_unless_name(words: str, written: str) -> str:
    """Names keep their s: the Beatles, Game of Thrones."""
    last = written.rpartition(" ")[2]
    return words if last[:1].isupper() else singular(words)


def _gerund(phrase: str) -> str:
    """To play chess: playing chess; to cook and bake: cooking and baking."""
    found = _TO.match(phrase)
    if found is None:
        return phrase
    second = _AND_VERB.fullmatch(found["rest"])
    return f"{_ing(found['verb'])} and {_ing(second[1])}" if second else f"{_ing(found['verb'])}{found['rest']}"


def _ing(infinitive: str) -> str:
    verb = infinitive.casefold()
    if re.fullmatch(r"[^aeiou]*[aeiou][bdgmnprt]", verb):
        verb = f"{verb}{verb[-1]}"
    elif re.search(r"[^eyo]e$", verb):
        verb = verb[:-1]
    return f"{verb}ing"
