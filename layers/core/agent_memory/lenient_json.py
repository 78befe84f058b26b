"""JSON out of what a language model says: the values in a text, however it wrapped, broke or cut them off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agent_memory.lenient_json_reader import Broken, Ended, JsonReader

MAX_UNFINISHED = 8  # beginnings that are read to the end of the text for nothing; each costs a pass over it

_START = re.compile(r"[{\[]")
_THOUGHT = re.compile(r"\s*<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_ANSWER = re.compile(r"\s*(?:```\s*(?:json\w*)?\s*)?[{\[]", re.IGNORECASE)
_BYTE_ORDER_MARK = "\ufeff"


class NoJson(ValueError):
    """There is no usable JSON object or list in the text."""


@dataclass(frozen=True, slots=True)
class Found:
    """An object or list; not `complete`: items of a list were left out, since they were broken or cut off."""

    value: Any
    complete: bool


def read_json(text: str) -> Any:
    """The first whole object or list in a text; raises NoJson where there is none. NaN and infinities are None."""
    for found in json_values(text):
        if found.complete:
            return found.value
    raise NoJson("there is no whole JSON object or list in the text")


def salvage_json(text: str) -> Found:
    """The first object or list, or what is left of it: at least one whole item of a list, else NoJson is raised."""
    for found in json_values(text):
        return found
    raise NoJson("there is no JSON object or list in the text")


def json_values(text: str) -> Iterator[Found]:
    """All objects and lists that stand one after the other in a text, thoughts of the model excepted."""
    answer = _decoded(_without_thoughts(text))
    position, unfinished = 0, 0
    while (start := _START.search(answer, position)) and unfinished < MAX_UNFINISHED:
        reader = JsonReader(answer, start.start())
        try:
            value = reader.value()
        except Broken:
            if reader.too_deep:
                return  # what is inside of such a value is no answer
            position = max(reader.position, start.end())
            continue
        except Ended:
            value = None
        if reader.whole or holds_items(value):
            yield Found(value, reader.whole)
            position = reader.position
        else:
            position, unfinished = start.end(), unfinished + 1


def holds_items(value: Any) -> bool:
    """Whether anything is in a list of the value, those inside of lists left aside."""
    if isinstance(value, dict):
        return any(holds_items(each) for each in value.values())
    return isinstance(value, list) and bool(value)


def _decoded(text: str) -> str:
    """What stands in a text that is one JSON string as a whole: some gateways encode the answer twice."""
    bare = text.strip()
    if not (bare.startswith('"') and bare.endswith('"')):
        return text
    try:
        inner = json.loads(bare, strict=False)
    except ValueError:
        return text
    return inner if isinstance(inner, str) else text


def _without_thoughts(text: str) -> str:
    """What follows the model's thoughts; some servers leave out the tag that opens them."""
    text = text.lstrip(_BYTE_ORDER_MARK)
    if _ANSWER.match(text):
        return text
    end = _THOUGHT_END.search(text)
    if end:
        return text[end.end() :]
    return "" if _THOUGHT.match(text) else text
