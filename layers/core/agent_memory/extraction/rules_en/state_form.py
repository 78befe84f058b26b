"""The shape of a rule for a state, and pieces of expressions that several rules need."""

from __future__ import annotations

import re
from typing import NamedTuple


class State(NamedTuple):
    """A form of words and the attribute it fills; `{...}` in the attribute names a group of the form.

    `ends` for forms that tell of an end ("quit"); not `deniable` where the negative form says something else.
    """

    attribute: str
    form: re.Pattern[str]
    importance: int = 8
    ends: bool = False
    deniable: bool = True


def form(pattern: str) -> re.Pattern[str]:
    """The compiled pattern, to be matched at the start of a predicate."""
    return re.compile(pattern, re.IGNORECASE)


BE = r"(?:am|is|are|'s)"
HAVE = r"(?:(?:have|has|'ve) got|have|has|got)"
NUMBER = r"\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve"
