"""Computes the mean vectors that the packaged embedders subtract: `python tests/bench/language_means.py [FOLDER]`.

The sentences in data/neutral_<language>.txt are everyday statements and questions about anything, written for this
purpose; one in seven is a question, and every sentence counts on both sides.
"""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import numpy as np

from agent_memory.adapters.e5_embedder import MEANS, MODEL, read_means
from agent_memory.adapters.e5_model import DIM, E5Model
from agent_memory.adapters.e5_tokens import TOKEN_MEANS, TOKEN_MODEL
from agent_memory.adapters.embedding_parts import unit_rows
from agent_memory.settings import default_model_dir

DATA = Path(__file__).with_name("data")
LANGUAGES = ("en", "zh")
Rows = Callable[[list[str], str], np.ndarray]


def sentences(language: str) -> list[str]:
    """The neutral set of a language, one sentence a line."""
    return (DATA / f"neutral_{language}.txt").read_text(encoding="utf-8").splitlines()


def means_document(rows: Rows, model: str) -> dict[str, object]:
    """What a file of means holds: where the numbers come from, and float16 little-endian vectors in base64."""
    means: dict[str, dict[str, str]] = {}
    for language in LANGUAGES:
        texts = sentences(language)
        means[language] = {}
        for side in ("query", "passage"):
            mean = rows(texts, side).mean(axis=0).astype("<f2")
            means[language][side] = b64encode(mean.tobytes()).decode()
    return {
        "model": model,
        "set": {f"tests/bench/data/neutral_{language}.txt": len(sentences(language)) for language in LANGUAGES},
        "script": "tests/bench/language_means.py",
        "format": f"base64 of {DIM} float16 numbers, little-endian",
        "means": means,
    }


def main(folder: Path) -> None:
    """Write the data files of the package, or those of the folder given."""
    network = E5Model(default_model_dir(), threads=1)
    kinds: dict[str, tuple[Rows, str]] = {
        MEANS.name: (network.vectors, MODEL),
        TOKEN_MEANS.name: (
            lambda texts, side: unit_rows(np.concatenate(network.token_states(texts, side))),
            TOKEN_MODEL,
        ),
    }
    for name, (rows, model) in kinds.items():
        document = json.dumps(means_document(rows, model), indent=2) + "\n"
        (folder / name).write_text(document, encoding="utf-8")
        norms = {" ".join(each): round(float(np.linalg.norm(mean)), 3) for each, mean in read_means(document).items()}
        sys.stdout.write(f"{folder / name}: norms of the means {norms}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else MEANS.parent)
