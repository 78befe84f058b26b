"""What a match of a date pattern names: parts such as ("month", "5"); nothing where it is no date after all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from agent_memory.claims.calendar_words import DAYS, HALVES, MONTHS, NUMBER_WORDS, STEPS, UNITS
from agent_memory.dates_in_text.numerals_zh import number

Part = tuple[str, str]
Reader = Callable[[re.Match[str]], Iterable[Part]]

_NOON = 12
_MOST_DAYS = 31
_HAN_DIGITS = "〇一二三四五六七八九"


def digits(match: re.Match[str]) -> Iterator[Part]:
    """2026-03-05 and 2026/3."""
    year, month, day = match["y"], int(match["m"]), int(match["d"] or 0)
    if 1 <= month <= len(MONTHS) and day <= _MOST_DAYS:
        yield from (("year", year), ("month", str(month)), ("day", str(day) if day else ""))


def day_and_month(match: re.Match[str]) -> Iterator[Part]:
    """An English month, with or without day and year."""
    groups = match.groupdict()
    day = groups.get("d1") or groups.get("d2")
    yield "month", str(MONTHS.index(match["month"][:3].casefold()) + 1)
    yield "day", str(int(day)) if day else ""
    yield "year", groups.get("y") or ""


def chinese_date(match: re.Match[str]) -> Iterator[Part]:
    """年, 月 and 日, as many as there are."""
    yield "year", _chinese_year(match["y"] or "")
    for name in ("month", "day"):
        if match[name]:
            yield name, str(number(match[name]) or "")


def _chinese_year(digits: str) -> str:
    return "".join(str(_HAN_DIGITS.index(each)) if each in _HAN_DIGITS else each for each in digits.replace("零", "〇"))


def clock(match: re.Match[str]) -> Iterator[Part]:
    """A time of day, on a clock of twelve hours, with its half if the text tells it."""
    groups = match.groupdict()
    hour, minute = _hour(groups["hour"]), _minute(groups)
    if hour is None or minute is None:
        return
    if groups.get("to"):
        hour, minute = hour - 1, 60 - minute
    said = groups.get("half") or groups.get("of") or groups.get("at") or groups.get("before") or ""
    half = f"{said}m" if said.casefold() in ("a", "p") else HALVES.get(said.casefold(), "")
    if hour > _NOON or groups["hour"].startswith("00"):
        half = "pm" if hour >= _NOON else "am"
    yield "time", f"{hour % _NOON or _NOON}:{minute:02d}"
    yield "half", half.casefold()


def _hour(text: str) -> int | None:
    if text.casefold() in NUMBER_WORDS:
        return NUMBER_WORDS.index(text.casefold()) + 1
    value = int(text) if text.isdecimal() else number(text)
    return value if value is not None and value <= 2 * _NOON else None


def _minute(groups: dict[str, str | None]) -> int | None:
    text = groups.get("minute")
    if groups.get("quarter") or text in ("half", "半", "一刻"):
        return 30 if text in ("half", "半") else 15
    if text == "三刻":
        return 45
    value = (int(text) if text.isdecimal() else number(text)) if text else 0
    return value if value is not None and value < 60 else None  # noqa: PLR2004 - minutes of an hour


def step(match: re.Match[str]) -> Iterator[Part]:
    """last week, 每天."""
    step, unit = STEPS[match["step"].casefold()], match["unit"].casefold()
    yield "relative", f"{UNITS.get(unit, unit)} {step}"


def weekday(match: re.Match[str]) -> Iterator[Part]:
    """A weekday, with last or next."""
    yield "weekday", str(DAYS.index(match["name"][:3].casefold()) + 1)
    step = match["step"]
    yield "which", STEPS[step.casefold()] if step and step.casefold() not in ("every", "each", "this") else ""


def weekday_zh(match: re.Match[str]) -> Iterator[Part]:
    """周三, with 上 or 下."""
    yield "weekday", str("一二三四五六日天".index(match["name"]) + 1).replace("8", "7")
    yield "which", STEPS[match["step"]] if match["step"] and match["step"] not in ("每", "这", "本") else ""


def named(name: str, values: dict[str, str]) -> Reader:
    """A word as the part `name`, by its meaning or as it stands."""
    return lambda match: [(name, values.get(match["word"].casefold(), match["word"].casefold()))]
