"""How a language model is asked for the facts of messages, and how its answer is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_memory.extraction.cut_text import cut_text
from agent_memory.extraction.fact_schema import FACTS_SCHEMA
from agent_memory.extraction.facts import Fact, Kind
from agent_memory.extraction.model_attributes import NOTHING, Keyed, is_allergy, is_told, keyed
from agent_memory.extraction.reply_evidence import evidence_of
from agent_memory.extraction.reply_owner import nameless_assistant, owner_of
from agent_memory.extraction.reply_words import importance_of, kind_of, may_deny, state_of
from agent_memory.extraction.sentences import cost
from agent_memory.extraction.worked_example import leaks
from agent_memory.language_model import Prompt
from agent_memory.models import Message
from agent_memory.prompts import prompt_file, prompt_language
from agent_memory.prompts.fences import fenced, on_one_line, restored
from agent_memory.prompts.replies import MAX_ITEMS, field, items_of, truth
from agent_memory.text import clean, normalised
from agent_memory.times import format_ms

MAX_TEXT = 200

_LEAST_TOKENS, _MOST_TOKENS = 1_024, 4_096
_COST_OF_TOKEN = 8  # in the measure of sentences.cost: about a Chinese character, or three Latin ones
_TEXTS_PER_TEXT = 3  # an answer repeats the texts, each with its fields

_LISTS = ("facts", "memories", "items", "results", "result", "data", "output", "结果", "事实", "记忆", "事实列表")
_TEXT = ("text", "fact", "memory", "content", "statement", "sentence", "内容", "文本", "事实", "记忆")
_EVIDENCE = (
    "evidence",
    "evidences",
    "source",
    "sources",
    "messages",
    "message",
    "message_ids",
    "index",
    "证据",
    "来源",
)
_KIND = ("kind", "type", "category", "种类", "类型", "类别")
_OWNER = ("owner", "subject", "who", "about", "person", "speaker", "所有者", "主体", "归属", "人物", "所属人")
_ATTRIBUTE = ("attribute", "slot", "key", "属性", "项目")
_VALUE = ("value", "值")
_NEGATED = ("negated", "negation", "negative", "否定")
_STATE = ("state", "status", "状态")
_IMPORTANCE = ("importance", "score", "重要性", "重要度", "重要程度")

Evidenced = tuple[Fact, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Reading:
    """The facts of an answer, each with the positions of its messages; `dropped`: items that could not be used."""

    facts: tuple[Evidenced, ...]
    dropped: int


def extraction_prompt(messages: Sequence[Message], instructions: str = "") -> Prompt:
    """The question for the facts of the messages, in their language; a message's number is its position."""
    spoken = [each.content for each in messages if not nameless_assistant(each)]
    told = prompt_file("extract", prompt_language(spoken or [each.content for each in messages]))
    listed = "\n".join(_listed(number, message) for number, message in enumerate(messages))
    echo = _TEXTS_PER_TEXT * sum(cost(each.content) for each in messages) // _COST_OF_TOKEN
    return Prompt(
        name="facts",
        system=told.system_text(instructions),
        user=told.user.replace("{{messages}}", listed),
        schema=FACTS_SCHEMA,
        max_tokens=min(max(echo, _LEAST_TOKENS), _MOST_TOKENS),
    )


def read_facts(value: Any, messages: Sequence[Message]) -> Reading:
    """What can be used of an answer about the messages; the rest is counted.

    ValueError, with what is wrong, where there is no list of facts in it at all.
    """
    items = items_of(value, _LISTS, _TEXT)
    if items is None:
        raise ValueError('the answer must be an object with a list: {"facts": [...]}')
    read = [_evidenced(item, messages) for item in items[:MAX_ITEMS]]
    if items and not any(read) and not any(isinstance(item, dict) for item in items):
        raise ValueError('the items of "facts" must be objects with "text" and "evidence"')
    kept = [each for each in read if each is not None]
    return Reading(tuple(_folded(kept)), len(items) - len(kept))


def _listed(number: int, message: Message) -> str:
    speaker, role = on_one_line(message.speaker), on_one_line(message.role)
    who = role if speaker.casefold() == role.casefold() else f"{speaker} ({role})"
    return f"[{number}] {who} {format_ms(message.timestamp_ms)[:10]}\n{fenced(message.content)}"


def _evidenced(item: Any, messages: Sequence[Message]) -> Evidenced | None:
    """One item as a fact; None where it lacks text or evidence, speaks of the assistant, or repeats the example."""
    given = {"text": item} if isinstance(item, str) else item
    if not isinstance(given, dict):
        return None
    evidence = evidence_of(field(given, _TEXT), field(given, _EVIDENCE), messages)
    sources = [messages[index] for index in evidence]
    if all(nameless_assistant(each) for each in sources):
        return None
    said = "\n".join(part for each in sources for part in (each.speaker, each.content))
    fact = _fact(given, sources, said)
    if fact is None or leaks("\n".join((fact.text, fact.owner, fact.attribute or "", fact.value or "")), said):
        return None
    return fact, evidence


def _fact(given: Mapping[str, Any], sources: Sequence[Message], said: str) -> Fact | None:
    kind = kind_of(field(given, _KIND))
    text = _text(field(given, _TEXT), said)
    owner = owner_of(field(given, _OWNER), kind, sources)
    if not text or owner is None:
        return None
    attribute, value, negated = _slot(given, kind, text, said)
    return Fact(
        text=text,
        kind=kind,
        owner=owner,
        attribute=attribute,
        value=value,
        negated=negated,
        state=state_of(field(given, _STATE), kind),
        importance=importance_of(field(given, _IMPORTANCE), kind),
    )


def _slot(given: Mapping[str, Any], kind: Kind, text: str, said: str) -> Keyed:
    """What the fact holds, and whether it denies that; nothing where the words do not bear it out.

    A slot that is wrong retires what is right. A denial without any word that says no is a flag that the model copied.
    """
    named = keyed(kind, _plain(field(given, _ATTRIBUTE)), _plain(field(given, _VALUE)))
    attribute, value, says_no = named if is_told(named, said) else NOTHING
    negated = says_no or truth(field(given, _NEGATED))
    if not negated or may_deny(text):
        return attribute, value, negated
    return (attribute, value, False) if is_allergy(named) else NOTHING


def _text(value: Any, said: str) -> str:
    if not isinstance(value, str):
        return ""
    text = cut_text(restored(" ".join(clean(value[: 4 * MAX_TEXT]).split()), said), MAX_TEXT)
    return text if any(character.isalnum() for character in text) else ""


def _plain(value: Any) -> str | None:
    """A text or number as text; None for anything else, among it a huge one."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, int) and abs(value) >= 10**30:  # str() refuses thousands of digits
        return None
    text = clean(str(value)[: 2 * MAX_TEXT])
    return text if len(text) <= MAX_TEXT else None


def _folded(facts: Sequence[Evidenced]) -> Iterator[Evidenced]:
    """Each claim once, with all its evidence; the first wording of its fields stays."""
    met: dict[tuple[str, str], Evidenced] = {}
    for fact, evidence in facts:
        claim = (normalised(fact.text), normalised(fact.owner))
        first, known = met.get(claim, (fact, ()))
        met[claim] = (first, tuple(sorted({*known, *evidence})))
    yield from met.values()
