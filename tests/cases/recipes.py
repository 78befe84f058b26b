"""Texts that a case only describes: `generate: 31,000 characters ending with 'my locker is number 88'`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.cases.case_files import NotServed

MARK = "generate:"
TURNS_AT_ONCE = 20
CHARACTERS_OF_TOKEN = 4
_NUMBERED = re.compile(r"'(?P<form>[^']*?)(?P<digits>N+)' (?P<count>[\d,]+) messages(?: in batches of (?P<size>\d+))?")
_ONE_OF_MANY = re.compile(r"'(?P<form>[^']*)\bi'")
_EQUAL_PARTS = re.compile(r"(?P<count>\d+) messages, (?P<total>[\d,]+) characters in all")
_LONG = re.compile(
    r"(?:one memory of )?(?P<size>[\d,]+) (?P<unit>characters|tokens)(?P<style>[A-Za-z ]*?)"
    r"(?: ending(?: with)? '(?P<end>[^']*)')?"
)
_HAN_DIGITS = str.maketrans("0123456789", "〇一二三四五六七八九")
_ENDING = re.compile(r"ending(?: with)? '([^']*)'")


def filled(value: Any, number: int = 0) -> Any:
    """The value with every recipe in it carried out; `number` tells parallel calls apart."""
    if isinstance(value, str) and value.startswith(MARK):
        return _text(value.removeprefix(MARK).strip(), number)
    if isinstance(value, list):
        return [filled(each, number) for each in value]
    if isinstance(value, dict):
        return {key: filled(each, number) for key, each in value.items()}
    return value


def batches(messages: list[Any], number: int = 0) -> Iterator[list[Any]]:
    """The messages of a step, as many calls as its recipe says; one text stands for a message of the user."""
    if len(messages) == 1 and isinstance(messages[0], str) and messages[0].startswith(MARK):
        texts, size = _texts(messages[0].removeprefix(MARK).strip(), number)
        for start in range(0, len(texts), size):
            yield [_said(text) for text in texts[start : start + size]]
        return
    yield [_said(filled(each, number)) if isinstance(each, str) else filled(each, number) for each in messages]


def planted(steps: Any) -> list[str]:
    """What recipes end with: the one thing in a long text that a search must find."""
    if isinstance(steps, str):
        return _ENDING.findall(steps) if steps.startswith(MARK) else []
    if isinstance(steps, dict):
        return planted(list(steps.values()))
    return [found for each in steps for found in planted(each)] if isinstance(steps, list | tuple) else []


def _said(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def _texts(recipe: str, number: int) -> tuple[list[str], int]:
    """The messages of a recipe, and how many go into one call."""
    if match := _NUMBERED.fullmatch(recipe):
        width = len(match["digits"])
        texts = [f"{match['form']}{at:0{width}}" for at in range(1, _int(match["count"]) + 1)]
        return texts, int(match["size"] or TURNS_AT_ONCE)
    if match := _EQUAL_PARTS.fullmatch(recipe):
        count, total = int(match["count"]), _int(match["total"])
        return [_prose(total // count, at * total) for at in range(count)], TURNS_AT_ONCE
    return [_text(recipe, number)], TURNS_AT_ONCE


def _text(recipe: str, number: int) -> str:
    if match := _ONE_OF_MANY.fullmatch(recipe):
        return f"{match['form']}{number}"
    match = _LONG.fullmatch(recipe)
    fill = _FILLINGS.get(match["style"].strip()) if match else None
    if match is None or fill is None:
        raise NotServed(f"no such recipe: {recipe}")
    size, end = _int(match["size"]), match["end"] or ""
    size *= CHARACTERS_OF_TOKEN if match["unit"] == "tokens" else 1
    return fill(size - len(end), 0) + end


def _prose(size: int, start: int) -> str:
    """Sentences of which no two are equal, exactly `size` characters."""
    sentences = (f"In year {start + at} of the chronicle nothing happened to anyone. " for at in range(size))
    return _cut(sentences, size, " ")


def _chinese(size: int, start: int) -> str:
    """Characters of three bytes each."""
    years = (str(start + at).translate(_HAN_DIGITS) for at in range(size))
    return _cut((f"编年史第{year}年风平浪静，没有人记下任何事情。" for year in years), size, "。")


def _run_on(size: int, start: int) -> str:
    """Letters and digits without any place to cut."""
    return _cut((f"x{start + at}" for at in range(size)), size, "x")


def _cut(parts: Iterator[str], size: int, last: str) -> str:
    text = ""
    for part in parts:
        text += part
        if len(text) >= size:
            break
    return text[: size - 1] + last if size > 0 else ""


_FILLINGS: dict[str, Callable[[int, int], str]] = {"": _prose, "of Chinese": _chinese, "without a space": _run_on}


def _int(digits: str) -> int:
    return int(digits.replace(",", ""))
