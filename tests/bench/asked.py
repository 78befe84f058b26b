"""The questions of a corpus put to the service, with and without reranking, and what each brought."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench.corpora import Corpus
from tests.bench.figures import figures_of
from tests.bench.labels import Labelled
from tests.bench.served import Bench, Found

SETTINGS = (True, False)  # enableRerank
BATCH = 20
SAMPLE = 400


@dataclass(frozen=True)
class Asked:
    """One search. `fresh`: its query was not embedded just before; `ranks` of the labelled turns, 0 for not found."""

    conversation: str
    question: Labelled
    rerank: bool
    fresh: bool
    found: Found
    figures: dict[str, float]

    @property
    def ranks(self) -> dict[str, int]:
        """By turn, counted from 1."""
        places = {turn: rank for rank, turn in enumerate(self.found.turns, 1)}
        return {turn: places.get(turn, 0) for turn in sorted(self.question.evidence)}


def ask_all(bench: Bench, corpus: Corpus) -> list[Asked]:
    """Each question twice in a row; the settings take turns at being first, when the query is not in the cache."""
    results = []
    for talk in corpus.conversations:  # the first search of a tenant loads its index, which is not search time
        bench.search(corpus, talk.name, "warm up", rerank=True)
    for number, (conversation, question) in enumerate(corpus.questions):
        for rerank in SETTINGS if number % 2 else reversed(SETTINGS):
            fresh = rerank is bool(number % 2)
            found = bench.search(corpus, conversation, question.text, rerank=rerank)
            figures = figures_of(found.turns, question.evidence, corpus.session_of[conversation])
            results.append(Asked(conversation, question, rerank, fresh, found, figures))
    return results


def bare_embedding_rate(texts: Sequence[str]) -> float:
    """Texts per second of the packaged embedder alone, in batches as the worker gets them; from every n-th text."""
    from agent_memory.adapters.e5_embedder import E5Embedder
    from agent_memory.settings import default_model_dir

    embedder = E5Embedder(default_model_dir())
    embedder.embed(["warm up"], "passage")
    sample = texts[:: max(1, len(texts) // SAMPLE)]
    started = time.perf_counter()
    for start in range(0, len(sample), BATCH):
        embedder.embed(sample[start : start + BATCH], "passage")
    return len(sample) / (time.perf_counter() - started)
