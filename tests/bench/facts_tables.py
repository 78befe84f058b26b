"""What facts.py prints: one table over languages and ways to extract, and a list of what a person has to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent_memory.extraction.facts import Fact
from agent_memory.language_model import NOTHING_SPENT
from tests.bench.facts_labels import Label, Verdict, judged
from tests.bench.facts_runs import Ran
from tests.bench.results_file import table

HEADER = [
    "language, by",
    "dialogues",
    "wanted",
    "found",
    "missed",
    "recall",
    "facts",
    "right",
    "wrong",
    "other",
    "precision",
    "kind right",
    "refused",
    "failed",
    "calls",
    "tokens in",
    "tokens out",
    "seconds",
]


@dataclass(frozen=True)
class Way:
    """All dialogues of a language, extracted in one way."""

    language: str
    by: str
    ran: tuple[Ran, ...]
    seconds: float

    @property
    def verdicts(self) -> list[Verdict]:
        """One for each dialogue."""
        return [judged(each.dialogue, each.facts) for each in self.ran]

    @property
    def refused(self) -> Counter[str]:
        """How many facts of the model were not taken, by reason."""
        return sum((Counter(each.refused) for each in self.ran), Counter[str]())


def quality(ways: Sequence[Way]) -> str:
    """Counts, shares and costs, a line for each way."""
    return table(HEADER, map(_row, ways))


def refusals(ways: Sequence[Way]) -> str:
    """A line for each way in which facts were refused, or whole answers."""
    lines = [
        f"{way.language}, {way.by}: {', '.join(f'{count} {reason}' for reason, count in told)}."
        for way in ways
        if (told := [*way.refused.most_common(), *Counter(each.failed for each in way.ran if each.failed).items()])
    ]
    return "\n".join(f"- {line}" for line in lines)


def listing(way: Way) -> Iterator[str]:
    """What is wrong, what was missed, and what no label speaks of."""
    for ran, verdict in zip(way.ran, way.verdicts, strict=True):
        head = f"{ran.dialogue.name} {way.by}"
        yield from (f"{head} wrong:  {_told(fact)}" for fact in verdict.wrong)
        yield from (f"{head} other:  {_told(fact)}" for fact in verdict.other)
        yield from (f"{head} missed: {_asked(label)}" for label in verdict.missed)


def _row(way: Way) -> list[str]:
    verdicts = way.verdicts
    found, missed = (sum(map(len, lists)) for lists in zip(*((v.found, v.missed) for v in verdicts), strict=True))
    right, wrong, other = (
        sum(map(len, lists)) for lists in zip(*((v.right, v.wrong, v.other) for v in verdicts), strict=True)
    )
    spent = sum((each.spent for each in way.ran), NOTHING_SPENT)
    return [
        f"{way.language}, {way.by}",
        *map(str, (len(way.ran), found + missed, found, missed)),
        _share(found, found + missed),
        *map(str, (right + wrong + other, right, wrong, other)),
        _share(right, right + wrong),
        _share(sum(verdict.sorted_right for verdict in verdicts), right),
        *map(str, (way.refused.total(), sum(bool(each.failed) for each in way.ran))),
        *map(str, (spent.calls, spent.input_tokens, spent.output_tokens)),
        f"{way.seconds:.1f}",
    ]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "-"


def _told(fact: Fact) -> str:
    no = "not, " if fact.negated else ""
    return f"[{fact.owner}, {no}{fact.kind}, {fact.attribute}={fact.value}, {fact.state}] {fact.text}"


def _asked(label: Label) -> str:
    return f"[{'|'.join(label.owners)}] {' + '.join(label.words)}"
