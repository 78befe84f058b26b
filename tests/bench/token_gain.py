"""What token vectors buy: the best 50 of each question ordered anew, by several weights of the closer look.

    python -m tests.bench.token_gain DATA...

The weights of the ranker are the packaged ones, so figures of the data that those were fitted on say only how the
columns differ.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from agent_memory.adapters.e5_embedder import E5Embedder
from agent_memory.adapters.e5_tokens import E5TokenEmbedder
from agent_memory.retrieval import token_rank
from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.hits import SearchQuery
from agent_memory.settings import default_model_dir
from tests.bench.corpora import Corpus, across_languages, read_corpus
from tests.bench.judged import NOW_MS, indexed_talk

WEIGHTS = (0.0, 5.0, 10.0, 15.0, 20.0, 30.0)
FIGURES = ("turn all@10", "turn R@10", "MRR", "recall@1", "session any@5", "session all@5")


def outcomes(corpus: Corpus, embedder: E5Embedder) -> tuple[np.ndarray, float]:
    """(weights, questions, figures), and the bytes of token vectors per memory."""
    tokens = E5TokenEmbedder(embedder.network)
    rows, sizes = [], []
    for talk in corpus.conversations:
        index, turn_of, text_of = indexed_talk(talk, embedder)
        found = dict(zip(text_of, tokens.embed_tokens(list(text_of.values()), "passage"), strict=True))
        sizes += [each.nbytes for each in found.values()]
        session_of = corpus.session_of[talk.name]
        for question in corpus.labels[talk.name].questions:
            vector = embedder.embed([question.text], "query")[0]
            (asked,) = tokens.embed_tokens([question.text], "query")
            hits = index.search(SearchQuery(question.text, vector, Selection(now_ms=NOW_MS), top_k=50))
            scores = [hit.score for hit in hits]
            row = []
            for weight in WEIGHTS:
                moved = token_rank.token_scores(scores, asked, [found[hit.id] for hit in hits], weight)
                order = sorted(range(len(hits)), key=lambda place: -moved[place])
                turns = list(dict.fromkeys(turn_of[hits[place].id] for place in order))
                row.append(figures(turns, question.evidence, session_of))
            rows.append(row)
    return np.array(rows).transpose(1, 0, 2), float(np.mean(sizes))


def figures(turns: list[str], evidence: frozenset[str], session_of: dict[str, str]) -> list[float]:
    """Of one question, in the order of FIGURES."""
    best = set(turns[:10])
    first = next((1 / place for place, turn in enumerate(turns, 1) if turn in evidence), 0.0)
    sessions = set(list(dict.fromkeys(session_of[turn] for turn in turns))[:5])
    wanted = {session_of[turn] for turn in evidence}
    return [
        float(evidence <= best),
        len(evidence & best) / len(evidence),
        first,
        float(turns[0] in evidence) if turns else 0.0,
        float(bool(wanted & sessions)),
        float(wanted <= sessions),
    ]


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="*")
    options = parser.parse_args()
    embedder = E5Embedder(default_model_dir())
    for corpus in (*(read_corpus(path, None) for path in options.data), across_languages()):
        found, size = outcomes(corpus, embedder)
        print(f"{corpus.name}: {found.shape[1]} questions, {size:,.0f} bytes of token vectors a memory")
        print(f"{'weight':>8}" + "".join(f"{name:>15}" for name in FIGURES))
        for weight, row in zip(WEIGHTS, found.mean(axis=1), strict=True):
            print(f"{weight:8.0f}" + "".join(f"{100 * value:15.1f}" for value in row))


if __name__ == "__main__":
    main()
