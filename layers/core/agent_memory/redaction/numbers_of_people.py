"""Numbers that prove themselves by a check digit: cards, bank accounts, Chinese identity cards.

Sources: ISO 13616 (IBAN registry, lengths by country), GB 11643-1999 (identity numbers).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from agent_memory.redaction.cards import cards
from agent_memory.redaction.secret import Secret

_IDENTITY = re.compile(
    r"(?<![A-Za-z0-9])([1-8]\d{5})[ -]?((?:18|19|20)\d{6})[ -]?(\d{3}[\dXx])(?![A-Za-z0-9])", re.ASCII
)
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS = "10X98765432"
IBAN_MODULUS = 97
_IBAN = re.compile(r"(?<![A-Za-z0-9])([A-Za-z]{2})\d\d", re.ASCII)
_IBAN_LENGTHS = {
    int(length): names.split()
    for length, names in {
        "15": "NO", "16": "BE", "18": "DK FI FO GL NL SD", "19": "MK SI", "20": "AT BA EE KZ LT LU MN XK",
        "21": "CH HR LI LV",
        "22": "BG BH CR DE GB GE IE ME RS VA", "23": "AE GI IL IQ OM SO TL",
        "24": "AD CZ ES MD PK RO SA SE SK TN VG",
        "25": "LY PT ST", "26": "IS TR", "27": "BI DJ FR GR IT MC MR SM",
        "28": "AL AZ BY CY DO GT HU LB NI PL SV",
        "29": "BR EG PS QA UA", "30": "JO KW MU", "31": "MT SC", "32": "LC", "33": "RU",
    }.items()
}  # fmt: skip
_LENGTH_OF = {name: length for length, names in _IBAN_LENGTHS.items() for name in names}


def numbers_of_people(text: str) -> Iterator[Secret]:
    """Card, bank account and identity numbers, written together or in groups."""
    yield from _identities(text)
    yield from cards(text)
    yield from _accounts(text)


def _identities(text: str) -> Iterator[Secret]:
    for found in _IDENTITY.finditer(text):
        digits = found[1] + found[2] + found[3].upper()
        total = sum(int(digit) * weight for digit, weight in zip(digits, _WEIGHTS, strict=False))
        if _CHECKS[total % len(_CHECKS)] == digits[-1] and _is_date(found[2]):
            yield Secret(*found.span(), "id_number")


def _is_date(digits: str) -> bool:
    try:
        date.fromisoformat(f"{digits[:4]}-{digits[4:6]}-{digits[6:]}")
    except ValueError:
        return False
    return True


def _accounts(text: str) -> Iterator[Secret]:
    for found in _IBAN.finditer(text):
        length = _LENGTH_OF.get(found[1].upper())
        end = _walk(text, found.start(), length) if length else None
        if end is not None:
            letters = "".join(filter(str.isalnum, text[found.start() : end])).upper()
            if int("".join(str(int(each, 36)) for each in letters[4:] + letters[:4])) % IBAN_MODULUS == 1:
                yield Secret(found.start(), end, "bank_account")


def _walk(text: str, start: int, length: int) -> int | None:
    """Behind so many letters and digits, parted by single characters at most; None where there are fewer or more."""
    at, left, gap = start, length, 0
    while left and at < len(text) and gap <= 2:  # noqa: PLR2004
        character = text[at]
        if character.isascii() and character.isalnum():
            left, gap = left - 1, 0
        elif character in " -\n\t.":
            gap += 1
        else:
            return None
        at += 1
    more = text[at : at + 1]
    return None if left or (more.isascii() and more.isalnum()) else at
