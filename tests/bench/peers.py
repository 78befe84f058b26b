"""The service beside what one would pick instead, on the same questions, vectors and machine, in one run.

    bash tests/bench/peers_install.sh
    python tests/bench/peers.py DATA... [--conversations N] [--questions N] [--units N] [--json FILE] [--write]

DATA are files of conversations with labelled questions in the LoCoMo format, which do not come with the project. Each
conversation is a tenant, and a store of its own for each peer; a turn is a unit. All peers get the vectors of the
packaged embedder. Nothing goes over a socket: the service's handlers are called in this process with the events of API
Gateway, a peer is timed inside its own process. The query is embedded once, beforehand; its time is added to all alike
where a column says so. For the speed at size, the conversations of the file with most turns become one tenant of
`--units` turns. Where the processors are shared with other work, OPENBLAS_NUM_THREADS=1 keeps numpy's threads, ours
and the peers', from waiting for each other, which costs tens of milliseconds.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from agent_memory.adapters.e5_embedder import E5Embedder
from agent_memory.settings import default_model_dir
from tests.bench import peer_tables as tables
from tests.bench.compared import Compared, compare
from tests.bench.corpora import read_corpus
from tests.bench.in_process import InProcess, KeptVectors
from tests.bench.results_file import command, versions, write_section
from tests.bench.stretched import named_apart, stretched
from tests.bench.systems import PEERS, peer_processes

PACKAGES = ("agent-memory", "numpy", "simsimd", "onnxruntime")
SECTION = "peers"
SPEED_QUESTIONS = 200
WARM_UP = 200  # turns that every system gets before anything is measured
NOTES = """Recall in percent. Times are multiples of the fastest peer's in that column, so less than 1 is faster than
all of them. Search: warm, one caller, top 50, the query embedded beforehand; with embedding: its time added for all.
Index: until the first search is answered, embedding left out, as multiples of the fastest of those that write files
(LanceDB, mem0), as ours does with messages, tasks and memories; LangGraph's store and engram-search's documents are in
memory only. Milliseconds and seconds are for orientation."""


def main() -> int:
    """The exit code."""
    arguments = _arguments()
    corpora = [named_apart(read_corpus(path, arguments.conversations)) for path in arguments.data]
    with tempfile.TemporaryDirectory(prefix="agent-memory-peers-") as name:
        folder = Path(name)
        with peer_processes(folder, tuple(PEERS)) as (peers, absent):
            with closing(InProcess(folder / "ours", KeptVectors(E5Embedder(default_model_dir())))) as ours:
                compare(ours, peers, stretched(corpora[0], WARM_UP, "warm-up"), 1, folder)
                runs = [compare(ours, peers, corpus, arguments.questions, folder) for corpus in corpora]
                largest = max(corpora, key=lambda corpus: len(corpus.messages))
                one = stretched(largest, arguments.units, "everyone")
                at_size = compare(
                    ours, peers, one, min(arguments.questions or SPEED_QUESTIONS, SPEED_QUESTIONS), folder
                )
            said = ", ".join(dict.fromkeys(part for peer in peers for part in peer.versions.split(", ")))
    text = _text(runs, at_size, absent, said)
    print(text)
    if arguments.json:
        arguments.json.write_text(json.dumps(_document([*runs, at_size]), indent=1), encoding="utf-8")
    if arguments.write:
        write_section(SECTION, text)
    return 0


def _text(runs: Sequence[Compared], at_size: Compared, absent: Mapping[str, str], peers: str) -> str:
    parts = [
        f"## Peers\n\n`{command()}`; {versions(PACKAGES)}. Peers: {peers}.",
        NOTES,
        tables.absent({**absent, **{name: why for run in (*runs, at_size) for name, why in run.failed.items()}}),
    ]
    for run in runs:
        size = f"Tenants: {len(run.corpus.conversations)}, turns: {len(run.corpus.messages)}, questions: {run.asked}"
        parts.append(f"### {run.corpus.name}\n\n{size}.\n\n{tables.found(run)}\n{tables.times(run)}")
    size = f"{len(at_size.corpus.messages)} turns, {at_size.asked} questions"
    parts.append(f"### One tenant of {size}\n\n{tables.times(at_size)}\n{tables.reach(at_size)}")
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def _document(runs: Sequence[Compared]) -> dict[str, object]:
    """Everything by question, without its words."""
    return {
        run.corpus.name: {
            "indexSeconds": run.index_seconds,
            "failed": run.failed,
            "outcomes": {name: [asdict(each) for each in outcomes] for name, outcomes in run.outcomes.items()},
        }
        for run in runs
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", type=Path, metavar="DATA", help="file of labelled conversations")
    parser.add_argument("--conversations", type=int, help="only the first N of each file")
    parser.add_argument("--questions", type=int, help="only N questions of each file, drawn evenly")
    parser.add_argument("--units", type=int, default=6_000, help="turns of the one large tenant")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the outcome of every question goes")
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
