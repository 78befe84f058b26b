"""A question to a tenant's index, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent_memory.retrieval.filters import EVERYTHING, Selection
from agent_memory.retrieval.fusion import Ranking
from agent_memory.retrieval.keyset import Place

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A question to the selected units of a tenant. `vector` is of the index's model or None.

    Of units that say the same, in whatever scopes, only the best is a hit.

    `context` is the (agent, run) whose memories are lifted a little; `after` the place of the last hit of the page
    before. `rerank` false leaves the fused order; `keyword_only` compares words alone; `diverse` gives the same hits,
    those that say nearly the same as a better one further down; `explain` fills `Hit.parts`.
    """

    text: str
    vector: NDArray[np.float32] | None = None
    selection: Selection = EVERYTHING
    top_k: int = 10
    min_score: float = 0.0
    min_similarity: float = 0.0
    context: tuple[str, str] | None = None
    after: Place | None = None
    rerank: bool = True
    keyword_only: bool = False
    diverse: bool = False
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A found unit. All scores lie in 0 to 1; `similarity` and `lexical` are None where that arm says nothing of it.

    Hits are in the order of `score`, or with a context in that of `ranking.score`. `parts` is what each arm added.
    """

    id: str
    score: float
    similarity: float | None
    lexical: float | None
    created_ms: int
    ranking: Ranking | None = None
    parts: Mapping[str, float] = field(default_factory=dict)

    @property
    def place(self) -> Place:
        """Where the hit stands in the order of its search."""
        return Place(self.score if self.ranking is None else self.ranking.score, self.created_ms, self.id)
