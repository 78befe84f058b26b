"""The patterns of calendar words, in the order in which they are looked for: the longer before what is part of it."""

from __future__ import annotations

import re

from agent_memory.claims.calendar_words import HAN_NUMBER, MONTH, NUMBER_WORDS, PARTS, RELATIVE, SEASONS, WEEKDAY
from agent_memory.claims.date_readers import (
    Reader,
    chinese_date,
    clock,
    day_and_month,
    digits,
    named,
    step,
    weekday,
    weekday_zh,
)

_ZH_PART = "凌晨|清晨|早晨|早上|上午|中午|下午|傍晚|晚上|夜里|深夜|半夜"
_HOUR_WORD = "|".join(NUMBER_WORDS)
_HALF = r"(?:[ ]*(?P<half>[ap])\.?m\b\.?|[ ]+in[ ]+the[ ]+(?P<of>morning|afternoon|evening)|[ ]+at[ ]+(?P<at>night))"
_NO_DAY = "楼院门线机球桌店房"  # behind 3号
_YEAR = r"(?:19|20)\d\d"


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


READERS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (_compiled(r"(?<![\w./-])(?P<y>\d{4})[-/.](?P<m>\d{1,2})(?:[-/.](?P<d>\d{1,2}))?(?![\w/-]|\.\d)"), digits),
    (_compiled(r"(?<![\w./-])(?P<word>\d{1,2}/\d{1,2}(?:/\d{2,4})?)(?![\w/-])"), named("numeric", {})),
    (
        _compiled(
            rf"(?:(?<!\d)(?P<y>\d{{4}}|[{HAN_NUMBER}]{{4}})年(?!级))(?:(?P<month>\d{{1,2}}|[{HAN_NUMBER}]{{1,2}})月份?)?"
            rf"(?:(?P<day>\d{{1,2}}|[{HAN_NUMBER}]{{1,3}})[日号])?"
        ),
        chinese_date,
    ),
    (
        _compiled(
            rf"(?P<y>)(?<![\d{HAN_NUMBER}])(?P<month>\d{{1,2}}|[{HAN_NUMBER}]{{1,2}})月(?![亮饼])份?"
            rf"(?:(?P<day>\d{{1,2}}|[{HAN_NUMBER}]{{1,3}})[日号])?"
        ),
        chinese_date,
    ),
    (
        _compiled(rf"(?P<y>)(?P<month>)(?<![\d{HAN_NUMBER}-])(?P<day>\d{{1,2}})[日号](?![{_NO_DAY}])"),
        chinese_date,
    ),
    (
        _compiled(
            rf"\b(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?[ ]+(?:of[ ]+)?(?P<month>{MONTH})(?:,?[ ]+(?P<y>\d{{4}}))?(?!\w)"
        ),
        day_and_month,
    ),
    (
        _compiled(
            rf"\b(?P<month>{MONTH})(?:[ ]+(?:the[ ]+)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]))?"
            r"(?:,?[ ]+(?:of[ ]+)?(?P<y>\d{4}))?(?!\w)"
        ),
        day_and_month,
    ),
    (
        _compiled(r"(?P<step>上上|下下|上|下|这|本|每)?个?(?:周|星期|礼拜)(?P<name>[一二三四五六日天])(?!起)"),
        weekday_zh,
    ),
    (_compiled(rf"\b(?:(?P<step>last|next|this|every|each)[ ]+)?(?P<name>{WEEKDAY})"), weekday),
    (_compiled(r"\b(?P<word>weekend)s?\b|(?P<han>周末)"), lambda _: [("weekday", "weekend")]),
    (
        _compiled(
            rf"(?P<before>{_ZH_PART})?(?<![\d:.])(?P<hour>\d{{1,2}}):(?P<minute>\d{{2}})(?::\d{{2}})?(?![\d:]){_HALF}?"
        ),
        clock,
    ),
    (_compiled(rf"\b(?P<hour>\d{{1,2}}|{_HOUR_WORD}){_HALF}"), clock),
    (_compiled(rf"\b(?P<hour>\d{{1,2}}|{_HOUR_WORD})[ ]o'?clock\b{_HALF}?"), clock),
    (
        _compiled(
            rf"\b(?:(?P<minute>half)|(?P<quarter>(?:a[ ])?quarter))[ ](?:past|(?P<to>to))[ ]"
            rf"(?P<hour>\d{{1,2}}|{_HOUR_WORD})\b{_HALF}?"
        ),
        clock,
    ),
    (
        _compiled(
            rf"(?<=\bat )(?P<hour>\d{{1,2}}|{_HOUR_WORD})\b(?=[ ]*(?:$|[.,;!?|]|on\b|every\b|each\b|sharp\b|today\b))"
        ),
        clock,
    ),
    (
        _compiled(
            rf"(?P<before>{_ZH_PART})(?P<hour>\d{{1,2}}|[{HAN_NUMBER}]{{1,3}})点"
            rf"(?:钟|整|(?P<minute>半|一刻|三刻|\d{{1,2}}(?=分)|[{HAN_NUMBER}]{{1,3}}(?=分))分?)?"
        ),
        clock,
    ),
    (
        _compiled(
            rf"(?<![\d{HAN_NUMBER}有.])(?P<hour>\d{{1,2}}|[{HAN_NUMBER}]{{1,3}})点"
            rf"(?:钟|整|(?P<minute>半|一刻|三刻|\d{{1,2}}(?=分)|[{HAN_NUMBER}]{{1,3}}(?=分))分?|(?<!一点)(?![儿个建意要点东]))"
        ),
        clock,
    ),
    (_compiled(r"\b(?P<word>noon|midday|midnight)\b"), named("part", PARTS)),
    (
        _compiled(
            r"\b(?P<step>last|this|next|every|each)[ ]+"
            r"(?P<unit>day|week|month|year|night|morning|afternoon|evening|summer|winter|autumn|spring)\b"
        ),
        step,
    ),
    (
        _compiled(
            "(?P<step>上上|下下|(?<![早晚])上|(?<![手地楼])下|这|(?<![日根])本|每)个?(?P<unit>周|星期|礼拜|月|年|天|晚)(?!级)"
        ),
        step,
    ),
    (_compiled(r"\b(?P<word>today|tonight|tomorrow|yesterday)\b"), named("relative", RELATIVE)),
    (
        _compiled(
            "(?P<word>大前天|大后天|今[天晚早年]|明[天晚早年]|昨[天晚]|(?<!以)前[天年]|(?<![以今])后[天年]|去年)"
        ),
        named("relative", RELATIVE),
    ),
    (_compiled(rf"(?P<word>{_ZH_PART})"), named("part", PARTS)),
    (_compiled(r"\b(?P<word>morning|afternoon|evening|night)s?\b(?![ -]?shifts?\b)"), named("part", PARTS)),
    (_compiled(r"\b(?P<word>summer|winter|autumn)s?\b"), named("season", SEASONS)),
    (_compiled("(?P<word>[春夏秋冬])(?:天|季)"), named("season", SEASONS)),
    (
        _compiled(rf"(?<=\b(?:in|of|by) )(?P<word>{_YEAR})\b(?![-/:])(?![ ]*[a-z%])"),
        named("year", {}),
    ),
    (_compiled(rf"(?<=\b(?:since|until|after) )(?P<word>{_YEAR})\b(?![-/:])"), named("year", {})),
)
