"""The tables of the comparison with peers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.bench.compared import Compared, Outcome
from tests.bench.figures import AVERAGE, means, percentile
from tests.bench.in_process import InProcess
from tests.bench.results_file import table
from tests.bench.systems import HYBRID, KEYWORD, WRITES

ADVERSARIAL = 5
ALL_CATEGORIES = ("turn all@10", "turn all@50", "session any@5", "session all@5")
OURS = InProcess.name
INDEX = 4  # where the index time stands among the times


def found(compared: Compared) -> str:
    """Recall by system."""
    header = ["", *ALL_CATEGORIES[:2], f"{AVERAGE}, categories 1-4", *ALL_CATEGORIES[2:]]
    rows = [[_bold(name), *_recall(outcomes)] for name, outcomes in compared.outcomes.items()]
    return table(header, rows)


def times(compared: Compared) -> str:
    """Search and index times by system, as multiples of the fastest peer's."""
    columns = {name: _times(compared, name) for name in compared.outcomes}
    peers = {name: each for name, each in columns.items() if name != OURS}
    fastest = [min((each[at] for each in peers.values()), default=0.0) for at in range(INDEX)]
    fastest.append(min((each[INDEX] for name, each in peers.items() if name in WRITES), default=0.0))
    rows = [
        [_bold(name), *(_multiple(value, best) for value, best in zip(each, fastest, strict=True)), *_absolute(each)]
        for name, each in columns.items()
    ]
    header = ["", "search p50", "p95", "with embedding p50", "p95", "index", "search p50 / p95, ms", "index, s"]
    return table(header, rows)


def reach(compared: Compared) -> str:
    """Ours over the faster of the two hybrid peers, without and with the embedding of the query."""
    rivals = [name for name in (HYBRID, KEYWORD) if name in compared.outcomes]
    if not rivals:
        return "Neither LanceDB hybrid nor mem0 with BM25 ran."
    ours = _times(compared, OURS)
    rival = min(rivals, key=lambda name: _times(compared, name)[0])
    best = _times(compared, rival)
    embedding = percentile([each.embedding for each in compared.outcomes[OURS]], 0.5)
    return (
        f"Our median search takes **{ours[0] / best[0]:.2f}** of that of {rival}, the faster of LanceDB hybrid and\n"
        f"mem0 with BM25; **{ours[2] / best[2]:.2f}** where the query's embedding is counted for both, which takes\n"
        f"{embedding * 1000:.1f} ms."
    )


def absent(reasons: Mapping[str, str]) -> str:
    """A list, or nothing."""
    return "\n".join(f"- {name} is not compared: {reason}" for name, reason in reasons.items())


def _recall(outcomes: Sequence[Outcome]) -> list[str]:
    all_categories = means([each.figures for each in outcomes])
    answerable = means([each.figures for each in outcomes if each.category != ADVERSARIAL])
    cells = [f"{100 * all_categories[name]:.1f}" for name in ALL_CATEGORIES]
    return [*cells[:2], f"{100 * answerable[AVERAGE]:.1f}" if answerable else "-", *cells[2:]]


def _times(compared: Compared, name: str) -> list[float]:
    bare = [each.seconds for each in compared.outcomes[name]]
    whole = [each.seconds + each.embedding for each in compared.outcomes[name]]
    searches = [percentile(values, share) for values in (bare, whole) for share in (0.5, 0.95)]
    return [*searches, compared.index_seconds[name]]


def _multiple(value: float, best: float) -> str:
    return f"{value / best:.2f}" if best else "-"


def _absolute(columns: Sequence[float]) -> list[str]:
    return [f"{columns[0] * 1000:.1f} / {columns[1] * 1000:.1f}", f"{columns[INDEX]:.1f}"]


def _bold(name: str) -> str:
    return f"**{name}**" if name == OURS else name
