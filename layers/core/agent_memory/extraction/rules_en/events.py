"""What definitely happened to the speaker or one of the speaker's people."""

from __future__ import annotations

import re

from agent_memory.extraction.facts import Fact
from agent_memory.extraction.rules_en.clauses import Clause
from agent_memory.extraction.rules_en.phrases import cut, ends_open, has_date, points

_VERBS = (
    "adopted|applied|decorated|explored|designed|whipped up|talked to|chatted with|skyped with"
    "|hung out with|roasted|sprained|upgraded|redecorated|babysat|fostered|rescued|relocated|emigrated"
    "|wrecked|crashed|stained|sponsored|mentored|enlisted|qualified|attended|auditioned|baked|began|booked"
    "|bought|broke|built|camped|celebrated|climbed|competed|completed|cooked|created"
    "|crashed|cycled|danced|donated|drove|earned|enrolled|finished|flew|gave birth|gave a|got a|got an"
    "|got hired|got promoted|got fired|got accepted"
    "|got married|got engaged|got divorced|got into|got back from|graduated|grew|had a baby|had surgery"
    "|had an operation|had a car accident|harvested|hiked|hosted|hired|hurt|injured|inherited|installed"
    "|interviewed|invited"
    "|joined|kayaked|knitted|launched|left|lost|made|met|met with|moved|opened|ordered|organi[sz]ed"
    "|painted|participated|passed|performed|picked up|planted|played"
    "|presented|published|purchased|quit|ran|read|received|recorded|released|renovated|rented"
    "|returned from|sang|scored|sent|set up|sewed|signed|signed up|skied"
    "|sold|spoke at|sprained|started|submitted|swam|taught|took|took part|tore|travell?ed|tried|upgraded"
    "|visited|volunteered|walked|was accepted|was admitted|was born|was diagnosed"
    "|was elected|was hired|was hospitali[sz]ed|was invited|was laid off|was promoted|watched|went|went to"
    "|won|wrote|became|died|passed away|retired|won the|saw|fell|caught|found|ate|cooked|helped|raised"
    "|landed|lived"
)
_HAPPENED = re.compile(rf"(?:(?:have|has|had) (?!got|had|met some))?(?P<verb>{_VERBS})\b(?P<what>.*)", re.IGNORECASE)
_PERFECT = re.compile(
    r"(?:have|has) (?:been to|visited|adopted|bought|joined|moved|started|finished|signed up|enrolled|won"
    r"|lost|sold|read|seen|run|written|completed|met|booked|taken up)\b(?P<what>.*)",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"(?:went|had|(?:was|were) (?:in|at|on|out|part of)|did|got|had to|spent|felt sick|stayed|called"
    r"|phoned|ordered|wore|forgot|missed|slept|woke|cleaned)\b(?P<what>.*)",
    re.IGNORECASE,
)
_FEELING = re.compile(
    r"(?:was|were|felt|got|had) (?:so |very |really |such |a (?:great|good|blast|bad|rough|tough|lovely"
    r"|nice|hard|wonderful|fantastic)|an? (?:amazing|awesome|awful|hard|wonderful))|(?:was|were) "
    r"(?:thinking|wondering|hoping|going)|(?:went|got) (?:well|great|wrong|bad|through|on (?:to|and|with)"
    r"|for it|over|better|worse|back to|out of|into it)|left (?:me|us)|made (?:me|us|sure|it|up|a "
    r"(?:difference|change|point))|found (?:out|that|myself|a way)|took (?:a break|a while|care|some time"
    r"|it|me|us|ages|time|a step)|tried to|saw (?:that|how|what|a post)|made (?:some )?(?:great |good "
    r"|real )?progress|got a (?:surge|sense|bunch|funny|new idea|great|good)|had a (?:bit of a setback"
    r"|feeling|thought|chance|lot)|read (?:a lot|every|more|the room)|broke the news|went "
    r"(?:back and forth|crazy|mad|nuts|wild)|lost (?:my mind|my temper|it|track|my way|hope|touch|count"
    r"|sight|interest)|met with|gave (?:up|me|it)|helped|started (?:to|feeling|thinking|noticing|seeing)"
    r"|began to|read (?:that|somewhere|about)|learned|picked up (?:that|on)|kept|broke (?:down|even"
    r"|the ice)|fell (?:in love|for|asleep|apart|behind)|caught up|caught (?:my|the)|got (?:a (?:lot|bit"
    r"|kick|laugh|chance|feeling|sense|glimpse|taste|boost)|an idea)|raised (?:awareness)|grew (?:closer"
    r"|as|apart|fond|so|to|stronger)|played (?:a (?:big|huge|part|role))|landed on|left (?:it|my comfort)",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"\b(?:used to|every (?:day|week|month|year|time|weekend)|always|would|whenever|growing up|as a (?:kid"
    r"|child)|back in the day|when i was)\b",
    re.IGNORECASE,
)
_HAVE = re.compile(r"^(?:have|has|had) ", re.IGNORECASE)
_CONTENT = re.compile(r"[a-z]{3,}|[A-Z]\w|\d", re.IGNORECASE)
_BARE = re.compile(
    r"\b(?:graduated|retired|died|passed away|got married|got engaged|got divorced|got hired|got promoted"
    r"|got fired|gave birth|was promoted|was hired|was laid off|was hospitali[sz]ed)\b",
    re.IGNORECASE,
)


def find(clause: Clause) -> Fact | None:
    """The past event that the clause tells."""
    told = clause.predicate
    if told is None or clause.subject is None or told.negated or _HABIT.search(clause.text):
        return None
    found = _HAPPENED.match(told.words) or _PERFECT.match(told.words)
    dated = has_date(clause.text)
    if found is None and dated:
        found = _DATED.match(told.words)
    if found is None or _FEELING.match(_HAVE.sub("", told.words)):
        return None
    what = cut(found["what"])
    if _BARE.match(told.words):
        return clause.fact("event", 5)
    if clause.subject.is_only_named:
        return None
    is_short = " " not in what and not (dated or what[:1].isupper())
    if points(what) or ends_open(what) or is_short or not _CONTENT.search(what):
        return None
    return clause.fact("event", 5 if dated else 4)
