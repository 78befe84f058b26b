"""The numbers and identifiers of a text: digits, number words and Chinese numerals as one value, with their unit.

Read them behind `take_dates`. A lone "one", "a" or 一 tells little, so it differs from another number only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from agent_memory.claims.number_words import (
    HAN_DIGITS,
    HAN_MYRIADS,
    HAN_SCALES,
    MEASURES,
    NOT_NUMBERS,
    ORDINALS,
    SCALES,
    SMALL,
    TENS,
    TIMES,
    UNITS,
)

_HAN = "".join([*HAN_DIGITS, *HAN_SCALES, *HAN_MYRIADS])
_LONGEST = 20  # digits of a number; a longer one is compared as it is written
_TOKEN = re.compile(
    r"(?P<sign>(?<![\w)\]])-)?(?P<money>[$€£¥])?(?P<token>(?<![A-Za-z0-9])[A-Za-z0-9]+(?:[-_./:@#+][A-Za-z0-9]+)*)"
)
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)-?([a-z]*)(?:-[a-z]+)?")
_UNIT = re.compile(
    r"[ -]?(" + "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True)) + r")(?![A-Za-z])", re.IGNORECASE
)
_WORD = "|".join([*SMALL, *TENS, *SCALES])
_WORDS = re.compile(rf"\b(?:(?:an?|half)[ ](?={'|'.join(SCALES)}))?(?:{_WORD})(?:(?:[ -]|[ ]and[ ])(?:{_WORD}))*\b")
_SINGLE = re.compile(rf"\b(?P<ordinal>{'|'.join(ORDINALS)})\b|\b(?P<times>{'|'.join(TIMES)})\b|\b(?P<half>half)\b")
_NUMERAL = re.compile(
    rf"(?P<percent>百分之)?(?P<th>第)?(?P<han>[{_HAN}]{{1,{_LONGEST}}})(?P<half>半|个半)?"
    rf"|(?<!\d)(?P<digits>\d{{1,6}})个半|(?P<only>(?<![一多夜])半(?=[年个小斤价糖]|天(?!吊)))"
)
_IGNORED = re.compile(NOT_NUMBERS)
_BEFORE_BARE = ("是", "为", "到", "成", "改", "号")


@dataclass(frozen=True, slots=True)
class Number:
    """`value` in digits or an identifier without its separators; `unit` "" where the text names none."""

    value: str
    unit: str = ""

    def agrees(self, other: Number) -> bool:
        """Whether both may mean the same: equal values, and no two different units."""
        return self.value == other.value and (self.unit == other.unit or not self.unit or not other.unit)


def numbers(text: str) -> frozenset[Number]:
    """All of a plain text without its dates."""
    text = _IGNORED.sub(" ", text)
    return frozenset([*_written_in_digits(text), *_in_words(text), *_in_numerals(text)])


def numbers_missing(of: frozenset[Number], within: frozenset[Number]) -> frozenset[Number]:
    """The numbers of the one that nothing in the other agrees with; a lone 1 only if the other counts something too."""
    missing = frozenset(each for each in of if not any(each.agrees(other) for other in within))
    spare = any(not any(each.agrees(other) for other in of) for each in within)
    return missing if spare else frozenset(each for each in missing if each.value != "1" or each.unit)


def _written_in_digits(text: str) -> Iterator[Number]:
    for match in _TOKEN.finditer(text):
        token = match["token"].casefold()
        if not any(character.isdigit() for character in token):
            continue
        amount = _AMOUNT.fullmatch(token)
        if (
            amount is None
            or len(amount[1]) > _LONGEST
            or (amount[2] and amount[2] not in {*UNITS, "k", "st", "nd", "rd", "th"})
        ):
            yield Number(re.sub("[-_]", "", token), "id")
            continue
        value = Decimal(amount[1]) * (1_000 if amount[2] == "k" else 1)
        unit = UNITS.get(match["money"] or amount[2]) or ("th" if amount[2] in ("st", "nd", "rd", "th") else "")
        before = "th" if text[: match.start()].endswith("第") else ""
        yield Number(_shown(-value if match["sign"] else value), unit or before or _unit(text, match.end()))


def _in_words(text: str) -> Iterator[Number]:
    folded = text.casefold()
    for match in _WORDS.finditer(folded):
        yield Number(_shown(Decimal(_value(match[0]))), _unit(folded, match.end()))
    for match in _SINGLE.finditer(folded):
        if match["ordinal"]:
            yield Number(str(ORDINALS[match["ordinal"]]), "th")
        else:
            yield Number(TIMES[match["times"]] if match["times"] else "0.5")


def _value(words: str) -> int:
    total = group = 0
    for word in re.findall("[a-z]+", words):
        if word in SCALES:
            scale = SCALES[word]
            group = (group or 1) * scale
            if scale >= SCALES["thousand"]:
                total, group = total + group, 0
        else:
            group += SMALL.get(word, TENS.get(word, 0))
    return total + group


def _in_numerals(text: str) -> Iterator[Number]:
    for match in _NUMERAL.finditer(text):
        half = Decimal("0.5") if match["half"] or match["digits"] or match["only"] else Decimal(0)
        if match["only"]:
            yield Number("0.5", _unit(text, match.end()))
        elif match["digits"]:
            yield Number(_shown(int(match["digits"]) + half), _unit(text, match.end()))
        elif _counts(text, match):
            unit = "%" if match["percent"] else "th" if match["th"] else _unit(text, match.end())
            yield Number(_shown(_numeral(match["han"]) + half), unit)


def _counts(text: str, match: re.Match[str]) -> bool:
    """Whether the numeral counts something: most single ones are part of another word (三明治, 一般)."""
    if len(match["han"]) > 1 or match["th"] or match["percent"] or match["half"]:
        return True
    following = text[match.end() : match.end() + 1]
    if following and (following in MEASURES or _unit(text, match.end())):
        return True
    return not following.isalnum() and text[: match.start()].rstrip(" ").endswith(_BEFORE_BARE)


def _numeral(text: str) -> int:
    if not set(text) & {*HAN_SCALES, *HAN_MYRIADS}:
        return int("".join(str(HAN_DIGITS[character]) for character in text))
    total = section = digit = 0
    for character in text:
        if character in HAN_DIGITS:
            digit = HAN_DIGITS[character]
        elif character in HAN_SCALES:
            section, digit = section + (digit or 1) * HAN_SCALES[character], 0
        else:
            total, section, digit = (total + section + digit or 1) * HAN_MYRIADS[character], 0, 0
    return total + section + digit


def _unit(text: str, end: int) -> str:
    match = _UNIT.match(text, end)
    return UNITS[match[1].casefold()] if match else ""


def _shown(value: Decimal | int) -> str:
    return format(Decimal(value).normalize(), "f")
