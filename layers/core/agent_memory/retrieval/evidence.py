"""The messages that stand behind the results of a search, short enough to be read beside them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_memory.models import MemoryUnit, Message
from agent_memory.scopes import Scope
from agent_memory.times import format_ms

Place = tuple[str, str]

MAX_ENTRIES = 8
MAX_CHARACTERS = 1_200
BEFORE = 1  # neighbours: what is said next explains a message more often than what was said before
AFTER = 2
_ELLIPSIS = "\u2026"
_JOINER = "\u200d"
_LONGEST_CLUSTER = 64  # characters; what goes on longer without a boundary is no writing and may be cut


@dataclass(frozen=True, slots=True)
class Source:
    """A message to show: of a conversation, by its sort key in the log, with the score of the best result it serves.

    A `neighbour` stands beside a message that a result comes from.
    """

    scope: Scope
    log_key: str
    score: float
    neighbour: bool = False

    @property
    def place(self) -> Place:
        """Where it lies: the conversation's path and the sort key in its log."""
        return self.scope.path, self.log_key


def sources(hits: Iterable[tuple[MemoryUnit, float]]) -> list[Source]:
    """The messages to read for results in rank order with their scores: each once, at most MAX_ENTRIES."""
    found: dict[Place, Source] = {}
    for unit, score in hits:
        for ref in unit.source_turn_refs:
            source = Source(unit.scope, ref.log_key, score)
            found.setdefault(source.place, source)
            if len(found) == MAX_ENTRIES:
                return list(found.values())
    return list(found.values())


def neighbours(source: Source, before: Sequence[str], after: Sequence[str]) -> list[Source]:
    """What stands beside a message, the most telling first; sort keys by falling nearness on both sides."""
    telling = [*after[:1], *before[:BEFORE], *after[1:AFTER]]
    return [Source(source.scope, log_key, source.score, neighbour=True) for log_key in telling]


def with_neighbours(direct: Sequence[Source], near: Iterable[Source]) -> list[Source]:
    """At most MAX_ENTRIES messages: all that are direct, then of `near`, in its order, what is no message twice."""
    chosen = {source.place: source for source in direct}
    for source in near:
        if len(chosen) < MAX_ENTRIES:
            chosen.setdefault(source.place, source)
    return list(chosen.values())


def evidence(wanted: Sequence[Source], messages: Mapping[Place, Message]) -> list[dict[str, Any]]:
    """Evidence entries as the API shows them: conversation by conversation, the best first, each in order of time.

    `wanted` is in rank order; one that is not among `messages` (by `Source.place`) is left out.
    """
    there = [source for source in wanted if source.place in messages]
    paths = {path: rank for rank, path in enumerate(dict.fromkeys(source.scope.path for source in there))}
    in_time = sorted(there, key=lambda source: (paths[source.scope.path], source.log_key))
    return [_entry(source, messages[source.place]) for source in in_time]


def shortened(text: str, size: int = MAX_CHARACTERS) -> str:
    """The text, or its start with an ellipsis, of at most `size` characters and cut between what readers see as two."""
    if len(text) <= size:
        return text
    end = size - len(_ELLIPSIS)
    for cut in range(end, max(0, end - _LONGEST_CLUSTER), -1):
        if _is_boundary(text, cut):
            return text[:cut].rstrip() + _ELLIPSIS
    return text[:end] + _ELLIPSIS


def _entry(source: Source, message: Message) -> dict[str, Any]:
    return {
        "unit": {
            "id": message.message_id,
            "text": shortened(message.content),
            "scope": source.scope.to_json(),
            "created_at": format_ms(message.timestamp_ms),
        },
        "score": source.score,
        "source": "message",
        **({"neighbour": True} if source.neighbour else {}),
    }


def _is_boundary(text: str, cut: int) -> bool:
    """Whether two clusters meet at `cut`: the main rules of Unicode's UAX 29, flags by counting their letters."""
    before, after = text[cut - 1], text[cut]
    if before == _JOINER or _extends(after):
        return False
    return not (_is_flag_letter(after) and _flag_letters_before(text, cut) % 2)


def _extends(character: str) -> bool:
    return (
        character == _JOINER
        or unicodedata.category(character) in ("Mn", "Me", "Mc")
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # skin tones
        or "\u1160" <= character <= "\u11ff"  # vowels and finals of hangul
        or "\udc00" <= character <= "\udfff"  # the second half of a pair that was not joined
        or "\U000e0020" <= character <= "\U000e007f"  # tags of regional flags
    )


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_letters_before(text: str, cut: int) -> int:
    start = cut
    while start > 0 and cut - start < _LONGEST_CLUSTER and _is_flag_letter(text[start - 1]):
        start -= 1
    return cut - start
