"""Judged questions as arrays, from the files that `tests/bench/judged.py` of the repository writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.retrieval.ranker import PRIORS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]
    Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Data:
    """Candidates row by row; those of one question stand together, `starts` says where each begins."""

    names: tuple[str, ...]
    features: Matrix
    answers: Mask
    starts: NDArray[np.int64]
    talks: NDArray[np.str_]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Candidates of each question."""
        import numpy as np

        return np.diff(np.append(self.starts, len(self.answers)))

    def only(self, rows: Mask, questions: Mask) -> Data:
        """Those rows of those questions; no question may lose all rows."""
        import numpy as np

        keep = rows & np.repeat(questions, self.sizes)
        sizes = np.add.reduceat(keep, self.starts)[questions]
        return Data(
            self.names,
            self.features[keep],
            self.answers[keep],
            np.append(0, np.cumsum(sizes))[:-1],
            self.talks[questions],
        )


def read(paths: Sequence[Path]) -> Data:
    """All files in one; features that are set by hand and questions without an answer are left out."""
    import numpy as np

    loaded = [np.load(path) for path in paths]
    names = [name for name in loaded[0]["names"].tolist() if name not in PRIORS]
    columns = [loaded[0]["names"].tolist().index(name) for name in names]
    sizes = np.concatenate([each["sizes"] for each in loaded])
    data = Data(
        tuple(names),
        np.concatenate([each["features"][:, columns] for each in loaded]).astype(np.float64),
        np.concatenate([each["answers"] for each in loaded]),
        np.append(0, np.cumsum(sizes))[:-1],
        np.concatenate([each["talks"] for each in loaded]),
    )
    answered = np.add.reduceat(data.answers, data.starts) > 0
    return data.only(np.ones(len(data.answers), np.bool_), answered)
