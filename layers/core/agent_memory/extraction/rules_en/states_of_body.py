"""Somebody's health, diet and habits, animals and belongings."""

from __future__ import annotations

from agent_memory.extraction.rules_en import lexicon
from agent_memory.extraction.rules_en.state_form import BE, HAVE, State, form

BODY: tuple[State, ...] = (
    State(
        "diet",
        form(
            rf"(?:{BE}|became|(?:have|has) (?:become|gone|turned)|went|turned) (?:a |an )?(?:strict |lifelong "
            rf"|committed )?(?P<value>{lexicon.DIET})\b(?! (?:food|recipe|dish|restaurant|meal|option))"
        ),
        9,
    ),
    State("diet", form(rf"stopped being (?:a |an )?(?P<value>{lexicon.DIET})\b"), 9, ends=True, deniable=False),
    State(
        "allergic to {thing}",
        form(
            rf"{BE} (?:severely |mildly |deathly |badly )?allergic to (?!(?:bull|mondays?|mornings?|work|people"
            r"|stupid|drama|fun|hard work|bad|housework|cleaning|exercise)\b)(?P<thing>.+)"
        ),
        10,
    ),
    State(
        "allergic to {thing}",
        form(r"(?:have|has) an? (?:(?:severe|mild|bad|serious) )?(?P<thing>[\w -]{2,20}) (?:allergy|intolerance)\b"),
        10,
    ),
    State("allergic to {thing}", form(rf"{BE} (?P<thing>lactose|gluten|fructose|histamine)[ -]intolerant\b"), 10),
    State(
        "condition {thing}",
        form(
            r"(?:(?:have|has|'ve)(?: got)?|suffers? from|(?:have|has|am|was|is) (?:been )?diagnosed with) (?:"
            rf"(?:mild|severe|chronic|bad) )?(?P<thing>(?:type [12] )?(?:{lexicon.CONDITION}))\b(?! (?:research"
            r"|awareness|charity|patient))"
        ),
        10,
    ),
    State(
        "condition {thing}", form(rf"{BE} (?P<thing>{lexicon.CONDITION_ADJECTIVE})(?![\w-])(?! (?:to|by|spot|as))"), 10
    ),
    State(
        "medication {thing}",
        form(
            r"takes? (?P<thing>[a-z]+) (?:for my|for (?:his|her)|every (?:day|morning|night|evening)|daily"
            r"|twice a day|\d+ ?mg)\b"
        ),
        10,
    ),
    State(
        "pet {name}",
        form(
            rf"(?:{HAVE}|own|adopted|(?:have|has) adopted) (?:an?|one|our|my) (?:[\w-]+ ){{0,3}}?"
            rf"(?P<value>{lexicon.PET}),? (?:named|called) (?P<name>[\w-]+)"
        ),
        8,
        deniable=False,
    ),
    State(
        "has {thing}",
        form(
            rf"(?:{HAVE}|owns?) (?:an?|any) (?:[\w-]+ ){{0,3}}?(?P<thing>{lexicon.THING})(?=[,.!]| and | at home"
            r"| in | now|$)"
        ),
        8,
    ),
    State(
        "car",
        form(
            r"drives? an? (?P<value>[\w' -]{2,40}?)(?= (?:to|in|for|with|and|but|now|that|which|every|these)\b"
            r"|[,.!]|$)"
        ),
        8,
    ),
    State(
        "height",
        form(
            rf"{BE} (?P<value>\d[\d.,' ]*(?:cm|m|ft|feet|foot|metres|meters)(?: ?\d+(?: inch(?:es)?)?)?)"
            r"(?: tall)?[.!]?$"
        ),
        8,
    ),
    State("weight", form(r"weighs? (?P<value>\d[\d.,]* ?(?:kg|kilos?|pounds|lbs?|stone))\b"), 8),
    State(
        "habit {thing}",
        form(
            r"(?:(?:have|has) )?(?:quit|stopped|gave up|given up) (?P<thing>(?:smoking|drinking|eating|taking"
            r"|gambling|vaping|biting|using|buying|playing|watching|running)\b.*|sugar|alcohol|caffeine|coffee"
            r"|meat|gluten|cigarettes|dairy|social media|facebook|instagram)"
        ),
        8,
        ends=True,
        deniable=False,
    ),
    State("habit {thing}", form(r"(?:am|is) (?P<thing>smoking)(?= *[.!]?$)"), 8),
    State("habit smoking", form(r"smokes?(?= *[.!]?$| \w+ a day)"), 9),
    State(
        "habit drinking {thing}",
        form(
            r"drinks? (?P<thing>coffee|tea|alcohol|wine|beer|milk|soda|cola|green tea|black coffee|energy drinks)"
            r"(?= *(?:[.!,]|$)| every| in the| any| at all| a lot| daily)"
        ),
        8,
    ),
    State(
        "habit playing {thing}",
        form(
            r"plays? (?:the |a lot of )?(?P<thing>guitar|piano|violin|cello|drums|flute|trumpet|saxophone|clarinet"
            r"|bass|ukulele|harp|acoustic guitar|tennis|football|soccer|basketball|chess|golf|badminton|squash"
            r"|volleyball|rugby|hockey|cricket|baseball|bridge|poker)(?= *(?:[.!,]|$)| every| on | in | for "
            r"| twice| once| with | and | any)"
        ),
        8,
    ),
    State(
        "eats {thing}",
        form(
            r"eats? (?P<thing>(?:red )?(?:meat|pork|beef|fish|seafood|dairy|gluten|eggs|sugar|shellfish|chicken"
            r"|nuts|animal products))\b"
        ),
        9,
    ),
)
