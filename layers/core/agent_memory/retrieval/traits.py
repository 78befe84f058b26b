"""What kind of text a memory is, as bits that a question can ask for. Cheap, and for matching only.

The bits are stored with the index: a change of their meaning needs a new TOKENIZER_VERSION.
"""

from __future__ import annotations

import re

QUESTION = 1  # ends in a question mark
NUMBER = 2  # has a digit or a number in words
TIME = 4  # has a phrase that says when
OWN = 8  # the speaker talks of himself
HAN = 16  # is written in Chinese characters, names and the like aside

_NUMBER_NAMES = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen once twice half
"""
_NUMBER_WORDS = frozenset(_NUMBER_NAMES.split())
_DAYS = "sunday monday tuesday wednesday thursday friday saturday"
_SPANS = "second minute hour day week month year"
_TIME_WORDS = frozenset(
    f"today tonight tomorrow yesterday now ago since until recently weekend morning afternoon evening night noon "
    f"{_DAYS} {_DAYS.replace('day', 'days')} {_SPANS} {' '.join(f'{span}s' for span in _SPANS.split())} "
    "january february march april june july august september october november december "
    "spring summer autumn winter".split()
)
_WORD = re.compile("[a-z]+")
_QUESTION = re.compile(r"[?\uff1f][\s\"'\u201d\u2019\u300d)\uff09]*(?:\[[^\[\]]*\]\s*)?\Z")  # an attachment may follow
_OWN_WORDS = frozenset(("i", "my", "mine", "me", "we", "our", "us"))
_OWN = re.compile("[我咱俺]")
_HAN = re.compile("[\u3400-\u9fff]")
_LATIN = re.compile(r"[^\W\d_\u3040-\u9fff\uac00-\ud7ff]+")
_DIGIT = re.compile(r"\d")
_DATE = re.compile(
    r"\d{1,4}[-/.年]\d{1,2}(?!\d)|\d{1,2}:\d{2}|(?<![\w-])(?:19|20)\d{2}(?!\w)|\d{1,2}\s*[ap]\.?m\b|\d\s*[月日号点]",
    re.IGNORECASE,
)
_CHINESE_NUMBER = re.compile(
    "[一二两三四五六七八九十百千万亿半几][个只次天年月周日号岁块元点分钟名位本件张条间层楼台部辆杯瓶斤公米倍成届]|"
    "第[一二三四五六七八九十百]|[二三四五六七八九]十|[十百千万][一二三四五六七八九]"
)
_CHINESE_TIME = re.compile(
    "[今明昨前后]天|[今明去前后]年|[上下本这每]个?(?:周|月|星期|礼拜|年)|(?:周|星期|礼拜)[一二三四五六日天末]|"
    "[一二三四五六七八九十][月点号日年]|早上|上午|中午|下午|晚上|凌晨|最近|刚才|以前|之前|之后|以后|小时|分钟|"
    "[春夏秋冬]天|春节"
)


def text_traits(text: str) -> int:
    """The bits that hold of the text."""
    words = set(_WORD.findall(text.lower()))
    found = QUESTION if _QUESTION.search(text) else 0
    if words & _NUMBER_WORDS or _DIGIT.search(text) or _CHINESE_NUMBER.search(text):
        found |= NUMBER
    if words & _TIME_WORDS or _DATE.search(text) or _CHINESE_TIME.search(text):
        found |= TIME
    if words & _OWN_WORDS or _OWN.search(text):
        found |= OWN
    return found | (HAN if _is_han(text) else 0)


def _is_han(text: str) -> bool:
    """Whether it has more Chinese characters than words of letters: a few names don't make a text English."""
    characters = len(_HAN.findall(text))
    return characters > 0 and characters > len(_LATIN.findall(text))
