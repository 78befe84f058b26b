"""How a language model is asked what new facts mean for the memories near them, and how its answer is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agent_memory.language_model import Prompt
from agent_memory.prompts import prompt_file, prompt_language
from agent_memory.prompts.fences import INDENT, on_one_line
from agent_memory.prompts.replies import MAX_ITEMS, field, items_of, numbers_in
from agent_memory.text import normalised

Action = Literal["write", "skip", "replace"]

VERDICTS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "fact": {"type": "integer"},
                    "action": {"type": "string", "enum": ["write", "skip", "replace"]},
                    "ids": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["fact", "action", "ids"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["verdicts"],
    "additionalProperties": False,
}

_TOKENS_OF_VERDICT, _LEAST_TOKENS, _MOST_TOKENS = 40, 512, 4_096
_LISTS = (
    "verdicts",
    "decisions",
    "judgements",
    "judgments",
    "results",
    "result",
    "items",
    "facts",
    "决定",
    "结果",
    "判断",
)
_FACT = ("fact", "number", "index", "new", "candidate", "n", "编号", "事实")
_ACTION = ("action", "verdict", "decision", "event", "决定", "动作", "操作")
_IDS = ("ids", "id", "same_as", "duplicate_of", "replaces", "retire", "memories", "memory", "记忆")
_FACT_WORDS = frozenset({"fact", "new", "n", "f", "no"})
_ID_WORDS = frozenset({"m", "memory", "id", "and"})
_WORDS_OF: dict[Action, str] = {
    "write": "add new insert create 写入 新增 添加",
    "skip": "same duplicate none noop ignore 跳过 重复 相同 忽略",
    "replace": "update supersede retire delete 替换 更新 取代",
}
_ACTIONS = {word: action for action, words in _WORDS_OF.items() for word in [action, *words.split()]}


@dataclass(frozen=True, slots=True)
class KnownMemory:
    """A stored memory that may be shown; `date` is when it was said."""

    id: str
    owner: str
    text: str
    date: str


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact that may be stored; `near` names the memories that are shown with it, and so may be retired for it."""

    owner: str
    text: str
    date: str
    near: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a new fact. `ids`: the one that says the same (skip), or all that it retires (replace)."""

    action: Action
    ids: tuple[str, ...] = ()


WRITE = Verdict("write")


@dataclass(frozen=True, slots=True)
class Verdicts:
    """One verdict for every new fact, by its position; `ignored` counts what the model said beyond its rights.

    `unjudged`: facts that are written only because no usable answer speaks of them, so that rules may decide.
    """

    by_fact: Mapping[int, Verdict]
    ignored: int
    unjudged: frozenset[int] = frozenset()


def judge_prompt(facts: Sequence[NewFact], known: Sequence[KnownMemory], instructions: str = "") -> Prompt:
    """The question for verdicts, in the language of the facts. Memories are m1, m2 ... in the order of `known`."""
    told = prompt_file("judge", prompt_language([each.text for each in facts]))
    listed = "\n".join(line for number, fact in enumerate(facts) for line in _listed(number, fact, known))
    return Prompt(
        name="verdicts",
        system=told.system_text(instructions),
        user=told.user.replace("{{facts}}", listed),
        schema=VERDICTS_SCHEMA,
        max_tokens=min(max(_TOKENS_OF_VERDICT * len(facts), _LEAST_TOKENS), _MOST_TOKENS),
    )


def read_verdicts(value: Any, facts: Sequence[NewFact], known: Sequence[KnownMemory]) -> Verdicts:
    """A verdict for every fact; facts without a usable one are written, and the first answer on a fact counts.

    ValueError, with what is wrong, where there is no list of verdicts in the answer at all.
    """
    items = _by_number(value) or items_of(value, _LISTS, _ACTION)
    if items is None or (items and not any(isinstance(item, dict) for item in items)):
        raise ValueError('the answer must be an object with a list of objects: {"verdicts": [...]}')
    verdicts: dict[int, Verdict | None] = {}
    ignored = max(0, len(items) - MAX_ITEMS)
    for item in items[:MAX_ITEMS]:
        number = _number(item, len(facts))
        if number is None or number in verdicts:
            ignored += 1
            continue
        verdict, refused = _verdict(item, facts[number], known)
        ignored += refused
        verdicts[number] = verdict
    by_fact = {number: verdicts.get(number) or WRITE for number in range(len(facts))}
    return Verdicts(by_fact, ignored, frozenset(number for number in by_fact if verdicts.get(number) is None))


def _listed(number: int, fact: NewFact, known: Sequence[KnownMemory]) -> Iterator[str]:
    yield f"[{number}] {_line(fact)}"
    for position, memory in enumerate(known, 1):
        if memory.id in fact.near:
            yield f"{INDENT}m{position} {_line(memory)}"


def _line(told: NewFact | KnownMemory) -> str:
    return f"{on_one_line(told.owner)} {on_one_line(told.date)}: {on_one_line(told.text)}"


def _by_number(value: Any) -> list[Any] | None:
    """The items of {"0": "write", "1": {"action": ...}}."""
    if not isinstance(value, dict) or not all(any(True for _ in numbers_in(key, _FACT_WORDS)) for key in value):
        return None
    return [{**(told if isinstance(told, dict) else {"action": told}), "fact": key} for key, told in value.items()]


def _number(item: Any, count: int) -> int | None:
    """The position that an item speaks of; of one fact alone nobody needs to be told."""
    if not isinstance(item, dict):
        return None
    told = field(item, _FACT)
    numbers = [0] if told is None and count == 1 else list(numbers_in(told, _FACT_WORDS))
    return numbers[0] if len(numbers) == 1 and 0 <= numbers[0] < count else None


def _verdict(item: Mapping[str, Any], fact: NewFact, known: Sequence[KnownMemory]) -> tuple[Verdict | None, int]:
    """The verdict as far as it is within the rights of the model, None where nothing of it is, and how much is not."""
    told = field(item, _ACTION)
    action = _ACTIONS.get(normalised(told[:40])) if isinstance(told, str) else None
    if action is None:
        return None, 1
    if action == "write":
        return WRITE, 0
    named = list(dict.fromkeys(numbers_in(field(item, _IDS), _ID_WORDS)))
    inside = [known[number - 1].id for number in named if 0 < number <= len(known)]
    ids = tuple(each for each in inside if each in fact.near)
    refused = len(named) - len(ids)
    if action == "replace":
        return (Verdict("replace", ids) if ids else None), refused + (not named)
    same = ids[:1] if named else _only_one(fact, known)
    return (Verdict("skip", same) if same else None), refused


def _only_one(fact: NewFact, known: Sequence[KnownMemory]) -> tuple[str, ...]:
    """The memory that was shown, where it was one alone, so that a skip need not name it."""
    shown = tuple(memory.id for memory in known if memory.id in fact.near)
    return shown if len(shown) == 1 else ()
