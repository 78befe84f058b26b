"""What a store does about secrets, and the texts of a call as the store takes them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agent_memory.errors import InvalidParameter
from agent_memory.redaction.finding import credentials_in, replaced, secrets_in
from agent_memory.redaction.secret import WORDS, Secret

Redaction = Literal["off", "redact", "block"]
_ORDER: tuple[Redaction, ...] = ("off", "redact", "block")


def tightest(*policies: Redaction | None) -> Redaction:
    """The strictest of the policies given; a call can only tighten what its store says."""
    return max((each for each in policies if each), key=_ORDER.index, default="off")


@dataclass(frozen=True, slots=True)
class Gate:
    """Takes the texts of a call as its policy says; InvalidParameter names the field and the kind, never the secret."""

    policy: Redaction

    @property
    def is_open(self) -> bool:
        """Whether every text passes as it is."""
        return self.policy == "off"

    def text(self, field: str, text: str) -> str:
        """The text, without its secrets."""
        found = [] if self.is_open else secrets_in(text)
        if found and self.policy == "block":
            raise InvalidParameter(field, f"holds {_words(found)}, which this store refuses")
        return replaced(text, found) if found else text

    def name(self, field: str, text: str) -> str:
        """The name as it is: a placeholder would make two names one, so a name that holds a key is refused."""
        found = [] if self.is_open else credentials_in(text)
        if found:
            raise InvalidParameter(field, f"holds {_words(found)}, which can't be redacted there")
        return text

    def words(self, field: str, metadata: Mapping[str, str]) -> dict[str, str]:
        """Metadata whose values are texts and whose keys are names; a value is read together with its key."""
        return {
            self.name(f"{field} key", key): self.named(f"{field} value", key, value) for key, value in metadata.items()
        }

    def named(self, field: str, key: str, value: str) -> str:
        """A value that stands under a name: `password`: `hunter2` is one where neither alone would tell."""
        if self.is_open:
            return value
        before = f"{key}: "
        found = [each for each in secrets_in(before + value) if each.start >= len(before)]
        within = [Secret(each.start - len(before), each.end - len(before), each.kind) for each in found]
        if within and self.policy == "block":
            raise InvalidParameter(field, f"holds {_words(within)}, which this store refuses")
        return self.text(field, replaced(value, within))


def _words(found: list[Secret]) -> str:
    return WORDS[found[0].kind]
