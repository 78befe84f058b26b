"""Chinese numerals below a thousand, as they count days, weeks, months and years."""

from __future__ import annotations

_VALUES = {"一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
DIGITS = "".join(_VALUES) + "零〇十百"


def number(text: str) -> int | None:
    """The number, in digits or Chinese numerals; None for 三四 (three or four) and other things that are not one."""
    if text.isdecimal():
        return int(text)
    total = digit = 0
    unit_before = 1000
    for character in text:
        if character in _VALUES:
            if digit:
                return None
            digit = _VALUES[character]
        elif character in "十百":
            unit = 10 if character == "十" else 100
            if unit >= unit_before or (character == "百" and not digit):
                return None
            total, digit, unit_before = total + (digit or 1) * unit, 0, unit
        elif digit:  # a zero comes only after a unit
            return None
    return total + digit or None
