"""Where somebody lives, comes from, works and studies, and with whom."""

from __future__ import annotations

from agent_memory.extraction.rules_en import lexicon
from agent_memory.extraction.rules_en.state_form import BE, NUMBER, State, form

_PLACE = r"(?P<value>(?-i:(?:the )?[A-Z])[\w'.-]*(?:,? (?-i:[A-Z])[\w'.-]*){0,3})"
_IN_PLACE = (
    rf"(?:from [A-Z][\w' -]{{1,25}}? )?(?:in|to|near|at) (?:(?:a|an|the) (?:\w+ ){{1,4}}(?:in|near|outside"
    rf"|of) )?{_PLACE}"
)
_FIRM = (
    r"(?P<value>(?:(?:a|an|the) (?:\w+ ){0,2})?(?!home\b|night|work\b|school\b|least\b|it\b|that\b|my\b|myself"
    r"|me\b|free\b|times|first|last|once|both|peace|us\b|them|him\b|her\b|you|this)[\w&'.-]+(?: "
    r"(?-i:[A-Z])[\w&'.-]*){0,3})"
)

LIFE: tuple[State, ...] = (
    State(
        "residence",
        form(
            rf"(?:lives?|have lived|has lived|resides?|{BE} (?:living|based|settled)|moved(?: back| over| house)?"
            rf"|relocated|(?:have|has) (?:moved|relocated)(?: back)?) {_IN_PLACE}"
        ),
        9,
    ),
    State(
        "residence",
        form(r"lives? in (?P<value>(?!peace|hope|fear|denial|here|there|harmony|luxury|sin|hell)[a-z-]{3,20})[.!]?$"),
        9,
    ),
    State("hometown", form(rf"(?:{BE}|comes?|hails?) from {_PLACE}"), 8),
    State("hometown", form(rf"(?:grew up|was born(?: and raised)?|was raised) in {_PLACE}"), 8, deniable=False),
    State("birthday", form(r"was born on (?P<value>.{3,30})$"), 9, deniable=False),
    State(
        "age",
        form(rf"{BE} (?P<value>\d{{1,3}})(?: years? old)?(?: now| already| today)?(?:\s*$|\s*[,.!]| and | but )"),
        8,
        deniable=False,
    ),
    State("age", form(r"(?:(?:have|has) )?turned (?P<value>\d{1,3})\b(?!:)"), 8, deniable=False),
    State(
        "marital status",
        form(
            r"(?:am|is|are|got|have got|has got|have gotten) (?P<value>married|divorced|engaged|widowed|separated"
            r"|single)(?![\w-])(?! (?:from (?:my|the)|in (?!\d|(?-i:[A-Z]))|out|with the|minded|to (?:my (?:job"
            r"|work)|the)))"
        ),
        8,
    ),
    State(
        "work hours",
        form(
            r"works? (?:the )?(?P<value>(?:night|day|early|late|morning|evening|weekend|split) shifts?|nights"
            r"|part[- ]time|full[- ]time|freelance|(?:from home|remotely)(?! on))\b"
        ),
        8,
    ),
    State(
        "school",
        form(
            rf"(?:studies|study|{BE} studying|goes|go|(?:{BE} a (?:student|freshman|sophomore|junior|senior"
            r"|postgrad))) (?:at|to) (?P<value>(?-i:(?:the )?[A-Z])[\w'.-]*(?: (?:of |"
            rf"(?-i:[A-Z]))[\w'.-]*){{0,3}})"
        ),
        8,
    ),
    State(
        "job",
        form(
            rf"(?:works?|have worked|{BE} working|(?:(?:have|has) )?(?:started|got a job)(?: working)?) as (?:an?"
            rf"|the) (?P<value>[\w' -]{{3,40}}?)(?= at | for | in | with | and |[,.!]|$)"
        ),
        9,
    ),
    State(
        "job",
        form(
            rf"(?:{BE}|became|have become|has become) (?:(?:working as )?an? )(?P<value>(?:[\w-]+ ){{0,2}}"
            rf"(?:{lexicon.OCCUPATION}))(?= at | for | in | with | by | and |[,.!]|$)"
        ),
        9,
    ),
    State("employer", form(rf"(?:works?|have worked|has worked|{BE} working|{BE} employed) (?:at|for|by) {_FIRM}"), 9),
    State(
        "employer",
        form(
            r"(?:(?:have|has) )?(?:started|got|landed|accepted|begun|began) (?:(?:a|an|my) (?:(?:new|part-time"
            rf"|full-time|summer) )?(?:job|role|position)|working|work) (?:at|with) {_FIRM}"
        ),
        9,
        deniable=False,
    ),
    State(
        "employer",
        form(r"(?:(?:have|has) )?started at (?P<value>(?-i:[A-Z])[\w&'.-]+(?: (?-i:[A-Z])[\w&'.-]*){0,3})"),
        9,
        deniable=False,
    ),
    State(
        "employer",
        form(
            r"(?:(?:have|has) )?(?:left|quit|resigned from) (?:my (?:\w+ )?job (?:at|with) )?"
            r"(?-i:[A-Z])[\w&' -]{1,30}? "
            r"(?:and (?:(?:(?:have|has) )?(?:joined|started(?: working)? (?:at|for|with)"
            r"|(?:started|got) an? (?:new )?(?:job|position|role) (?:at|with))|works? (?:at|for)"
            rf"|{BE} (?:working )?(?:at|for|with))|to (?:join|work (?:at|for|with))) (?=(?-i:[A-Z])){_FIRM}"
        ),
        9,
        deniable=False,
    ),
    State(
        "employer",
        form(
            r"(?:(?:have|has) )?(?:(?:quit|left|lost|resigned from) my (?:\w+ )?(?:job|position|role)|(?:was"
            rf"|got) (?:fired|laid off|made redundant)|resigned) (?:at|from|with) {_FIRM}"
        ),
        9,
        ends=True,
        deniable=False,
    ),
    State(
        "job",
        form(
            r"(?:(?:have|has) )?(?:quit|left|lost|resigned from) my (?:(?:day|full-time|part-time|current) )?job"
            r"(?! (?:interview|offer))\b"
        ),
        9,
        ends=True,
        deniable=False,
    ),
    State("job", form(r"(?:am|is) (?P<value>retired|unemployed|self-employed)\b"), 9),
    State(
        "field of work",
        form(
            r"(?:works?|am working|is working) in (?P<value>marketing|finance|sales|it|tech|hr|human resources"
            r"|healthcare|education|construction|retail|hospitality|advertising|banking|insurance|law|publishing"
            r"|engineering|logistics|accounting|research|software|design|media|tourism|agriculture)(?= *[.!,]?$"
            r"| at | for )"
        ),
        8,
    ),
    State(
        "field of study",
        form(
            rf"(?:studies|study|{BE} studying|majors?|{BE} majoring)(?: in)? (?P<value>(?!at|in|for|with|hard"
            r"|abroad|this|that|all|how|a lot|to)[\w]+(?: (?:and )?[\w]+)?)(?= at | in |[,.!]|$)"
        ),
        8,
    ),
    State(
        "children",
        form(
            rf"(?:(?:have|has|'ve)(?: got)?) (?P<value>{NUMBER}|no) (?:(?:little|small|young|adult|lovely"
            r"|wonderful) )?(?:kids|children|child|kid)\b"
        ),
        9,
    ),
    State(
        "{thing}s",
        form(
            rf"(?:(?:have|has|'ve)(?: got)?) (?P<value>{NUMBER}) (?:(?:older|younger|little|big|adult) )?"
            r"(?P<thing>brother|sister|sibling|son|daughter|dog|cat)s?\b"
        ),
        8,
    ),
    State(
        "speaks {thing}",
        form(rf"(?:can )?speaks? (?:(?:fluent|a little|some|a bit of|good) )?(?P<thing>{lexicon.LANGUAGE})\b"),
        8,
    ),
    State("nationality", form(rf"{BE} (?:an? )?(?P<value>{lexicon.DEMONYM})[.!]?$"), 9),
)
