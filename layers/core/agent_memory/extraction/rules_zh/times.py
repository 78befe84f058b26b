"""The time words and adverbs in front of a Chinese predicate, and what they make of it."""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = r"(?:\d{1,4}|[一二两三四五六七八九十百半几]{1,4})"
_WEEK = r"(?:周|星期|礼拜)"
_WEEKDAY = rf"{_WEEK}[一二三四五六日天末]"
_PART = r"(?:大?清早|一早|早上|早晨|清晨|凌晨|上午|中午|下午|傍晚|晚上|夜里|半夜)"
_CLOCK = rf"(?:{_NUMBER}点(?:半|钟|{_NUMBER}分?)?)"
_LATER = rf"(?:的?{_PART})?{_CLOCK}?"

PAST = (
    rf"(?:大前天|前天|昨[天晚日夜](?:夜里|晚上)?|今早|今天(?:早上"
    rf"|上午)?|刚刚|刚才|不久前|前(?:几天|不久|些天|阵子|段时间|两天)"
    rf"|(?:上上?个?{_WEEK}[一二三四五六日天末]?)|上个?周末|上个?月(?:初"
    rf"|底|中旬|{_NUMBER}[号日])?|上(?:个|一)?学期|去年|大?前年"
    rf"|{_NUMBER}个?(?:天|周|星期|礼拜|月|多月|年|小时|学期)(?:多)?(?:之"
    rf"|以)?前|(?:19|20)\d\d年|今年(?:年初|初|[一二三四五六七八九十\d]+月份?)"
    rf"|这个?周末|年初|大学时|高中时|暑假时)"
    rf"(?:的?(?:[一二三四五六七八九十\d]{{1,2}}月份?(?:\d{{1,2}}[号日])?"
    rf"|年?[初底末]|[春夏秋冬][天季]?|暑假|寒假))?{_LATER}"
)
FUTURE = (
    rf"(?:大?后天|明[天晚早日]|下下?个?{_WEEK}[一二三四五六日天末]?"
    rf"|下(?:个|一)?(?:月|季度|学期|年)(?:初|底|中旬|{_NUMBER}[号日])?"
    rf"|明年|后年|今晚|{_NUMBER}个?(?:天|周|星期|月|年|小时)(?:之"
    rf"|以)?后|过(?:几|两|{_NUMBER})个?(?:天|周|月)|年底|月底|月末)"
    rf"(?:的?(?:{_NUMBER}月份?(?:{_NUMBER}[号日])?|[初底末]|[春夏秋冬][天季]?|暑假|寒假|国庆|春节))?{_LATER}"
)
NEAR = (
    rf"(?:这个?{_WEEK}[一二三四五六日天末]?|本周[一二三四五六日末]?"
    rf"|{_WEEKDAY}|今天|这个月|本月|最近|近来|前些日子|今年|{_NUMBER}月{_NUMBER}[号日]"
    rf"|{_NUMBER}月份?|{_NUMBER}号|暑假|寒假|国庆|春节|中秋|元旦|{_PART}{_CLOCK}|{_CLOCK}){_LATER}"
)
_FORMER = "以前|曾经|曾|过去|小时候|之前|原来|从前|早年|早先|年轻时|当年|那时候?|当时|上学时"
_ALREADY = "已经|早已|早就|终于|总算"
_PLAIN = (
    "现在|目前|如今|眼下|当前|刚|既|这几天|这段时间|这几年|一直以来"
    "|一直都?|一向|向来|从小到大|从小就?|从来都?|始终|真的|真心"
    "|确实|其实|的确"
    "|超级|超|特别|尤其|非常|十分|格外|极其|很是|很|最|挺|蛮|比较"
    "|还是|还|都|也|就|又|只|平时|平常|通常|一般|越来越|有点儿?"
    "|相当"
    "|实在|简直|根本|完全|本人|自己|个人|总是|老是|常常|经常|大家|天生|目前为止|倒|却|更加|太|无比|由衷地?|打心底里?"
)
_TOKEN = re.compile(
    rf"\s*(?:(?P<past>{PAST})|(?P<future>{FUTURE})|(?P<near>{NEAR})|(?P<former>{_FORMER})|(?P<already>{_ALREADY})"
    rf"|(?P<plain>{_PLAIN}))\s*"
)
_DUE = re.compile(rf"在?(?:{PAST}|{FUTURE}|{NEAR})(?:之?[前内]|以前)?")
_TIME = re.compile(rf"(?:{PAST})|(?:{FUTURE})|(?:{NEAR})")
_MOST_TOKENS = 12


class Adverbs(NamedTuple):
    """What stands in front of a predicate: the kinds of its words, and where it begins."""

    kinds: frozenset[str]
    end: int


def adverbs(text: str, start: int = 0) -> Adverbs:
    """The time words and adverbs from `start` on."""
    kinds, end = set(), start
    for _ in range(_MOST_TOKENS):
        match = _TOKEN.match(text, end)
        if match is None or match.end() == end:
            break
        kinds.add(str(match.lastgroup))
        end = match.end()
    return Adverbs(frozenset(kinds), end)


def has_time(text: str) -> bool:
    """Whether a time phrase stands anywhere in the text."""
    return _TIME.search(text) is not None


def without_time(text: str) -> str:
    """The text without the time phrases in front."""
    match = _DUE.match(text)
    return text[match.end() :].lstrip("的就再要 ") if match else text
