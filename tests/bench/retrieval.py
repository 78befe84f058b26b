"""Recall, rank and times of searches through the API on the embedded server.

    python tests/bench/retrieval.py DATA... [--conversations N] [--across] [--json FILE] [--keep DIR] [--write]

DATA are files of conversations with labelled questions in the LoCoMo format, which do not come with the project (LoCoMo
is CC BY-NC 4.0). Without any, or with --across, our own memories in one language with questions in the other are run:
data/zh_en_memories.jsonl. Each conversation is a tenant and each session a run; messages go in adds of up to 20; each
question is asked once with enableRerank and once without, with agentId and runId `*` and topK 50. The rank of a turn is
its place among the distinct turns that the results name in `source_turn_refs`, in their order. With --keep a second run
goes straight to the questions; the memories are then those that the code made in the first.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench import retrieval_tables as tables
from tests.bench.asked import ask_all, bare_embedding_rate
from tests.bench.corpora import ACROSS, Corpus, across_languages, read_corpus
from tests.bench.figures import means
from tests.bench.results_file import command, versions, write_section
from tests.bench.retrieval_tables import Run
from tests.bench.served import Bench
from tests.flows.server_process import ServerProcess

PACKAGES = ("agent-memory", "numpy", "simsimd", "onnxruntime", "sentencepiece", "uvicorn")
SECTION = "retrieval"
LEFT_OUT = """Skipped: questions without usable evidence. Ids dropped: evidence ids that name no turn. No memory:
labelled turns that no memory names, so that they cannot be found."""


def main() -> int:
    """The exit code."""
    arguments = _arguments()
    corpora = [read_corpus(path, arguments.conversations) for path in arguments.data]
    if arguments.across or not corpora:
        corpora.append(across_languages())
    with _folder(arguments.keep) as folder, ServerProcess(folder) as server:
        bench = Bench(server.client(), folder)
        runs = [_run(bench, corpus) for corpus in corpora]
        server_ms = bench.latencies()
        server.stop()
    text = _text(runs, server_ms)
    print(text)
    if arguments.json:
        arguments.json.write_text(json.dumps(_document(runs, server_ms), indent=1), encoding="utf-8")
    if arguments.write:
        write_section(SECTION, text)
    return 0


def _run(bench: Bench, corpus: Corpus) -> Run:
    indexed, now = bench.index(corpus)
    _say(f"{corpus.name}: {indexed.memories} memories {'added' if now else 'kept'}, {indexed.seconds:.0f} s")
    texts = [f"{message.get('speaker', message['role'])}: {message['content']}" for message in corpus.messages]
    rate = bare_embedding_rate(texts) if now else 0.0
    remembered = bench.remembered(corpus)
    wanted = ((name, turn) for name, question in corpus.questions for turn in question.evidence)
    unreachable = sum(turn not in remembered[name] for name, turn in set(wanted))
    started = time.perf_counter()
    asked = ask_all(bench, corpus)
    _say(f"{corpus.name}: {len(asked)} searches, {time.perf_counter() - started:.0f} s")
    return Run(corpus, indexed, rate, asked, unreachable)


def _text(runs: Sequence[Run], server_ms: Mapping[str, float]) -> str:
    parts = [
        f"## Retrieval\n\n`{command()}`; {versions(PACKAGES)}. Recall and nDCG in percent.\n\n{tables.counted(runs)}",
        LEFT_OUT,
    ]
    talks = [run for run in runs if run.corpus.name != ACROSS.stem]
    parts += [f"### {run.corpus.name}\n\n{tables.recall(run)}" for run in talks]
    parts += [tables.interval(talks)] if talks else []
    parts += [f"### Across languages\n\n{tables.across(run)}" for run in runs if run not in talks]
    parts.append(f"### Index time\n\n{tables.index_times(runs)}")
    parts.append(f"### Search time, all files together, one caller\n\n{tables.search_times(runs, server_ms)}")
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _document(runs: Sequence[Run], server_ms: Mapping[str, float]) -> dict[str, Any]:
    """Everything by question, without its words."""
    return {
        "versions": versions(PACKAGES),
        "files": {run.corpus.name: {"indexed": vars(run.indexed), "bareRate": run.bare_rate} for run in runs},
        "means": {
            f"{run.corpus.name} {name}": means([each.figures for each in run.asked if each.rerank is rerank])
            for run in runs
            for rerank, name in ((True, "rerank"), (False, "fused"))
        },
        "searches": [
            {
                "file": run.corpus.name,
                "conversation": each.conversation,
                "question": each.question.number,
                "category": each.question.category,
                "rerank": each.rerank,
                "ranks": each.ranks,
                "serverMs": server_ms.get(each.found.call_id),
            }
            for run in runs
            for each in run.asked
        ],
    }


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
    else:
        with tempfile.TemporaryDirectory(prefix="agent-memory-bench-") as name:
            yield Path(name)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="*", type=Path, metavar="DATA", help="file of labelled conversations")
    parser.add_argument("--conversations", type=int, help="only the first N of each file")
    parser.add_argument("--across", action="store_true", help="also our own set across languages")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where every rank and mean goes")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep the data there; what was added is not added again"
    )
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    return parser.parse_args()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
