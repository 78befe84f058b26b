"""What retrieval.py prints: recall by category with and without reranking side by side, times, and what was counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.bench.asked import Asked
from tests.bench.corpora import CATEGORIES, Corpus
from tests.bench.figures import ALL_TEN, MRR, half_width, means, percentile
from tests.bench.results_file import table
from tests.bench.served import Indexed

ADVERSARIAL = 5
NAMES = {True: "on", False: "off"}
ACROSS_COLUMNS = {"recall@1": MRR, "recall@5": "turn all@5", "recall@10": ALL_TEN, MRR: MRR}


@dataclass(frozen=True)
class Run:
    """All that one corpus brought; `bare_rate` is texts per second of the embedder alone, 0 if it was not measured."""

    corpus: Corpus
    indexed: Indexed
    bare_rate: float
    asked: list[Asked]
    unreachable: int


def counted(runs: Sequence[Run]) -> str:
    """What there is, and what was left out."""
    header = ["file", "languages", "conversations", "turns", "questions", "skipped", "ids dropped", "no memory"]
    return table(header, map(_counts, runs))


def _counts(run: Run) -> list[str]:
    corpus, labels = run.corpus, run.corpus.labels.values()
    numbers = (
        len(corpus.conversations),
        len(corpus.messages),
        len(corpus.questions),
        sum(each.skipped for each in labels),
        sum(each.dropped for each in labels),
        run.unreachable,
    )
    return [corpus.name, corpus.languages, *map(str, numbers)]


def recall(run: Run) -> str:
    """A line for each category and setting, then the averages over questions."""
    columns = list(run.asked[0].figures)
    return table(["category", "rerank", "questions", *columns], _recall_lines(run, columns))


def _recall_lines(run: Run, columns: Sequence[str]) -> Iterator[list[str]]:
    for name, rows in _groups(run):
        for rerank, title in NAMES.items():
            chosen = [each.figures for each in rows if each.rerank is rerank]
            mean = means(chosen)
            yield [name, title, str(len(chosen)), *(_shown(column, mean[column]) for column in columns)]


def _groups(run: Run) -> Iterator[tuple[str, list[Asked]]]:
    for category, name in sorted(run.corpus.categories.items()):
        rows = [each for each in run.asked if each.question.category == category]
        if rows:
            yield f"{category} {name}", rows
    if run.corpus.categories == CATEGORIES:
        yield "**1-4**", [each for each in run.asked if each.question.category != ADVERSARIAL]
        yield "**1-5**", run.asked


def _shown(column: str, value: float) -> str:
    return f"{value:.3f}" if column == MRR else f"{100 * value:.1f}"


def interval(runs: Sequence[Run]) -> str:
    """How far the first figure of the goals may be off by the choice of questions."""
    parts = []
    for run in runs:
        values = [each.figures[ALL_TEN] for each in run.asked if each.rerank]
        parts.append(f"{run.corpus.name} {100 * half_width(values):.1f}")
    return f"95 % interval of {ALL_TEN} over all questions, plus or minus points: {', '.join(parts)}.\n"


def across(run: Run) -> str:
    """Directions, with recall at 1: every memory is the one right answer to its question."""
    return table(["direction", "rerank", "questions", "recall@1", "recall@5", "recall@10", MRR], _across_lines(run))


def _across_lines(run: Run) -> Iterator[list[str]]:
    for name, rows in [*_groups(run), ("**both**", run.asked)]:
        for rerank, title in NAMES.items():
            chosen = [each.figures for each in rows if each.rerank is rerank]
            first = sum(figures[MRR] == 1 for figures in chosen) / len(chosen)
            mean = means(chosen)
            shown = [f"{value:.2f}" for value in (first, mean["turn all@5"], mean[ALL_TEN])]
            yield [name, title, str(len(chosen)), *shown, f"{mean[MRR]:.3f}"]


def index_times(runs: Sequence[Run]) -> str:
    """From the first add to the end of the last task, next to embedding as many texts and nothing else."""
    header = [
        "file",
        "memories",
        "seconds",
        "memories/s",
        "embedder alone, one thread, texts/s",
        "time to that of embedding",
    ]
    return table(header, map(_index_line, runs))


def _index_line(run: Run) -> list[str]:
    rate = run.indexed.memories / run.indexed.seconds
    bare = [f"{run.bare_rate:.0f}", f"{run.bare_rate / rate:.2f}"] if run.bare_rate else ["", ""]
    return [run.corpus.name, str(run.indexed.memories), f"{run.indexed.seconds:.1f}", f"{rate:.0f}", *bare]


def search_times(runs: Iterable[Run], server_ms: Mapping[str, float]) -> str:
    """Percentiles of the server's own record (whole milliseconds) and of the caller's clock."""
    asked = [each for run in runs for each in run.asked]
    header = [
        "rerank",
        "query embedded",
        "searches",
        "server p50 ms",
        "server p95 ms",
        "caller p50 ms",
        "caller p95 ms",
    ]
    return table(header, _time_lines(asked, server_ms))


def _time_lines(asked: Sequence[Asked], server_ms: Mapping[str, float]) -> Iterator[list[str]]:
    for rerank, title in NAMES.items():
        for fresh, counts in ((True, "now"), (False, "before")):
            chosen = [each.found for each in asked if each.rerank is rerank and each.fresh is fresh]
            server = [server_ms[found.call_id] for found in chosen if found.call_id in server_ms]
            if server:
                here = [1_000 * found.seconds for found in chosen]
                shown = [f"{percentile(values, share):.1f}" for values in (server, here) for share in (0.5, 0.95)]
                yield [title, counts, str(len(chosen)), *shown]
