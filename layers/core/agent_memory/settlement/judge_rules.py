"""The judge without a model: of two claims about one thing, the one with the newer evidence holds.

Only claims of one owner and one attribute meet here, and those without an attribute if one denies the very sentence of
the other. `_meet` has the table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent_memory.claims.content import share
from agent_memory.claims.dates import dates_missing
from agent_memory.claims.names import names_missing, words_of
from agent_memory.claims.numbers import numbers_missing
from agent_memory.claims.reading import read
from agent_memory.dates_in_text.time_phrases import resolve
from agent_memory.settlement.differences import differences
from agent_memory.settlement.duplicates import duplicate_of, same_but_for_polarity
from agent_memory.text import normalised

Action = Literal["write", "skip", "replace", "late"]
_Meeting = Literal["apart", "same", "more", "against"]

_REVERSED_BY_TEXT = frozenset(("preference", "profile", "agreement", "task"))
_COUNTED_BY_TEXT = frozenset(("profile", "agreement"))
_LEAST_RETOLD = 0.6  # of the content of a memory, for one that tells more to take its place
_ARTICLE = re.compile(r"^(?:an?|the)\s+")
_AREA_ENDS = "市省区县镇"


@dataclass(frozen=True, slots=True)
class Held:
    """A claim as the judge sees it, stored or new; `said_at_ms` is when its newest evidence was said.

    `happened_ms` is the past date that it names itself ("I moved to York in 2015"), None for none.
    """

    id: str
    owner: str
    attribute: str | None
    value: str | None
    negated: bool
    state: str | None
    kind: str
    text: str
    said_at_ms: int
    version: int = 0
    happened_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a new claim.

    "write"; "skip", since `same` tells it already; "replace": write it and retire those in `retire`; "late": write it
    as superseded by `same`, whose evidence is newer. `retire` may hold older ones for "late" too.
    """

    action: Action
    retire: tuple[str, ...] = ()
    same: str | None = None


def judge(new: Held, held: Sequence[Held]) -> Verdict:
    """The verdict on a new claim, given current ones in the order in which they were written.

    At equal times the new one counts as newer.
    """
    meetings = [(each, _meet(new, each)) for each in held if normalised(each.owner) == normalised(new.owner)]
    against = [each for each, meeting in meetings if meeting == "against"]
    newer = [each for each in against if _is_newer(each, new)]
    same = [each for each, meeting in meetings if meeting == "same"]
    more = [each for each, meeting in meetings if meeting == "more" and each.said_at_ms <= new.said_at_ms]
    older = tuple(each.id for each in against if not _is_newer(each, new))
    if same and not older:
        return Verdict("skip", same=same[-1].id)
    if newer:
        return Verdict("late", retire=older, same=max(newer, key=lambda each: each.said_at_ms).id)
    retire = older + tuple(each.id for each in (*same, *more))
    return Verdict("replace", retire=retire) if retire else Verdict("write")


def _is_newer(one: Held, other: Held) -> bool:
    """By the dates that they name where both do, else by when they were said."""
    if one.happened_ms is not None and other.happened_ms is not None and one.happened_ms != other.happened_ms:
        return one.happened_ms > other.happened_ms
    return one.said_at_ms > other.said_at_ms


def _meet(new: Held, old: Held) -> _Meeting:
    """How two claims of one owner stand to each other.

    | attribute | value   | negated | state | meeting |
    |-----------|---------|---------|-------|---------|
    | other     |         |         |       | apart |
    | none      |         |         |       | by the text: same, more, or against if only polarity differs |
    | same      | same    | same    | same  | same; if the text adds a detail: more, or apart if it drops others |
    | same      | same    | other   |       | against |
    | same      | same    | same    | other | against: what was planned is done |
    | same      | other   | neither |       | against |
    | same      | other   | one     |       | apart: not to live in Leeds says nothing of York |
    | same      | none in one, negated there only | | | against: no job at all |

    An event is never against anything, nor anything against an event.
    """
    if new.attribute is None or old.attribute is None:
        return _meet_by_text(new, old) if new.attribute == old.attribute else "apart"
    if normalised(new.attribute) != normalised(old.attribute):
        return "apart"
    return _eventless(new, old, _meet_by_value(new, old))


def _eventless(new: Held, old: Held, meeting: _Meeting) -> _Meeting:
    return "apart" if "event" in (new.kind, old.kind) and meeting in ("against", "more") else meeting


def _meet_by_value(new: Held, old: Held) -> _Meeting:
    if new.value is None and old.value is None:
        is_same = not (_are(new, old, _COUNTED_BY_TEXT) and "number" in differences(new.text, old.text))
    elif new.value is None or old.value is None:
        denying, other = (new, old) if new.value is None else (old, new)
        return "against" if denying.negated and not other.negated else "apart"
    else:
        is_same = same_value(new.value, old.value)
    if not is_same:
        return "apart" if new.negated or old.negated else "against"
    if new.negated != old.negated or (new.state and old.state and new.state != old.state):
        return "against"
    return _compare_telling(new, old)


def _meet_by_text(new: Held, old: Held) -> _Meeting:
    if _are(new, old, _REVERSED_BY_TEXT) and same_but_for_polarity(new.text, old.text):
        return "against"
    found = duplicate_of(new.text, [old.text])
    if found is None or new.negated != old.negated or _when(new) != _when(old):
        return "apart"
    if new.state and old.state and new.state != old.state:
        return "apart"
    return _eventless(new, old, "more") if found.tells_more else "same"


def _compare_telling(new: Held, old: Held) -> _Meeting:
    """Whether the new text of the same claim adds a number, date or name, and then makes the old one idle."""
    if not _has_details_beyond(new.text, old.text):
        return "same"
    retold = share(old.text, [new.text])
    is_idle = not _has_details_beyond(old.text, new.text) and (retold is None or retold >= _LEAST_RETOLD)
    return "more" if is_idle else "apart"


def _has_details_beyond(text: str, other: str) -> bool:
    mine, its = read(text), read(other)
    return bool(
        numbers_missing(mine.numbers, its.numbers)
        or dates_missing(mine.dates, its.dates)
        or [name for name in names_missing(mine.names, words_of([its.plain])) if not name.apposed]
    )


def same_value(one: str, other: str) -> bool:
    """Whether two values are one but for case, width, articles and what only places it ("york, uk", 北京市)."""
    mine, its = (_ARTICLE.sub("", normalised(value)) for value in (one, other))
    if mine == its:
        return True
    shorter, longer = sorted((mine, its), key=len)
    if longer.startswith(shorter) and longer[len(shorter) :] in {*_AREA_ENDS}:
        return True
    if longer.startswith((f"{shorter}, ", f"{shorter},")) and not any(
        each.isdigit() for each in longer[len(shorter) :]
    ):
        return True
    found = duplicate_of(mine, [its])
    return found is not None and found.rule in ("exact", "contains") and not found.tells_more


def _are(new: Held, old: Held, kinds: frozenset[str]) -> bool:
    return new.kind in kinds and old.kind in kinds


def _when(claim: Held) -> list[str]:
    """The dates that the phrases of its text mean: "yesterday" said on two days is two events."""
    return [phrase.date for phrase in resolve(claim.text, claim.said_at_ms)]
