"""Computes the mean vectors that the packaged embedder subtracts: `python tests/bench/language_means.py [OUT]`.

The sentences in data/neutral_<language>.txt are everyday statements and questions about anything, written for this
purpose; one in seven is a question, and every sentence counts on both sides.
"""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from pathlib import Path

import numpy as np

from agent_memory.adapters.e5_embedder import MEANS, MODEL, read_means
from agent_memory.adapters.e5_model import DIM, E5Model
from agent_memory.settings import default_model_dir

DATA = Path(__file__).with_name("data")
LANGUAGES = ("en", "zh")


def sentences(language: str) -> list[str]:
    """The neutral set of a language, one sentence a line."""
    return (DATA / f"neutral_{language}.txt").read_text(encoding="utf-8").splitlines()


def means_document(model: E5Model) -> dict[str, object]:
    """What e5_means.json holds: where the numbers come from, and float16 little-endian vectors in base64."""
    means: dict[str, dict[str, str]] = {}
    for language in LANGUAGES:
        texts = sentences(language)
        means[language] = {}
        for side in ("query", "passage"):
            mean = model.vectors(texts, side).mean(axis=0).astype("<f2")
            means[language][side] = b64encode(mean.tobytes()).decode()
    return {
        "model": MODEL,
        "set": {f"tests/bench/data/neutral_{language}.txt": len(sentences(language)) for language in LANGUAGES},
        "script": "tests/bench/language_means.py",
        "format": f"base64 of {DIM} float16 numbers, little-endian",
        "means": means,
    }


def main(out: Path) -> None:
    """Write the data file of the package, or the file given."""
    document = means_document(E5Model(default_model_dir(), threads=1))
    out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    means = read_means(json.dumps(document))
    norms = {" ".join(name): round(float(np.linalg.norm(mean)), 3) for name, mean in means.items()}
    sys.stdout.write(f"{out}: norms of the means {norms}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else MEANS)
