"""Objects of verbs in the form that makes two mentions of one thing equal, and those that point to nothing nameable."""

from __future__ import annotations

import re

from agent_memory.dates_in_text.time_phrases import resolve
from agent_memory.text import normalised

_ANY_DAY_MS = 1_700_000_000_000  # phrases are only cut out here; what they mean is decided elsewhere
_STOP = re.compile(
    r"\s+(?:because|cause|cuz|but|when|whenever|while|since|as|so|although|though|even|which|who|where"
    r"|that|until|till"
    r"|before|after|by the way|and (?:i|it|we|he|she|they|my|that|this|am|is|have|was|then|also|now)\b"
    r"|and (?:can|do|think|feel|want|love|hate|like|need|hope)\b|instead|thanks|especially|like (?:i|it|you)|just)\b"
    r"|\s+[-–—]+\s|\s*[—;:!.…](?:\s|$)|\s*\(|,\s+(?:so|but|and (?:i|the|it|my|we|this|that)|i|it|the|my"
    r"|which|who|especially|too|though|you|we|they)\b",
    re.IGNORECASE,
)
_ADVERB_TAIL = re.compile(
    r"[\s,]+(?:a lot|a ton|a bunch|so much|very much|much|too|as well|either|at all|any ?more|any longer|the most"
    r"|the best|the least|again|though|already|actually|honestly|really|myself|for real|best|most|more than anything"
    r"|ever|in general|in particular|for sure|for (?:years|ages|a while|a long time)|these days|nowadays|lately"
    r"|recently|right now|now|at the moment|currently|just for fun|for (?:about |over |almost )?\w+ (?:years?|months?"
    r"|weeks?))$",
    re.IGNORECASE,
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_DATE_TAIL = re.compile(
    rf"[\s,]+(?:(?:on|by|before|until|till|this|next|last|every|since|from|every other)(?: the)? {_DAY}s?"
    r"(?: (?:morning|afternoon|evening|night)s?)?"
    rf"|(?:in|since|by|before|until|last|next|this)(?: early| late)? (?:{_MONTH}|spring|summer|autumn|fall|winter"
    r"|\d{4})(?: \d{4})?|in the (?:morning|afternoon|evening|summer|winter)s?"
    r"|at (?:night|noon|\d{1,2}(?::\d\d)? ?(?:am|pm|o'clock)?)|later (?:today|this week|this month|this year)"
    r"|(?:on|by|before) (?:the )?\d{1,2}(?:st|nd|rd|th)?(?: (?:of )?\w+)?|(?:yester|to)day|tomorrow"
    r"|tonight|soon|later"
    r"|first thing|asap|over the weekend|(?:a few|a couple of) (?:days|weeks|months|years) ago|the other day"
    rf"|this past \w+|on {_MONTH} \d{{1,2}}(?:st|nd|rd|th)?)$",
    re.IGNORECASE,
)
_DATE_ANYWHERE = re.compile(
    rf"\b(?:on|last|next|this) {_DAY}\b|\b(?:a few|a couple of|some) (?:days|weeks|months|years) ago\b"
    rf"|\b(?:in|last|this|next|before) {_MONTH}\b|\bin \d{{4}}\b|\bthis past \w+\b|\bon the \d{{1,2}}(?:st"
    r"|nd|rd|th)\b"
    r"|\blast (?:mon|tue|tues|wed|thu|thurs|fri|sat|sun)\b|\bthis (?:morning|afternoon|evening|weekend)\b|\btoday\b"
    r"|\bthe other (?:day|night|week)\b",
    re.IGNORECASE,
)
_LEFT_OVER = re.compile(r"[\s,]+(?:on|in|at|by|before|until|till|for|from|since|around|the)$", re.IGNORECASE)
_QUOTES = str.maketrans("", "", '"“”«»')
_ARTICLE = re.compile(
    r"(?:(?:a|an|the|my|our|some|any|his|her|their|all|all the|all kinds of|both)\s+)+", re.IGNORECASE
)
_POINTING = re.compile(
    r"\b(?:it|its|it's|this|that|that's|these|those|you|your|you're|yours|them|him|himself|hers|she|he"
    r"|they|how|what|why|there"
    r"|here|one|ones|everything|something|anything|nothing|someone|everyone|thing|things|stuff|idea|ideas"
    r"|options?|suggestions?|latter|former|thought"
    r"|way|ways|sound|look|point|part|both|same|such|each other|whatever|everybody|anyone|did|was|were)\b",
    re.IGNORECASE,
)
_OPEN_END = re.compile(
    r"(?:^|\s)(?:to|of|for|with|on|in|at|about|from|into|by|a|an|the|my|and|or|more|few|another|being|while|almost)$",
    re.IGNORECASE,
)
_IE_WORDS = frozenset(
    {"movies", "cookies", "pies", "selfies", "smoothies", "brownies", "zombies", "hoodies", "veggies"}
)
_VES = frozenset(
    {
        "leaves",
        "knives",
        "wives",
        "wolves",
        "lives",
        "halves",
        "shelves",
        "loaves",
        "scarves",
        "elves",
        "calves",
        "thieves",
    }
)
_COUNTED = re.compile(
    r"\b(?:in|of|on|at|for|with|to|and|or|from|about|the|two|three|four|five|six|seven|ten|many|all|my|our"
    r"|different)\b"
)
_SHORTEST_PLURAL = 4
_MOST_STRIPS = 6
_LIST_WORDS = 4


def cut(phrase: str) -> str:
    """The phrase up to where the clause goes on to something else, without adverbs and dates at its end."""
    stop = _STOP.search(f" {phrase}")
    text = _list_only(phrase if stop is None else phrase[: max(stop.start() - 1, 0)])
    for _ in range(_MOST_STRIPS):
        shorter = _LEFT_OVER.sub("", _DATE_TAIL.sub("", _ADVERB_TAIL.sub("", text.strip(" ,.!…"))))
        if shorter == text:
            break
        text = shorter
    return text.strip(" ,.!…'\"")


def _list_only(phrase: str) -> str:
    """Tea, coffee and cake stay together; behind any other comma something else begins."""
    first, *others = phrase.split(",")
    is_list = bool(others) and all(len(part.split()) <= _LIST_WORDS for part in others)
    return phrase if is_list and re.search(r"\b(?:and|or)\b", others[-1]) else first


def without_dates(phrase: str) -> str:
    """The phrase without the expressions that common code resolves to a date."""
    pieces, done = [], 0
    for found in resolve(phrase, _ANY_DAY_MS):
        pieces.append(phrase[done : found.start])
        done = found.end
    return " ".join("".join([*pieces, phrase[done:]]).split())


def has_date(phrase: str) -> bool:
    """Whether the phrase names a day, a week, a month or a year."""
    return bool(resolve(phrase, _ANY_DAY_MS)) or _DATE_ANYWHERE.search(phrase) is not None


def ends_open(phrase: str) -> bool:
    """Whether the phrase ends in a word that wants another behind it, so that its sense was cut off."""
    return _OPEN_END.search(phrase) is not None


def points(phrase: str) -> bool:
    """Whether the phrase leans on what was said before ("it", "that idea") and so names nothing by itself."""
    return _POINTING.search(phrase) is not None


def plain(phrase: str) -> str:
    """Case folded, without quotation marks and the articles and possessives in front."""
    bare = phrase.translate(_QUOTES).strip()
    return normalised(_ARTICLE.sub("", bare, count=1) if _ARTICLE.match(bare) else bare)


def singular(words: str) -> str:
    """The words with the last one in the singular, where a rule of thumb finds it."""
    head, _, last = words.rpartition(" ")
    if _COUNTED.search(head):
        return words
    return f"{head} {_singular_word(last)}".strip()


def _singular_word(word: str) -> str:
    if (
        len(word) < _SHORTEST_PLURAL
        or not word.endswith("s")
        or word.endswith(("ss", "us", "is", "ics", "'s", "news", "series", "others", "diabetes", "clothes"))
    ):
        return word
    if word in _VES:
        return word
    if word in _IE_WORDS:
        return word[:-1]
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "sses", "oes")) else word[:-1]
