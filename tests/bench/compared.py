"""One corpus put to all systems by turns, so that a busy moment of the machine hits all alike."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.bench.corpora import Corpus
from tests.bench.figures import figures_of
from tests.bench.in_process import InProcess
from tests.bench.labels import Labelled
from tests.bench.systems import PeerFailed, PeerProcess, System, said

BLOCK = 10  # questions that one system answers in a row
BATCH = 20


@dataclass(frozen=True)
class Outcome:
    """One question answered by one system; `seconds` without the embedding of the query, `embedding` that alone."""

    category: int
    figures: dict[str, float]
    seconds: float
    embedding: float


@dataclass(frozen=True)
class Compared:
    """What a corpus brought, by the name of the system; `failed` says why one is missing."""

    corpus: Corpus
    asked: int
    index_seconds: Mapping[str, float]
    outcomes: Mapping[str, list[Outcome]]
    failed: Mapping[str, str]


def compare(ours: InProcess, peers: Sequence[PeerProcess], corpus: Corpus, most: int | None, folder: Path) -> Compared:
    """Embed, index and ask, at most `most` questions, drawn evenly."""
    asked = _drawn(corpus.questions, most)
    firsts = [talk.questions[0].text for talk in corpus.conversations]
    embedding = ours.embed_queries(list(dict.fromkeys([*firsts, *(question.text for _, question in asked)])))
    _hand_over(ours, peers, corpus, list(embedding), folder)
    systems: list[System] = [ours, *peers]
    failed: dict[str, str] = {}
    index_seconds = {system.name: _indexed(system, corpus, failed) for system in systems}
    outcomes: dict[str, list[Outcome]] = {system.name: [] for system in systems}
    for number, block in enumerate(_blocks(asked)):
        first = number % len(systems)
        for system in (*systems[first:], *systems[:first]):
            if system.name not in failed:
                outcomes[system.name] += _outcomes(system, block, corpus, embedding, failed)
    kept = {name: each for name, each in outcomes.items() if name not in failed}
    return Compared(corpus, len(asked), index_seconds, kept, failed)


def _drawn(questions: Sequence[tuple[str, Labelled]], most: int | None) -> Sequence[tuple[str, Labelled]]:
    if most is None or most >= len(questions):
        return questions
    return [questions[number * len(questions) // most] for number in range(most)]


def _hand_over(ours: InProcess, peers: Sequence[PeerProcess], corpus: Corpus, queries: list[str], folder: Path) -> None:
    passages = list(dict.fromkeys(said(message) for message in corpus.messages))
    rows = [ours.vectors.embed(passages[start : start + BATCH], "passage") for start in range(0, len(passages), BATCH)]
    place = folder / corpus.name.replace(" ", "-")
    np.save(f"{place}.npy", np.concatenate([*rows, ours.embedder.embed(queries, "query")]))
    Path(f"{place}.json").write_text(json.dumps(passages + queries), encoding="utf-8")
    for peer in peers:
        peer.learn(place)


def _indexed(system: System, corpus: Corpus, failed: dict[str, str]) -> float:
    language = "zh" if corpus.languages.startswith("zh") else "en"
    try:
        seconds = sum(system.index(talk, language) for talk in corpus.conversations)
    except PeerFailed as failure:
        failed[system.name] = str(failure)
        print(f"{corpus.name}: {system.name} failed: {failure}", file=sys.stderr, flush=True)
        return 0.0
    print(f"{corpus.name}: {system.name} indexed, {seconds:.1f} s", file=sys.stderr, flush=True)
    return seconds


def _blocks(asked: Sequence[tuple[str, Labelled]]) -> Iterator[Sequence[tuple[str, Labelled]]]:
    """Questions of one conversation."""
    for tenant in dict.fromkeys(tenant for tenant, _ in asked):
        own = [each for each in asked if each[0] == tenant]
        yield from (own[start : start + BLOCK] for start in range(0, len(own), BLOCK))


def _outcomes(
    system: System,
    block: Sequence[tuple[str, Labelled]],
    corpus: Corpus,
    embedding: Mapping[str, float],
    failed: dict[str, str],
) -> Iterator[Outcome]:
    """The last question is asked once before, since others had the processor meanwhile."""
    try:
        system.search(block[-1][0], block[-1][1].text)
        for tenant, question in block:
            answer = system.search(tenant, question.text)
            figures = figures_of(answer.turns, question.evidence, corpus.session_of[tenant])
            yield Outcome(question.category, figures, answer.seconds, embedding[question.text])
    except PeerFailed as failure:
        failed[system.name] = str(failure)
