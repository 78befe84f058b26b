"""Results of a search as clients see them: hits with the records that the table has now, and warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agent_memory import keys
from agent_memory.errors import AgentMemoryError, EmbedderFailed, RerankerFailed
from agent_memory.models import MemoryUnit, unit_wire
from agent_memory.ports import Item, WideTable
from agent_memory.records import shown, unit_of
from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.tenant_index import Hit
from agent_memory.store_access import TenantView
from agent_memory.unit_selection import record_is_meant

WARNINGS = {
    EmbedderFailed.code: "the embedding model does not answer: found by words alone",
    RerankerFailed.code: "the reranking model does not answer: in the order that the search itself gives",
}


@dataclass(frozen=True)
class Found:
    """A hit with its unit's record as the table has it now."""

    item: Item
    hit: Hit

    @cached_property
    def unit(self) -> MemoryUnit:
        """The unit, checked when it is first asked for: most answers only show its record."""
        return unit_of(self.item)

    def to_wire(self, *, with_scores: bool) -> dict[str, Any]:
        """One entry of `results`."""
        hit = self.hit
        answer: dict[str, Any] = {"unit": unit_wire(self.item.body), "score": hit.score, "source": _source(hit)}
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
    found = [Found(read[key], hit) for key, hit in zip(wanted, hits, strict=True) if key in read]
    return [each for each in found if shown(each.item, view.visible) and record_is_meant(each.item, selection)]


def warnings_of(failures: Sequence[AgentMemoryError]) -> list[dict[str, str]]:
    """Entries of `warnings`, in words that do not change with the vendor."""
    return [{"code": each.code, "message": WARNINGS[each.code]} for each in failures]


def _source(hit: Hit) -> str:
    """The retriever that speaks for the hit."""
    if hit.similarity is None:
        return "lexical"
    return "hybrid" if hit.lexical else "dense"
