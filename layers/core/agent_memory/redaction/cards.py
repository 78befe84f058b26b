"""Card numbers: an issuer's first digits, a length that the issuer has, and the check digit.

Source: ISO/IEC 7812-1 (Luhn), and the ranges that the issuers publish.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from agent_memory.redaction.secret import Secret

_RUN = re.compile(r"(?<!\d)\d(?:[ \t]{0,2}(?:\n[ \t]{0,2})?[-._·*]{0,2}[ \t]?\n?\d){12,}(?!\d)", re.ASCII)
_GROUP = re.compile(r"\d+", re.ASCII)
SHORTEST, LONGEST = 13, 19
MOST_WAYS = 2
_LAYOUTS = {
    (4, 4, 4, 4),
    (4, 6, 5),
    (4, 6, 4),
    (4, 4, 4, 4, 1),
    (4, 4, 4, 4, 2),
    (4, 4, 4, 4, 3),
    (6, 13),
    (6, 10),
    (8, 8),
    (4, 4, 5),
}
_WORD_BEFORE = re.compile(r"(?:card|visa|amex|mastercard|unionpay|pan|no|num|number|cc)[:#=.]?\Z", re.IGNORECASE)
_LONG = range(16, 20)
_ISSUERS: tuple[tuple[str, str, Collection[int]], ...] = (  # first digits from, to, and how many there are in all
    ("4", "4", (13, 16, 19)),  # Visa
    ("51", "55", (16,)),  # Mastercard
    ("2221", "2720", (16,)),
    ("34", "34", (15,)),  # American Express
    ("37", "37", (15,)),
    ("300", "305", (14, 16)),  # Diners Club
    ("3095", "3095", (14, 16)),
    ("36", "36", (14, 16)),
    ("38", "39", (14, 16)),
    ("3528", "3589", _LONG),  # JCB
    ("6011", "6011", _LONG),  # Discover
    ("644", "649", _LONG),
    ("65", "65", _LONG),
    ("60", "60", (16,)),  # RuPay
    ("62", "62", _LONG),  # UnionPay
    ("81", "81", _LONG),
    ("9558", "9559", _LONG),  # older cards of Chinese banks
    ("2200", "2205", _LONG),  # Mir
    *((low, low, _LONG) for low in ("5018", "5020", "5038", "5893", "6304", "6759", "6761", "6762", "6763")),  # Maestro
)


def cards(text: str) -> Iterator[Secret]:
    """Card numbers, written together or in groups, also over a line end."""
    for run in _RUN.finditer(text):
        if _is_part_of_something(text, run.start(), run.end()):
            continue
        groups = [each.span() for each in _GROUP.finditer(text, run.start(), run.end())]
        done = 0
        for first in range(len(groups)):
            if first < done:
                continue
            last = _card_from(text, groups, first)
            if last is not None:
                done = last
                yield Secret(groups[first][0], groups[last - 1][1], "card_number")


def _is_part_of_something(text: str, start: int, end: int) -> bool:
    """Letters at either side, as in a hash, a decimal point before, or the plus of a telephone number."""
    before, after = text[max(0, start - 12) : start], text[end : end + 1]
    if after.isascii() and after.isalnum():
        return True
    if before[-1:] == "+" or re.search(r"\d[.]\Z", before):
        return True
    glued = before[-1:].isascii() and before[-1:].isalpha()
    return glued and not _WORD_BEFORE.search(before)


def _card_from(text: str, groups: list[tuple[int, int]], first: int) -> int | None:
    """Behind the last group of the longest card number that begins with that group."""
    found = None
    digits = ""
    for last in range(first, len(groups)):
        digits += text[slice(*groups[last])]
        if len(digits) > LONGEST:
            break
        if len(digits) < SHORTEST:
            continue
        sizes = tuple(end - start for start, end in groups[first : last + 1])
        alone = first == 0 and last == len(groups) - 1 and "." not in text[groups[0][0] : groups[-1][1]]
        if (
            (alone or len(sizes) == 1 or sizes in _LAYOUTS)
            and is_card(digits)
            and not _is_spread(text, groups[first : last + 1])
        ):
            found = last + 1
    return found


def _is_spread(text: str, groups: list[tuple[int, int]]) -> bool:
    """Whether the groups are parted in more ways than one number is, a line end counting as a space."""
    return len({re.sub(r"\s+", " ", text[left[1] : right[0]]) for left, right in pairwise(groups)}) > MOST_WAYS


def is_card(digits: str) -> bool:
    """Whether an issuer has numbers that begin and end so, of that length."""
    return SHORTEST <= len(digits) <= LONGEST and _issued(digits) and _luhn(digits) and len(set(digits)) > 1


def _issued(digits: str) -> bool:
    if len(digits) == SHORTEST and _is_article(digits):
        return False
    return any(low <= digits[: len(low)] <= high and len(digits) in lengths for low, high, lengths in _ISSUERS)


def _luhn(digits: str) -> bool:
    doubled = [int(digit) * 2 for digit in digits[-2::-2]]
    return (sum(map(int, digits[-1::-2])) + sum(each - 9 if each > 9 else each for each in doubled)) % 10 == 0  # noqa: PLR2004


def _is_article(digits: str) -> bool:
    """Whether the thirteen digits are an article number (EAN) as well."""
    return sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10 == 0
