"""English that speaks to a model about its rules, its role or its data. Spaces are single where these are searched."""

from __future__ import annotations

import re

_DROP = (
    r"(?:ignore|disregard|forget|override|bypass|overlook|discard|abandon|neglect|dismiss|circumvent"
    r"|(?:do not|don't|never|stop|cease|no longer|needn't|need not) (?:follow|obey|adher|comply|heed"
    r"|observ|respect)(?:e|ing)?(?: (?:to|with))?"
    r"|pay no (?:attention|heed) to|turn off|disable|switch off)"
)
_RULES = (
    r"(?:instructions?|rules?|prompts?|guidelines?|directions?|directives?|constraints?|restrictions?|polic(?:y|ies)"
    r"|commands?|orders|programming|training|guardrails?|safeguards?|system messages?|context|configuration|filters?)"
)
_BEFORE = (
    r"(?:previous|prior|earlier|above|preceding|foregoing|existing|initial|original|system|safety|developer"
    r"|your|former)"
)
_ALL = r"(?:all|any|every|everything|each)"
_STARTS = (
    r"(?:\A|[.!?:;,>\])\"'\n-] ?|\b(?:please|now|and|then|must|should|just|also|always|simply|instead"
    r"|kindly|to you|will"
    r"|shall|you|you to|important|immediately|secretly|silently|automatically|hereby) )"
)
_ADDRESS = r"(?:[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}|https?://\S|\d{1,3}(?:\.\d{1,3}){3})"
_MUCH = (
    r"(?:every|all|any|each|everything|conversations?|chats?|history|memor(?:y|ies)|passwords?|credentials?|keys?"
    r"|tokens?|secrets?|data|users?'?s?|customers?'?s?|contents?|logs?|context|system|private|personal|confidential)"
)
_SEND = r"(?:send|forward|e-?mail|post|upload|transfer|leak|exfiltrate|wire|cc|bcc|copy|submit|report|deliver|pass)"
_MACHINE = r"(?:ai|a\.i\.|llm|assistants?|(?:language )?models?|chatbots?|bots?|agents?|gpt)"
_FAMILY = (
    r"(?:father|mother|dad|mum|mom|parent|grand\w+|uncle|aunt|big|brother|sister|adult|teen\w*|member"
    r"|citizen|subscriber"
    r"|customer|homeowner|resident|graduate|friend)"
)
_HIDDEN = (
    r"(?:system (?:prompt|message|instructions?)|(?:initial|hidden|secret|original|internal) (?:prompt"
    r"|instructions?|rules))"
)

_SOURCES = (
    # rules of before are to be dropped; "all rules" only where it is an order
    rf"\b{_DROP} (?:[\w']+ ){{0,4}}{_BEFORE} (?:[\w']+,? ){{0,4}}{_RULES}\b",
    (
        rf"{_STARTS}{_DROP} (?:of )?{_ALL}(?: (?:of|the|other|these|those"
        rf"|that))* (?:[\w']+ )?{_RULES}\b(?! (?:at|in|of|on|from|for) )"
    ),
    rf"{_STARTS}{_DROP} (?:the|these|those) {_RULES} (?:above|before|you (?:were|have been|got)|given to you)\b",
    (
        r"\b(?:ignore|disregard|forget|discard) (?:about )?(?:everything|anything|all|whatever|what)(?: that)? "
        r"(?:(?:is |was |came |stands )?(?:above|before this|prior|previously)\b"
        r"|you(?:'ve| have| were| are|'re)? (?:been )?(?:told|taught|instructed|trained|programmed|learned|know)\b"
        r"|(?:the|your) (?:system|developers?|instructions?|creators?)\b)"
    ),
    # a new role
    (
        rf"(?:\A|[.!?:;,>\])\"'\n] ?|\b(?:and|then|so|now|moment) )you(?: are|'re| shall"
        rf"| will)(?: be)? (?:from )?now(?: on)?,?"
        rf" (?:(?:an?|the|my) (?!{_FAMILY}\b)|in \w+ mode|no longer|free\b|going to (?:act|be|ignore|pretend)"
        rf"|acting|operating"
        r"|running|entering|unrestricted|called|named|under|jailbroken|root\b|admin)"
    ),
    r"(?:\A|[.!?:;,>\])\"'\n] ?)(?i:you are now) (?-i:[A-Z][A-Za-z]+)\b",
    (
        rf"\b(?:pretend|imagine|act as if|act like|assume)(?: that)? (?:to be|you(?:'re| are| have| can"
        rf"| were))\b[^.\n]{{0,60}}"
        rf"\b(?:no|without|free (?:of|from)|not bound|unrestricted|jailbroken|evil)\b[^.\n]{{0,20}}(?:{_RULES}"
        rf"|limit\w*|ethic\w*|moral\w*|ai\b|bound)"
    ),
    r"\bact as (?:an? )?(?:[\w-]+ )?(?:unrestricted|unfiltered|uncensored|jailbroken|evil|amoral|unethical)\b",
    # well-known ways out
    (
        r"\bdo anything now\b|(?-i:\bDAN\b)(?: mode|,| \d|-mode)|\b(?:developer|debug|god|jailbreak|admin|sudo"
        r"|root|unrestricted|opposite|chaos|maintenance) "
        r"mode(?: is| has been)?(?: now)? (?:enabled|activated|engaged|unlocked)"
    ),
    (
        r"\b(?:enter|enable|activate|switch to|go into) (?:developer|god|jailbreak|dan|sudo|unrestricted"
        r"|unfiltered) mode\b(?! (?:on|in) )"
    ),
    (
        rf"\bjailbreak (?:mode|prompt|yourself|the (?:ai|model|assistant))|\bjailbroken {_MACHINE}\b"
        rf"|\byou(?: are|'re) jailbroken"
    ),
    (
        r"\b(?:answer|respond|reply|act|speak|operate|behave|comply|generate"
        r"|write)\b[^.\n]{0,40}\bwithout (?:any |all )?(?:of )?(?:your )?"
        r"(?:restrictions?|filter\w*|limit(?:s|ations)|censor\w*|refus\w+|ethic\w*|moral\w*|safety|guardrails"
        r"|disclaimers?)"
    ),
    (
        r"\b(?:bypass|evade|disable|circumvent|turn off|remove|override|get around) (?:all |any |the |your |these )*"
        r"(?:safety|content|moderation|ethical|security) (?:filters?|polic(?:y|ies)|guidelines?|checks?"
        r"|measures?|guardrails?|protocols?|rules)"
    ),
    rf"\b(?:unfiltered|uncensored|unrestricted) {_MACHINE}\b",
    (
        rf"\b(?:reveal|print|show|repeat|output|leak|dump|tell|give|display|disclose|expose|recite"
        rf"|share)\b(?: me| us| back)?(?: all| verbatim)*"
        rf"(?: of)? (?:your|the|its) (?:full |entire |complete |exact )?{_HIDDEN}"
    ),
    # words that only a prompt has
    (
        r"(?:\A|[\n.!?;>\])\"'}*#-] ?|\bsystem )(?:system|sys)(?: (?:message|prompt|override|note|update|alert"
        r"|instructions?|command|notice))? ?[:：]"
        r"(?! ?(?:windows|linux|mac|ubuntu|android|ios|debian|fedora|metric|imperial|nintendo|ps ?\d"
        r"|playstation|xbox|x86|arm|\d|dell|hp\b|lenovo))"
    ),
    (
        r"<(?: ?/ ?)(?:memor(?:y|ies)|context|system|assistant|user|instructions?|system[_-]prompt|prompt"
        r"|conversation|data|document|untrusted\w*) ?>"
    ),
    (
        r"<(?:system|assistant|system[_-]prompt|instructions?|developer)(?: [^<>\n]{0,80})?>"
        r"|<\|[a-z_]{2,24}\|>|\[/?inst\]|<</?sys>>"
        r"|</?(?:start|end)_of_turn>|<(?:function_calls?|tool_call|invoke)\b|&lt;/(?:memories|memory|context|system)&gt;"
    ),
    (
        r"(?:\A|\n) ?#{2,6} ?(?:system|instructions?|new instructions?|assistant|human|response)(?: (?:prompt"
        r"|message))? ?:?(?: |\n|\Z)"
    ),
    (
        r"\[ ?(?:system|sys|admin)(?: (?:message|override|prompt|note|instructions?))? ?\] ?:?|\b(?:begin|end"
        r"|start of|end of) (?:system )?(?:prompt|instructions)\b"
    ),
    (
        r"\bsystem (?:override|prompt override)\b|\b(?:new|updated|real|actual|hidden"
        r"|revised) (?:system )?(?:instructions?|prompt|directives?) ?:"
    ),
    (
        rf"\b(?:instructions?|notes?|messages?|attention|notice|important) (?:to|for) (?:the |any |all "
        rf"|every )?{_MACHINE} ?[:!—-]"
    ),
    (
        r"\b(?:if|since|as) you(?: are|'re) an? (?:ai|llm|language model|artificial intelligence)\b"
        r"|\battention,? (?:ai|llm|assistant|language model)\b"
    ),
    # data that is to leave, silently
    (
        rf"{_STARTS}{_SEND} (?:[^\s.]+ ){{0,3}}{_MUCH}\b[^.\n]{{0,80}}? (?:to|at|into|via"
        rf"|with) (?:[\w-]+ ){{0,3}}[<(\[\"']?{_ADDRESS}"
    ),
    (
        rf"\b(?:whenever|every time|each time|before answering"
        rf"|after every)\b[^.\n]{{0,80}}\b{_SEND}\b[^.\n]{{0,60}} to {_ADDRESS}"
    ),
    (
        r"\b(?:do not|don't|never|without) (?:ever )?(?:tell|telling|inform|informing|mention|reveal|notify"
        r"|notifying|alert|warn)\w*[^.\n]{0,30}\bthe user\b"
    ),
    r"!\[[^\]\n]{0,80}\]\(https?://[^\s)]{1,200}[?&][\w-]{1,30}=(?:\{|<|\[|%7B|data|secret|\$)",
)

ENGLISH = tuple(re.compile(source, re.IGNORECASE) for source in _SOURCES)
"""Each is enough by itself."""
