"""The words of a model's answer in the words of `Fact`: kinds, states and importance, in both languages."""

from __future__ import annotations

import re
from typing import Any

from agent_memory.extraction.facts import IMPORTANCE, Kind, State
from agent_memory.languages import language_of
from agent_memory.text import normalised

_KIND_WORDS: dict[Kind, str] = {
    "preference": "preferences like likes dislike taste 偏好 喜好 爱好",
    "profile": "profiles identity personal health 资料 个人资料 个人信息 档案 画像 健康",
    "relation": "relations relationship relationships family 关系 人际关系",
    "task": "tasks plan plans todo goal intention 任务 计划 待办 目标",
    "agreement": "agreements procedure rule instruction 约定 协议 规则 规定 流程",
    "event": "events experience 事件 经历",
    "fact": "facts information 事实 信息",
}
_STATE_WORDS: dict[State, str] = {
    "planned": "plan planning todo to_do open pending 计划 计划中 待办 未完成",
    "doing": "in_progress ongoing active started 进行中 在做 正在做",
    "done": "complete completed finished closed 完成 已完成",
    "cancelled": "canceled dropped abandoned 取消 已取消 放弃",
}
_KINDS = {word: kind for kind, words in _KIND_WORDS.items() for word in [kind, *words.split()]}
_STATES = {word: state for state, words in _STATE_WORDS.items() for word in [state, *words.split()]}
# Wide on purpose: it only has to tell that nothing is denied, disliked or ended.
_DENIAL_EN = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|neither|nor|without|cannot|hardly|rarely|dis\w+|un\w+|hat(?:e|es|ed|ing)"
    r"|stop\w*|quit\w*|end(?:s|ed|ing)?|finished|cancel\w*|used to|gave up|giv(?:e|en|es|ing) up|drop\w*|left|leav\w+"
    r"|former\w*|ex|was|were|over|avoid\w*|refus\w*|awful|disgust\w*|detest\w*|loath\w*|abhor\w*|sick of"
    r"|tired of|fed up|lost|sold|instead|rather than|any ?more|bad|worst|terrible|gross|yuck|free of)\b|n['’]t\b",
    re.IGNORECASE,
)
_DENIAL_ZH = re.compile(
    "[不没無无未非别勿戒弃腻恨厌烦怕忌停退辞离卖丢拒免莫休]"
    "|受够|取消|结束|曾经|以前|原来|过去|难吃|难喝|恶心|反感|换掉|改成|完了"
)
_NUMBER = re.compile(r"[+-]?\d{1,6}(?:\.\d{1,6})?")


def kind_of(value: Any) -> Kind:
    """The kind that was meant; "fact" for words that nobody knows."""
    return _KINDS.get(_folded(value), "fact")


def state_of(value: Any, kind: Kind) -> State | None:
    """Only a task has a state; one without is planned."""
    return _STATES.get(_folded(value), "planned") if kind == "task" else None


def importance_of(value: Any, kind: Kind) -> int:
    """Within the range of the kind: the nearest to what was said, the middle where no number was."""
    lowest, highest = IMPORTANCE[kind]
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return (lowest + highest) // 2
    if isinstance(value, int):  # may be too large for a float
        return min(max(value, lowest), highest)
    match = _NUMBER.match(str(value).strip())
    if match is None:
        return (lowest + highest) // 2
    return min(max(round(float(match[0])), lowest), highest)


def may_deny(text: str) -> bool:
    """Whether any word of the text could say no, in English or Chinese; a text in another script always may."""
    if language_of(text) not in ("en", "zh"):
        return True
    return bool(_DENIAL_EN.search(text) or _DENIAL_ZH.search(text))


def _folded(value: Any) -> str:
    return normalised(value[:40]).replace(" ", "_").replace("-", "_") if isinstance(value, str) else ""
