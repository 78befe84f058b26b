"""Judged questions as the ranker sees them: features of every candidate, and which of them answer the question.

    python -m tests.bench.judged judged.npz locomo.json ...

writes what `python -m agent_memory.retrieval.ranker_fit judged.npz` fits the weights to.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agent_memory.adapters.e5_embedder import E5Embedder
from agent_memory.extraction.by_rules import extract_by_rules
from agent_memory.models import Message
from agent_memory.retrieval.block import IndexedUnit
from agent_memory.retrieval.features import features
from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.hits import SearchQuery
from agent_memory.retrieval.ranker import completed, packaged_ranker
from agent_memory.retrieval.ranking import first_look_at, is_foreign
from agent_memory.retrieval.tenant_index import TenantIndex
from agent_memory.settings import default_model_dir
from agent_memory.times import parse_rfc3339
from tests.bench.corpora import Corpus, read_corpus
from tests.bench.labels import Labelled
from tests.clients.conversations import Conversation

if TYPE_CHECKING:
    from agent_memory.ports import Embedder

NOW_MS = 1_796_083_200_000  # the end of 2026: fixed, so that a second run gives the same


@dataclass
class Judged:
    """A question of a conversation: its candidates (rows of the index), their features, and which are labelled."""

    talk: str
    category: int
    features: dict[str, np.ndarray]
    answers: np.ndarray
    session: np.ndarray
    text: str
    rows: np.ndarray


Built = tuple[TenantIndex, dict[str, str], dict[str, str]]


def judged(corpus: Corpus, embedder: Embedder) -> Iterator[Judged]:
    """Every question with a label among the memories."""
    for talk in corpus.conversations:
        yield from judged_talk(talk, corpus.labels[talk.name].questions, indexed_talk(talk, embedder), embedder)


def judged_talk(talk: Conversation, asked: Sequence[Labelled], built: Built, embedder: Embedder) -> Iterator[Judged]:
    """The questions of one conversation, given as `indexed_talk` gives it."""
    index, turn_of, _ = built
    rows = index.rows
    turns = np.array([turn_of[rows.id_of(row)] for row in range(rows.size)])
    vectors = embedder.embed([question.text for question in asked], "query")
    for question, vector in zip(asked, vectors, strict=True):
        query = SearchQuery(question.text, vector, Selection(now_ms=NOW_MS))
        look = first_look_at(rows, query)
        if look is None:
            continue
        chosen = look.chosen
        found = features(rows, look.asked(vector), chosen)
        filled = completed(packaged_ranker(), found, is_foreign(rows, chosen, look.question))
        answers = np.isin(turns[chosen], list(question.evidence))
        yield Judged(talk.name, question.category, filled, answers, rows.scope_codes[chosen], question.text, chosen)


def indexed_talk(talk: Conversation, embedder: Embedder) -> Built:
    """The conversation as the rule-based extraction stores it; the turn and the text of each memory by id."""
    units: list[IndexedUnit] = []
    turn_of: dict[str, str] = {}
    for run, sent in talk.sessions.items():
        messages = [_message(each) for each in sent]
        for candidate in extract_by_rules(messages).candidates:
            turn = messages[candidate.sources[0]]
            name = hashlib.md5(f"{talk.name}/{turn.message_id}/{candidate.text}".encode()).hexdigest()
            turn_of[name] = turn.message_id
            units.append(
                IndexedUnit(
                    id=name,
                    scope=("bench", talk.name, "bench", run),
                    search_text=candidate.search_text,
                    speaker=candidate.speaker,
                    embedding_model=embedder.model,
                    created_ms=turn.timestamp_ms,
                    turn=True,
                    place=turn.timestamp_ms.to_bytes(8, "big") + candidate.sources[0].to_bytes(16, "big"),
                )
            )
    vectors = embedder.embed([unit.search_text for unit in units], "passage")
    index = TenantIndex(embedder.model, embedder.dim)
    index.apply([replace(unit, vector=vector) for unit, vector in zip(units, vectors, strict=True)], [])
    return index, turn_of, {unit.id: unit.search_text for unit in units}


def _message(sent: dict[str, str]) -> Message:
    return Message(
        message_id=sent["messageId"],
        role=sent["role"],
        speaker=sent.get("speaker", sent["role"]),
        content=sent["content"],
        timestamp_ms=parse_rfc3339(sent["timestamp"]),
    )


def save(path: Path, questions: list[Judged]) -> None:
    """One row per candidate; questions follow each other, `sizes` long each."""
    names = sorted(questions[0].features)
    np.savez_compressed(
        path,
        names=np.array(names),
        features=np.concatenate([np.stack([each.features[name] for name in names], 1) for each in questions]),
        answers=np.concatenate([each.answers for each in questions]),
        sessions=np.concatenate([each.session for each in questions]),
        sizes=np.array([len(each.answers) for each in questions]),
        talks=np.array([each.talk for each in questions]),
        categories=np.array([each.category for each in questions]),
    )


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    options = parser.parse_args()
    embedder = E5Embedder(default_model_dir())
    found = [each for path in options.data for each in judged(read_corpus(path, None), embedder)]
    save(options.out, found)
    print(f"{len(found)} questions, {sum(len(each.answers) for each in found)} candidates")


if __name__ == "__main__":
    main()
