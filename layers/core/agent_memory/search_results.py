"""Results of a search as clients see them: hits with the records that the table has now, and warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent_memory import keys
from agent_memory.errors import AgentMemoryError, EmbedderFailed, RerankerFailed
from agent_memory.models import MemoryUnit
from agent_memory.ports import WideTable
from agent_memory.records import shown, unit_of
from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.tenant_index import Hit
from agent_memory.store_access import TenantView
from agent_memory.unit_selection import is_meant_still

WARNINGS = {
    EmbedderFailed.code: "the embedding model does not answer: found by words alone",
    RerankerFailed.code: "the reranking model does not answer: in the order that the search itself gives",
}


@dataclass(frozen=True, slots=True)
class Found:
    """A hit with its unit as the table has it now."""

    unit: MemoryUnit
    hit: Hit

    def to_wire(self, *, with_scores: bool) -> dict[str, Any]:
        """One entry of `results`."""
        hit = self.hit
        answer: dict[str, Any] = {"unit": self.unit.to_wire(), "score": hit.score, "source": _source(hit)}
        if hit.similarity is not None:
            answer["similarity"] = hit.similarity
        if hit.ranking is not None:
            weight = hit.ranking.session_weight if hit.ranking.same_session else 0.0
            answer["rankingScore"] = hit.ranking.score
            answer["rankingSignals"] = {"sameSession": hit.ranking.same_session, "sessionAffinityWeight": weight}
        if with_scores:
            answer["scores"] = dict(hit.parts)
        return answer


def current_of(view: TenantView, hits: Sequence[Hit], selection: Selection, table: WideTable) -> list[Found]:
    """The hits with their records; one that is gone or not meant any more since the index saw it drops out."""
    wanted = [keys.unit(view.partition, hit.id) for hit in hits]
    read = table.get(wanted)
    live = [(read[key], hit) for key, hit in zip(wanted, hits, strict=True) if key in read]
    found = [Found(unit_of(item), hit) for item, hit in live if shown(item, view.visible)]
    return [each for each in found if is_meant_still(each.unit, selection)]


def warnings_of(failures: Sequence[AgentMemoryError]) -> list[dict[str, str]]:
    """Entries of `warnings`, in words that do not change with the vendor."""
    return [{"code": each.code, "message": WARNINGS[each.code]} for each in failures]


def _source(hit: Hit) -> str:
    """The retriever that speaks for the hit."""
    if hit.similarity is None:
        return "lexical"
    return "hybrid" if hit.lexical else "dense"
