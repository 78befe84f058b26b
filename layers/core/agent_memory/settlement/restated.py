"""Whether an assistant only says back what is known already."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent_memory.retrieval.tokenizer import is_pair, query_terms, tokens
from agent_memory.settlement.differences import differs
from agent_memory.words.english import stem

_PRONOUNS = frozenset("你您我他她它咱")
_FRAMING_WORDS = """
remember know mention tell say note yes right correct user now still currently already also again ok okay got great sure
ah oh nice good thank thanks understood update updated congratulation congratulations
"""
_FRAMING = frozenset(map(stem, _FRAMING_WORDS.split()))
_FRAMING_ZH = re.compile("现在|目前|还是|仍然|已经|好的|明白|记住|记下|知道|没错|对的|原来|恭喜|谢谢|[了吧呀啊哦嗯]")
_MOST_NEW_PAIRS = 0.2  # of pairs of characters, some of which are of two words


def is_restated(text: str, known: Iterable[str]) -> bool:
    """Whether one of the known texts has every telling word of the text, and denies nothing of it."""
    plain = _FRAMING_ZH.sub(" ", text)
    said = [term for term in query_terms(plain) if term not in _FRAMING and not (set(term) & _PRONOUNS)]
    return bool(said) and any(_has(each, said) and differs(each, text) is None for each in known)


def _has(known: str, said: list[str]) -> bool:
    have = set(tokens(known))
    new = [term for term in said if term not in have]
    pairs = [term for term in said if is_pair(term)]
    return all(map(is_pair, new)) and len(new) <= _MOST_NEW_PAIRS * len(pairs)
