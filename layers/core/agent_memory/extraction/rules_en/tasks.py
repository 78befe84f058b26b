"""Plans and tasks with how far they have come."""

from __future__ import annotations

import re

from agent_memory.extraction.facts import Fact, State
from agent_memory.extraction.rules_en.clauses import Clause
from agent_memory.extraction.rules_en.phrases import cut, ends_open, has_date, plain, points, without_dates

_PLANNED = re.compile(
    r"(?:(?:am|are) (?:going|planning|about|set|due|scheduled|supposed) to|(?:am|are) gonna|plan to|"
    r"(?:have|need) (?:got )?to"
    r"|intend to|(?:have|am|are)? ?planned to|decided to|(?:have|am) decided to) (?P<action>(?-i:[a-z]).+)",
    re.IGNORECASE,
)
_GOING = re.compile(
    r"(?:am|are) (?P<action>(?:going to|flying to|travelling to|traveling to|moving to|driving to"
    r"|heading to|off to|visiting|meeting|seeing|getting married|starting|running|hosting|attending"
    r"|throwing|taking) ?.*)",
    re.IGNORECASE,
)
_PLANNING = re.compile(r"(?:am|are) planning (?:on |a |an |the |our |my )(?P<action>.+)", re.IGNORECASE)
_WILL = re.compile(r"(?:will) (?P<action>(?-i:[a-z]).+)", re.IGNORECASE)
_DOING = re.compile(
    r"(?:am|are) (?:currently )?(?P<action>(?:working on|learning|training for|building|renovating|writing"
    r"|preparing for|saving (?:up )?for|looking for a|applying (?:to|for)|studying for|taking (?:a|an)) .+)",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"(?:(?:have|has) )?(?P<verb>finished|completed|submitted|renewed|filed|handed in|turned in|delivered"
    r"|shipped|deployed|paid(?! attention)|sent off|booked|wrapped up|fixed|sorted out)"
    r" (?P<action>.+)",
    re.IGNORECASE,
)
_CANCELLED = re.compile(
    r"(?:(?:have|has|had to) )?(?:cancell?(?:ed)?|called off|dropped|postponed indefinitely) (?P<action>"
    r"(?:my|our|the|that) .+)",
    re.IGNORECASE,
)
_ABANDONED = re.compile(
    r"(?:(?:have|has) )?(?:stopped|quit|gave up(?: on)?|given up(?: on)?) "
    r"(?P<action>(?:learning|studying for|training for|building|looking for a) .+)",
    re.IGNORECASE,
)
_OFF = re.compile(
    r"(?:my|our|the) (?P<action>[\w' -]{3,60}?)(?:'s| is| was| has been|'s been| got| have been| were)"
    r"(?: now| just)? (?:cancell?ed|called off)\b",
    re.IGNORECASE,
)
_REMIND = re.compile(
    r"(?:please |can you please )?(?:remind me|don't let me forget|do not let me forget) to (?P<action>.+)",
    re.IGNORECASE,
)
_REMIND_ABOUT = re.compile(r"(?:please )?remind me (?:about|of) (?P<action>(?:my|the|our) .+)", re.IGNORECASE)
_MUST_NOT_FORGET = re.compile(
    r"(?:must not|mustn't|can't|can not|don't let me) forget to (?P<action>.+)", re.IGNORECASE
)
_PAST = {
    "finished": "finish", "completed": "complete", "submitted": "submit", "renewed": "renew", "filed": "file",
    "handed in": "hand in", "turned in": "turn in", "delivered": "deliver", "shipped": "ship", "deployed": "deploy",
    "paid": "pay", "sent off": "send off", "booked": "book", "wrapped up": "wrap up", "fixed": "fix",
    "sorted out": "sort out",
}  # fmt: skip
_PHRASED = re.compile(
    r"(?:go|run|leave|head|sleep|say|admit|agree|ask|confess|tell|be|stop|know|keep|check|see|try|let"
    r"|make sure|make it|give|take care|take a break|remember|think|believe|get back"
    r"|get going|do|find|have|hear|look|figure|focus|stay|show|share|become|start|use|help|come|work|put"
    r"|win|feel|deal|catch up|bring|cherish|continue|push|talk|chat|love|miss|enjoy|rest|relax|recharge"
    r"|balance|grow|improve|learn from|understand|accept|need|want|like|miss|thank|spend|reach|build"
    r"|create (?:a )?(?:safe|new|better)|pursue|inspire|follow|apologi[sz]e|reflect|process|cut back"
    r"|call it|hang in|persevere|prioriti[sz]e|fight|move on|move forward|step|handle|face|set goals|make "
    r"(?:my|our) dreams)\b(?! (?:to|and (?:see|buy)) the (?:\w+ )?(?:dentist|doctor|bank|post office|shop"
    r"|store|airport|vet|hairdresser|supermarket|gym|hospital))",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:more|better|some time|always|every day|hard|well|forward|ahead|happy|again|best|able)\b", re.IGNORECASE
)
_APPOINTMENT = re.compile(
    r"(?:have|have got|got) (?:an?|my) (?P<action>(?:[\w-]+ ){0,4}?(?:appointment|meeting|interview|exam"
    r"|test|flight|deadline|surgery"
    r"|operation|reservation|call|tournament|game|concert|party|wedding|presentation|competition|race"
    r"|audition|check-?up|trip)\b.*)",
    re.IGNORECASE,
)
_NO_VERB = re.compile(r"(?:the|an?|my|our)\b")
_ARTICLES = re.compile(r"\b(?:my|our|the|an?|some|his|her|their)\s+", re.IGNORECASE)
_STEMS = {
    "writ": "write", "prepar": "prepare", "sav": "save", "renovat": "renovate", "tak": "take", "mov": "move",
    "travell": "travel", "driv": "drive", "gett": "get", "runn": "run",
}  # fmt: skip
_MOST_WORDS = 12


def find(clause: Clause) -> Fact | None:
    """The plan or task that the clause tells, asks to be reminded of, or declares done or off."""
    reminder = _REMIND.match(clause.bare) or _REMIND_ABOUT.match(clause.bare)
    if reminder:
        return _task(clause, reminder["action"], "planned", owner=clause.speaker)
    off = _OFF.match(clause.bare)
    if off:
        return _task(clause, off["action"], "cancelled", owner=clause.speaker)
    told = clause.predicate
    if told is None or clause.subject is None or told.negated or not clause.subject.is_speaker:
        return None
    return _planned(clause, told.words) or _doing(clause, told.words) or _settled(clause, told.words)


def _planned(clause: Clause, words: str) -> Fact | None:
    meant = _PLANNED.match(words)
    if meant and _is_firm(meant["action"]):
        return _task(clause, meant["action"], "planned")
    will = _WILL.match(words)
    if will and _PHRASED.match(will["action"]):
        return None
    going = _GOING.match(words)
    if going and has_date(going["action"]):
        return _task(clause, _base(going["action"]), "planned")
    dated = will or _APPOINTMENT.match(words)
    if dated and not has_date(dated["action"]):
        return None
    found = dated or _MUST_NOT_FORGET.match(words) or _PLANNING.match(words)
    return _task(clause, found["action"], "planned") if found else None


def _is_firm(action: str) -> bool:
    """A date makes a plan of anything; without one, "I need to go" and "we have to be strong" are turns of phrase."""
    if _NO_VERB.match(action):
        return False
    return has_date(action) or not (_PHRASED.match(action) or _OPEN.search(action))


def _doing(clause: Clause, words: str) -> Fact | None:
    found = _DOING.match(words)
    return _task(clause, _base(found["action"]), "doing") if found else None


def _settled(clause: Clause, words: str) -> Fact | None:
    if found := _CANCELLED.match(words):
        return _task(clause, found["action"], "cancelled")
    if found := _ABANDONED.match(words):
        return _task(clause, _base(found["action"]), "cancelled")
    if found := _DONE.match(words):
        action = f"{_PAST[found['verb'].casefold()]} {found['action']}"
        return _task(clause, action, "done")
    return None


def _task(clause: Clause, action: str, state: State, owner: str | None = None) -> Fact | None:
    bare = cut(without_dates(cut(action)))
    words = plain(_ARTICLES.sub("", bare)).split()
    fewest = 1 if state == "cancelled" else 2
    if points(bare) or ends_open(bare) or not fewest <= len(words) <= _MOST_WORDS:
        return None
    return clause.fact("task", 6 if state == "planned" else 5, f"task {' '.join(words)}", state=state, owner=owner)


def _base(action: str) -> str:
    """Learning Spanish: learn Spanish."""
    verb, _, rest = action.partition(" ")
    if not verb.endswith("ing"):
        return action
    stem = verb.casefold().removesuffix("ing")
    return f"{_STEMS.get(stem, stem)} {rest}"
