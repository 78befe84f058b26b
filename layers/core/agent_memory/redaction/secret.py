"""A place in a text that holds a secret, and the kinds there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "private_key": "a private key",
        "webhook": "the address of a webhook",
        "api_key": "an API key",
        "token": "a token",
        "card_number": "a card number",
        "id_number": "an identity number",
        "bank_account": "a bank account number",
        "password": "a password",
        "pin": "a PIN",
        "secret": "a secret value",
    }
)
"""What a person is told of each kind, the surest kinds first: where two kinds claim a place, the first one names it."""

CREDENTIALS = frozenset({"private_key", "webhook", "api_key", "token"})
"""Kinds that are known by their form wherever they stand, also as a name."""


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """A span of the text as it was given, `end` exclusive."""

    start: int
    end: int
    kind: str

    @property
    def placeholder(self) -> str:
        """What stands in the text instead."""
        return f"[SECRET:{self.kind}]"


def merged(found: list[Secret]) -> list[Secret]:
    """Spans that overlap as one, in order; the surest kind names it."""
    rank = list(WORDS)
    spans: list[Secret] = []
    for each in sorted(found):
        last = spans[-1] if spans else None
        if last is None or each.start >= last.end:
            spans.append(each)
            continue
        kind = min(last.kind, each.kind, key=rank.index)
        spans[-1] = Secret(last.start, max(last.end, each.end), kind)
    return spans
