"""Whether an assistant only says back what is known already."""

from __future__ import annotations

from collections.abc import Iterable

from agent_memory.retrieval.tokenizer import is_pair, query_terms, tokens
from agent_memory.settlement.differences import differs

_PRONOUNS = frozenset("你您我他她它咱")
_FRAMING = frozenset(
    {"rememb", "remember", "know", "mention", "tell", "say", "note", "yes", "right", "correct", "user"}
)
_MOST_NEW_PAIRS = 0.2  # of pairs of characters, some of which are of two words


def is_restated(text: str, known: Iterable[str]) -> bool:
    """Whether one of the known texts has every telling word of the text, and denies nothing of it."""
    said = [term for term in query_terms(text) if term not in _FRAMING and not (set(term) & _PRONOUNS)]
    return bool(said) and any(_has(each, said) and differs(each, text) is None for each in known)


def _has(known: str, said: list[str]) -> bool:
    have = set(tokens(known))
    new = [term for term in said if term not in have]
    pairs = [term for term in said if is_pair(term)]
    return all(map(is_pair, new)) and len(new) <= _MOST_NEW_PAIRS * len(pairs)
