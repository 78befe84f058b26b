"""Sentences and clauses that claim nothing: questions, hypotheses, guesses, jokes and what somebody else said."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"[\"“”«„]([^\"“”«»„]{0,400})[\"“”»]")
_SPEECH_WORDS = 4
_OWN_VOICE = re.compile(r"\b(?:i|i'm|i've|i'll|my|me|we|you|is|are|was|do|does)\b", re.IGNORECASE)
_HYPOTHESIS = re.compile(
    r"\b(?:if|in case|in theory|unless|whether|wish|wished|suppose|imagine|pretend|maybe|perhaps|probably"
    r"|possibly|hopefully|presumably"
    r"|might|apparently|supposedly|reportedly|allegedly|rumou?rs?|kinda|not sure|no idea|i guess|i bet"
    r"|i doubt|i suppose"
    r"|i assume|i reckon|i hope|i think|i thought|i don't think|i do not think|i believe|i feel like|feels? like"
    r"|as though|would've|could've|should've|dreamt|dreamed|dreaming|dream of|in my dreams?|hypothetically)\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:said|says|told|tells|claims|claimed|according to|heard that|i heard|swears|insists|insisted|quote"
    r"|quoting|wrote that|he thinks|she thinks|they think|the lyrics|the song goes|in the (?:book|movie"
    r"|film|game|song))\b",
    re.IGNORECASE,
)
_OWN_WORDS = re.compile(
    r"\b(?:(?:as|like) i(?:'ve)? (?:(?:already|just) )?|i(?:'ve)? already )(?:said|told you|mentioned)\b", re.IGNORECASE
)
_JOKE = re.compile(
    r"\b(?:(?:ha|he){2,8}h?|a?ha(?:ha){1,9}|lol|lmao|rofl|jk|kidding|joking|joke|just saying|yeah right|yeah,? sure"
    r"|oh great|as if|nobody ever|no one ever|not really though|sarcasm|irony)\b"
    r"|(?:^|\s)/s(?:\W|$)|\bnot!{1,9}\s{0,3}$|[😂🤣😜😝😛🙃😏😉🤪]|[;:]-?[pP)](?:\s|$)(?<=;[pP)\s])|\(not\)",
    re.IGNORECASE,
)
_OPENING_QUESTION = re.compile(
    r"\W*(?:what|where|who|whose|whom|why|how|which|do|does|did|can|could|would|will|should|may|are|is|were|was|has"
    r"|have|let's|let me|imagine|guess(?! what))\b",
    re.IGNORECASE,
)
_UNREAL = re.compile(
    r"\b(?:would|could|should|shall|(?-i:may)|can|(?:i|we|he|she|they|you)'d|almost|nearly|must|ought"
    r"|supposed|seems?|seemed"
    r"|pretty sure|somehow|sometimes feel)\b",
    re.IGNORECASE,
)
_CAN_NOT_STAND = re.compile(
    r"\b(?:can't|cannot|can not|could not|couldn't) (?:really )?(?:stand|bear|stomach|eat|drink|have)\b"
    r"|\bcan (?=speak\b)|\bmay\b(?= \d)"
    r"|\b(?:in|since|last|next|by|before|until|this|of) may\b|(?<=\d )may\b",
    re.IGNORECASE,
)


def claims_nothing(sentence: str) -> bool:
    """Whether no part of the sentence may be taken at its word."""
    if "?" in sentence or "？" in sentence or _OPENING_QUESTION.match(sentence):
        return True
    if any(_is_speech(quoted) for quoted in _QUOTED.findall(sentence)):
        return True
    own = _OWN_WORDS.sub("", sentence)  # who says again what they said reports nobody
    return any(pattern.search(own) for pattern in (_HYPOTHESIS, _REPORTED, _JOKE))


def is_no_order(sentence: str) -> bool:
    """Whether the sentence asks, jokes or quotes, so that nothing in it is meant as a standing order."""
    asks = "?" in sentence or "？" in sentence
    return asks or _JOKE.search(sentence) is not None or any(map(_is_speech, _QUOTED.findall(sentence)))


def is_unreal(clause: str) -> bool:
    """Whether the clause tells what would, could or should be."""
    return _UNREAL.search(_CAN_NOT_STAND.sub("", clause)) is not None


def _is_speech(quoted: str) -> bool:
    """A title in quotation marks is short and speaks of nobody."""
    return len(quoted.split()) >= _SPEECH_WORDS or _OWN_VOICE.search(quoted) is not None
