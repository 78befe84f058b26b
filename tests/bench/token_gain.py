"""What token vectors buy: the best 50 of each question, ordered anew with the weight that the other conversations give.

    python -m tests.bench.token_gain DATA...

The weights of the ranker are those that never saw the conversation, and so is that of the tokens, which
`token_rank.WEIGHT` holds as fitted to all of them. Our own memories across languages are ranked by the weights of all.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agent_memory.adapters.e5_embedder import E5Embedder
from agent_memory.adapters.e5_tokens import E5TokenEmbedder
from agent_memory.retrieval.maxsim import telling_maxsim
from agent_memory.retrieval.ranker_data import Data, read
from agent_memory.retrieval.ranker_fit import calibrate, fit
from agent_memory.settings import default_model_dir
from tests.bench.corpora import ACROSS, Corpus, across_languages, read_corpus
from tests.bench.judged import Judged, indexed_talk, judged_talk, save
from tests.bench.left_out import outcome

WINDOW = 50
WEIGHTS = np.arange(0, 12.05, 0.1)
FIGURES = ("turn all@10", "turn all@50", "turn R@10", "session any@5", "session all@5", "MRR", "recall@1")
EVERYONE = ""  # no conversation is left out


@dataclass
class Asked:
    """A question, and of each memory of its index the token vectors."""

    judged: Judged
    tokens: np.ndarray
    known: list[np.ndarray]


@dataclass
class Window:
    """The best of a question: logits of the ranker, nearness of the tokens, answers, sessions.

    `lost` are the sessions of the answers that are not among them.
    """

    talk: str
    local: np.ndarray
    near: np.ndarray
    answers: np.ndarray
    sessions: np.ndarray
    lost: np.ndarray


def asked(corpus: Corpus, embedder: E5Embedder, tokens: E5TokenEmbedder) -> list[Asked]:
    """All questions of the file."""
    found = []
    for talk in corpus.conversations:
        built = indexed_talk(talk, embedder)
        index, _, text_of = built
        known = tokens.embed_tokens([text_of[index.rows.id_of(row)] for row in range(index.rows.size)], "passage")
        judged = list(judged_talk(talk, corpus.labels[talk.name].questions, built, embedder))
        queries = tokens.embed_tokens([each.text for each in judged], "query")
        found += [Asked(each, query, known) for each, query in zip(judged, queries, strict=True)]
    return found


def local_weights(questions: list[Judged]) -> tuple[tuple[str, ...], dict[str, tuple[np.ndarray, float]]]:
    """Names of the features; by conversation, the ranker's weights without it and the scale of their logits."""
    with tempfile.TemporaryDirectory() as folder:
        save(Path(folder, "judged.npz"), questions)
        data = read([Path(folder, "judged.npz")])
    talks = [*sorted(set(data.talks.tolist())), EVERYONE]
    return data.names, {talk: _local(data, talk) for talk in talks}


def _local(data: Data, left_out: str) -> tuple[np.ndarray, float]:
    part = data.only(np.ones(len(data.answers), np.bool_), data.talks != left_out)
    weights = fit(part)
    return weights, calibrate(part, weights)[0]


def window(one: Asked, names: tuple[str, ...], weights: np.ndarray, scale: float) -> Window:
    """Its best memories by these weights."""
    judged = one.judged
    local = scale * (np.stack([judged.features[name] for name in names], 1) @ weights)
    best, rest = np.split(np.argsort(-local, kind="stable"), [WINDOW])
    lost = judged.session[rest][judged.answers[rest]]
    near = telling_maxsim(one.tokens, [one.known[row] for row in judged.rows[best]])
    return Window(judged.talk, local[best], near, judged.answers[best], judged.session[best], lost)


def best_weight(windows: list[Window]) -> float:
    """That under which the answers are likeliest, by the loss of `ranker_fit`."""
    gain = np.zeros(len(WEIGHTS))
    for each in windows:
        if each.answers.any():
            total = each.local[:, None] + each.near[:, None] * WEIGHTS
            total -= total.max(axis=0)
            share = total - np.log(np.exp(total).sum(axis=0))
            gain += share[each.answers].mean(axis=0) * np.sqrt(each.answers.sum())
    return float(WEIGHTS[gain.argmax()])


def figures(seen: Window, weight: float) -> list[float]:
    """In the order of FIGURES; answers outside of the window count as not found."""
    order = np.argsort(-(seen.local + weight * seen.near), kind="stable")
    answers = np.append(seen.answers[order], np.ones(len(seen.lost), np.bool_))
    sessions = np.append(seen.sessions[order], seen.lost)
    total = -np.arange(len(answers), dtype=np.float64)
    first = np.flatnonzero(seen.answers[order])
    rank = 1 / (1 + first[0]) if len(first) else 0.0
    return [*outcome(answers, sessions, total), float(rank), float(rank == 1)]


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+")
    options = parser.parse_args()
    embedder = E5Embedder(default_model_dir())
    tokens = E5TokenEmbedder(embedder)
    talks = {path.stem: asked(read_corpus(path, None), embedder, tokens) for path in options.data}
    names, local = local_weights([each.judged for questions in talks.values() for each in questions])
    every = {**talks, ACROSS.stem: asked(across_languages(), embedder, tokens)}
    seen = {
        name: [window(one, names, *local.get(one.judged.talk, local[EVERYONE])) for one in questions]
        for name, questions in every.items()
    }
    known = [each for name in talks for each in seen[name]]
    weight = {left: best_weight([each for each in known if each.talk != left]) for left in local}
    print(f"weight fitted to all: {weight[EVERYONE]:.1f}")
    for name, questions in every.items():
        sizes = {id(each.known): [one.nbytes for one in each.known] for each in questions}
        mean = np.mean([size for each in sizes.values() for size in each])
        print(f"{name}: {len(questions)} questions, {mean:,.0f} bytes of token vectors a memory")
        print(f"{'':10}" + "".join(f"{figure:>15}" for figure in FIGURES))
        for label, share in (("without", 0.0), ("with", 1.0)):
            rows = [
                figures(each, share * weight.get(each.talk, weight[EVERYONE]))
                for one, each in zip(questions, seen[name], strict=True)
                if one.judged.answers.any()
            ]
            print(f"{label:10}" + "".join(f"{100 * value:15.1f}" for value in np.mean(rows, axis=0)))


if __name__ == "__main__":
    main()
