"""Questions by which a user asks for what the service remembers: they tell nothing themselves."""

from __future__ import annotations

import re

from agent_memory.extraction.sentences import split_sentences

_SHORT = 120  # characters; a longer question tells something on the way
_ENGLISH = re.compile(
    r"(?:(?:so|and|ok(?:ay)?|hey|hi|hello|please|well|by the way|btw)[,\s]+)*"
    r"(?:what|which|where|when|who|whom|whose|how|why|do|does|did|am|is|are|was|were|have|has|can|could|would|will|"
    r"tell me|remind me)\b.*\b(?:I|my|mine|me|I['’]m|I['’]ve)\b.*\?\W*",
    re.IGNORECASE | re.DOTALL,
)
_ENGLISH_BACK = re.compile(
    r"\b(?:what|which|where|when|who|whom|whose|how (?:old|many|much|tall|long|often|far))\b[^?]*"
    r"\b(?:(?:do|did|am|was|have|had) I|(?:is|are|was|were|does|did) my|I (?:have|live|like|said|told|own|am|was))\b"
    r"|\b(?:what|who|where|when|which)['’]s my\b|\bknow (?:(?:what|where|who|which) )?(?:is )?my\b|\babout me\b"
    r"|\b(?:remember|recall)\b.*\b(?:I|my|me)\b|\b(?:do|did|am|was|have) I (?:like|live|have|own|say|tell|told|said)\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"[^。！\n]*(?:我)[^。！\n]*(?:什么|哪|谁|几|多少|怎么|何时|吗|呢|是不是|记得|还记得)[^。！\n]*[?？]?\W*"
)
_CHINESE_BACK = re.compile(
    r"(?:你|还|是否)?(?:记得|知道)我|我(?:的)?[^，,。]{0,12}(?:是什么|是谁|是哪|在哪|叫什么|多少|几|什么|吗)"
)


def only_asks_back(text: str) -> bool:
    """Whether the text is nothing but short questions about the one who asks, as "What car do I have?" and 我住哪."""
    sentences = split_sentences(text)
    return bool(sentences) and all(map(_asks_back, sentences))


def _asks_back(sentence: str) -> bool:
    if len(sentence) > _SHORT or any(character.isdigit() for character in sentence):
        return False
    if _ENGLISH.fullmatch(sentence):
        return _ENGLISH_BACK.search(sentence) is not None
    return _CHINESE.fullmatch(sentence) is not None and _CHINESE_BACK.search(sentence) is not None
