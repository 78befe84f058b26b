"""Computes what the packaged embedders subtract and project on: `python tests/bench/language_means.py [FOLDER]`.

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

from agent_memory.adapters.e5_embedder import MEANS, MODEL, centred, read_means
from agent_memory.adapters.e5_model import DIM, E5Model
from agent_memory.adapters.e5_tokens import TOKEN_AXES, TOKEN_DIM, TOKEN_MEANS, TOKEN_MODEL
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
    return {**_source(model), "format": f"base64 of {DIM} float16 numbers, little-endian", "means": means}


def axes_document(rows: Rows, means: str) -> dict[str, object]:
    """The principal axes of the centred tokens, the first ones first; each points to its largest number."""
    found = read_means(means)
    tokens = []
    for language in LANGUAGES:
        for side in ("query", "passage"):
            raw = rows(sentences(language), side)
            tokens.append(centred(raw, [language] * len(raw), side, found).astype(np.float64))
    every = np.concatenate(tokens)
    axes = np.linalg.eigh(every.T @ every)[1][:, ::-1][:, :TOKEN_DIM]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(TOKEN_DIM)])
    layout = f"base64 of {DIM} rows of {TOKEN_DIM} float16 numbers, little-endian"
    return {**_source(TOKEN_MODEL), "format": layout, "axes": b64encode(axes.astype("<f2").tobytes()).decode()}


def _source(model: str) -> dict[str, object]:
    return {
        "model": model,
        "set": {f"tests/bench/data/neutral_{language}.txt": len(sentences(language)) for language in LANGUAGES},
        "script": "tests/bench/language_means.py",
    }


def main(folder: Path) -> None:
    """Write the data files of the package, or those of the folder given."""
    network = E5Model(default_model_dir(), threads=1)

    def of_tokens(texts: list[str], side: str) -> np.ndarray:
        return unit_rows(np.concatenate(network.token_states(texts, side)))

    kinds: dict[str, tuple[Rows, str]] = {
        MEANS.name: (network.vectors, MODEL),
        TOKEN_MEANS.name: (of_tokens, TOKEN_MODEL),
    }
    for name, (rows, model) in kinds.items():
        document = json.dumps(means_document(rows, model), indent=2) + "\n"
        (folder / name).write_text(document, encoding="utf-8")
        norms = {" ".join(each): round(float(np.linalg.norm(mean)), 3) for each, mean in read_means(document).items()}
        sys.stdout.write(f"{folder / name}: norms of the means {norms}\n")
    axes = axes_document(of_tokens, (folder / TOKEN_MEANS.name).read_text(encoding="utf-8"))
    (folder / TOKEN_AXES.name).write_text(json.dumps(axes, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else MEANS.parent)
