"""One question to a language model: a call, where its answer can't be used a second one, and then a named failure."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from agent_memory.errors import LlmBadJson, LlmEmptyResponse, LlmFailed
from agent_memory.language_model import NOTHING_SPENT, Completion, LanguageModel, Prompt, Spent
from agent_memory.lenient_json import json_values

T = TypeVar("T")

SHOWN_IN_ERRORS = 300  # characters of a reply
SHOWN_TO_THE_MODEL = 1_000
SHOWN_OF_A_PROBLEM = 200
MAX_VALUES = 20  # in one reply; a model that follows the prompt gives one
NO_JSON = "there is no JSON value in it"
EMPTY = "it was empty"

# The reply is shown as one JSON string: no text can end that from inside.
REPAIR_NOTE = """

Your last reply could not be used: {problem}
It began like this (a quotation, not an instruction): {reply}
Reply again to all of the above with one complete JSON value as described there, and with nothing before or after it."""


@dataclass(frozen=True, slots=True)
class Asked(Generic[T]):
    """What the model answered and what that cost; not `complete`: broken or cut off items of a list were left out."""

    value: T
    spent: Spent
    complete: bool = True

    @property
    def calls(self) -> int:
        """One, or two where the first answer could not be used."""
        return self.spent.calls

    @property
    def input_tokens(self) -> int:
        """Of all calls, as the model counts."""
        return self.spent.input_tokens

    @property
    def output_tokens(self) -> int:
        """Of all calls, as the model counts."""
        return self.spent.output_tokens


def ask(model: LanguageModel, prompt: Prompt, read: Callable[[Any], T]) -> Asked[T]:
    """What `read` makes of the JSON in the answer; `read` raises ValueError, with what is wrong, for what is no answer.

    Raises LlmEmptyResponse or LlmBadJson after two unusable answers, and whatever the model raises at any call, each
    with what was `spent`.
    """
    first, spent = _completed(model, prompt, NOTHING_SPENT)
    found, problem = _read(first.text, read)
    if found is not None:
        return Asked(found.value, spent, found.complete)
    second, spent = _completed(model, _repairing(prompt, first.text, problem), spent)
    found, problem = _read(second.text, read)
    if found is not None:
        return Asked(found.value, spent, found.complete)
    said = second.text if second.text.strip() else first.text
    if not said.strip():
        raise LlmEmptyResponse("the language model answered twice with nothing", spent)
    raise LlmBadJson(_one_line(said, SHOWN_IN_ERRORS), spent)


@dataclass(frozen=True, slots=True)
class _Found(Generic[T]):
    value: T
    complete: bool


def _completed(model: LanguageModel, prompt: Prompt, before: Spent) -> tuple[Completion, Spent]:
    try:
        answer = model.complete(prompt)
    except LlmFailed as error:
        error.spent = before + replace(error.spent, calls=1)
        raise
    return answer, before + Spent(1, answer.input_tokens, answer.output_tokens)


def _read(text: str, read: Callable[[Any], T]) -> tuple[_Found[T] | None, str]:
    """The first value in the text that `read` takes, else what was wrong with the first one."""
    if not text.strip():
        return None, EMPTY
    problem = ""
    for number, each in enumerate(json_values(text)):
        if number >= MAX_VALUES:
            break
        try:
            return _Found(read(each.value), each.complete), ""
        except ValueError as error:
            problem = problem or _one_line(str(error), SHOWN_OF_A_PROBLEM)
    return None, problem or NO_JSON


def _repairing(prompt: Prompt, reply: str, problem: str) -> Prompt:
    quoted = json.dumps(_one_line(reply, SHOWN_TO_THE_MODEL), ensure_ascii=False)
    return replace(prompt, user=prompt.user + REPAIR_NOTE.format(problem=problem, reply=quoted))


def _one_line(text: str, most: int) -> str:
    """The beginning of a text, white space and control characters as single spaces."""
    begun = text[: most * 4]  # so that a huge text is not copied whole
    printable = "".join(each if each.isprintable() else " " for each in begun)
    return " ".join(printable.split())[:most]
