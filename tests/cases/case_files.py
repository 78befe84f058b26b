"""Cases as their files hold them, one JSON object a line: what to do step by step, and what is right then."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OWN = Path(__file__).with_name("own.jsonl")
HANDED = Path(
    os.environ.get("AGENT_MEMORY_CASES") or Path(__file__).parents[3] / "shared" / "cases" / "cases.jsonl"
)  # beside the checkout

FOR_PEOPLE = ("rule",)  # says why, in words


class NotServed(Exception):
    """The case asks for something that the service or the driver does not have (yet)."""


@dataclass(frozen=True)
class Case:
    """One case. `expected` holds only what a check can judge."""

    id: str
    kind: str
    steps: tuple[dict[str, Any], ...]
    expected: dict[str, Any]
    model: dict[str, Any]  # a script for a language model, whose steps all share it

    @property
    def ranks(self) -> bool:
        """Whether the case is about what a text means, so that words alone do not do."""
        return "top1Contains" in self.expected

    def without(self, parts: frozenset[str]) -> Case:
        """The case without those keys of `expected`, and without the steps that only serve them."""
        steps = tuple(step for step in self.steps if not parts & step.keys())
        expected = {key: wanted for key, wanted in self.expected.items() if key not in parts}
        return Case(self.id, self.kind, steps, expected, self.model)


def read_cases(path: Path) -> list[Case]:
    """The cases of a file in its order; none where there is no file."""
    if not path.is_file():
        return []
    return [_case(json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _case(written: dict[str, Any]) -> Case:
    given = dict(written["input"])
    steps = tuple(given.pop("steps"))
    expected = {key: wanted for key, wanted in written["expected"].items() if key not in FOR_PEOPLE}
    return Case(written["id"], written["kind"], steps, expected, given)
