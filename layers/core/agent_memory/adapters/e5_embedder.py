"""The embedder that comes with the package: multilingual-e5-small with language centring.

The raw vectors of this model carry the language of a text as a large common part, which puts every Chinese passage
farther from an English query than any English one. A fixed mean per language and side is subtracted (centring by
language, Libovický et al. 2020, arXiv 2004.05160), and the rest made a unit vector again.
"""

from __future__ import annotations

import json
from base64 import b64decode
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from agent_memory.adapters.e5_model import DIM, E5Model
from agent_memory.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.ports import Vectors

    Means = Mapping[tuple[str, str], NDArray[np.float32]]

MODEL = "multilingual-e5-small-q4+centred-1"
MEANS = Path(__file__).with_name("e5_means.json")
OVERALL = "overall"
_NO_DIRECTION = 1e-6


class E5Embedder:
    """`model_dir` is what layers/models/build_model.py made; nothing is loaded before the first text."""

    def __init__(self, model_dir: Path, threads: int = 1) -> None:
        self.network = E5Model(model_dir, threads)

    @property
    def model(self) -> str:
        """Changes with the weights, the means and the way they are applied."""
        return MODEL

    @property
    def dim(self) -> int:
        """Always 384."""
        return DIM

    def embed(self, texts: Sequence[str], side: Literal["query", "passage"]) -> Vectors:
        """Centred unit vectors; a text over 512 tokens counts as the weighted mean of its windows."""
        return self.finished(self.network.vectors(texts, side), texts, side)

    def finished(self, raw: Vectors, texts: Sequence[str], side: Literal["query", "passage"]) -> Vectors:
        """What `embed` gives, from what the network gave for these texts."""
        return centred(raw, [language_of(text) for text in texts], side, self._means)

    @cached_property
    def _means(self) -> Means:
        return read_means(MEANS.read_text(encoding="utf-8"))


def read_means(document: str) -> Means:
    """The mean vector of each (language, side); for other languages the mean of those, as "overall"."""
    import numpy as np

    means: dict[tuple[str, str], NDArray[np.float32]] = {}
    for language, sides in json.loads(document)["means"].items():
        for side, packed in sides.items():
            means[language, side] = np.frombuffer(b64decode(packed), "<f2").astype(np.float32)
    for side in ("query", "passage"):
        known = [mean for (_, of_side), mean in means.items() if of_side == side]
        means[OVERALL, side] = np.mean(known, axis=0, dtype=np.float32)
    return means


def centred(vectors: Vectors, languages: Sequence[str], side: str, means: Means) -> Vectors:
    """Each row without the mean of its language, at norm 1; a row that is the mean itself stays as it was."""
    import numpy as np

    if not languages:
        return vectors
    offsets = np.stack([means.get((language, side), means[OVERALL, side]) for language in languages])
    moved = vectors - offsets
    norms = np.linalg.norm(moved, axis=1, keepdims=True)
    usable = norms > _NO_DIRECTION
    result: Vectors = np.where(usable, moved / np.where(usable, norms, 1), vectors).astype(np.float32)
    return result
