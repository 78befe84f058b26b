"""Secrets in a text: keys and tokens by their form, values by the word before them, numbers by their check digits.

Every pattern reads the text once, whatever it is: 32,000 characters take some hundredths of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from agent_memory.redaction.addresses import in_addresses
from agent_memory.redaction.known_forms import known_forms
from agent_memory.redaction.named_values import named_values
from agent_memory.redaction.numbers_of_people import numbers_of_people
from agent_memory.redaction.other_forms import other_forms
from agent_memory.redaction.passwords import passwords
from agent_memory.redaction.passwords_zh import passwords_zh
from agent_memory.redaction.pins import pins
from agent_memory.redaction.secret import CREDENTIALS, Secret, merged
from agent_memory.redaction.view import views

Finder = Callable[[str], Iterator[Secret]]
FINDERS: tuple[Finder, ...] = (
    known_forms, in_addresses, named_values, passwords, passwords_zh, pins, numbers_of_people, other_forms
)  # fmt: skip


def secrets_in(text: str) -> list[Secret]:
    """The secrets in the order of the text, apart from each other; characters that nobody sees hide none."""
    return _found(text, FINDERS)


def credentials_in(text: str) -> list[Secret]:
    """Those alone that are known by their form, for names: a name of digits or words is nobody's password."""
    return [each for each in _found(text, (known_forms,)) if each.kind in CREDENTIALS]


def redacted(text: str) -> str:
    """The text with a placeholder in the place of each secret; what is redacted already stays as it is."""
    return replaced(text, secrets_in(text))


def replaced(text: str, found: Iterable[Secret]) -> str:
    """The text with placeholders for spans that are in order and apart."""
    pieces, done = [], 0
    for each in found:
        pieces += [text[done : each.start], each.placeholder]
        done = each.end
    return "".join([*pieces, text[done:]])


def _found(text: str, finders: Iterable[Finder]) -> list[Secret]:
    found = [
        Secret(*view.span(each.start, each.end), each.kind)
        for view in views(text)
        for find in finders
        for each in find(view.text)
    ]
    return merged(found)
